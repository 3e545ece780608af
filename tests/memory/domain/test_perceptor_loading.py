"""The languages are read once, whoever asks first."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Barrier

import pytest

from memory.domain.perceptor import loading
from memory.domain.perceptor.perception import SignalKind


def test_threads_that_ask_at_once_get_the_same_lexicon_read_once(monkeypatch):
    read = []
    load = loading.load_language

    def counted(path, cues):
        read.append(path.stem)
        return load(path, cues)

    monkeypatch.setattr(loading, "load_language", counted)
    for name in ("lexicon", "_lexicon"):
        monkeypatch.setattr(loading, name, lru_cache(getattr(loading, name).__wrapped__))
    together = Barrier(4)

    def ask(_):
        together.wait(timeout=10)
        return loading.lexicon()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert all(each is found[0] for each in found)
    assert sorted(read) == sorted(language.code for language in found[0].languages)


@pytest.mark.parametrize("kind", SignalKind)
def test_a_detectors_surest_pattern_is_tried_first(kind):
    for language in loading.languages():
        sure = [pattern.confidence for pattern in language.detectors[kind]]
        assert sure == sorted(sure, reverse=True)
