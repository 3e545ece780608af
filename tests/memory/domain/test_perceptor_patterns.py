"""The patterns of each language, each with examples of what it finds and what it leaves."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from re import _constants as codes
from re import _parser as parser

import pytest

from memory.domain import perceptor
from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.domain.perceptor.language import STATEMENT
from memory.domain.perceptor.loading import Compiler, languages, load_language, read_language
from memory.domain.perceptor.patterns import fold
from memory.domain.perceptor.perception import SignalKind
from memory.domain.perceptor.prefilter import CueSets, Prefilter
from memory.domain.perceptor.records import DOMAIN_CONFIDENCE

FOLDER = Path(perceptor.__file__).parent / "languages"
FILES = sorted(FOLDER.glob("*.toml"))
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
# However far a pattern may look, it is never further than a message is read.
FURTHEST = 5_000


def sections(path):
    """The arrays of tables of a data file, by name."""
    for section, entries in read_language(path).items():
        if isinstance(entries, list) and entries and isinstance(entries[0], dict):
            yield section, entries


@cache
def compiled(code):
    """Every pattern of a language by section and id, with one prefilter over them."""
    path, cues = FOLDER / f"{code}.toml", CueSets()
    compiler = Compiler.of(read_language(path), cues)
    found = {
        (section, entry["id"]): compiler.pattern(entry)
        for section, entries in sections(path)
        for entry in entries
    }
    return found, Prefilter(cues)


def examples(path, polarity):
    for section, entries in sections(path):
        for entry in entries:
            for text in entry[polarity]:
                yield section, entry["id"], text


# One test for the thousands of a language, which names each example that fails.
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pattern_matches_its_positive_examples(path):
    patterns, prefilter = compiled(path.stem)
    missed = []
    for section, pattern_id, text in examples(path, "positive"):
        pattern = patterns[section, pattern_id]
        if pattern.search(fold(text)) is None:
            missed.append(f"{section}-{pattern_id}-{text}")
        elif not prefilter.scan(fold(text), 0).whole().finds(pattern):
            missed.append(f"{section}-{pattern_id}-{text} is kept from its pattern")

    assert missed == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pattern_leaves_its_negative_examples(path):
    patterns, _ = compiled(path.stem)

    assert [
        f"{section}-{pattern_id}-{text}"
        for section, pattern_id, text in examples(path, "negative")
        if patterns[section, pattern_id].search(fold(text))
    ] == []


def strings(value):
    """Every text of a data file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in {"positive", "negative", "reason", "id", "cues"}:
                yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def quantifiers(items):
    """The least and the greatest count of every repetition in a parsed pattern."""
    if isinstance(items, tuple) and len(items) == 2 and items[0] in REPEATS:
        least, most, inner = items[1]
        yield int(least), int(most)
        yield from quantifiers(inner)
    elif isinstance(items, list | tuple | parser.SubPattern):
        for item in items:
            yield from quantifiers(item)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_repetition_in_a_data_file_is_bounded(path):
    data = read_language(path)
    compiler = Compiler.of(data, CueSets())
    written = [data[name] for name in data if name not in {"keys", "markers", "abbreviations"}]

    for source in strings(written):
        regex = compiler.expand(source)
        if not re.search(r"[\\[({|^$*+?.]", regex):
            continue
        # The tables of dates name places that their own reader fills.
        regex = re.sub(r"<(\w{1,20})>", "x", regex) if "(?P<" not in regex else regex
        try:
            parsed = parser.parse(regex)
        except re.error:
            assert source in set(strings(data["dates"])), source
            continue
        assert all(most <= FURTHEST for _, most in quantifiers(parsed)), source


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_ids_are_unique_and_each_pattern_has_examples(path):
    for section, entries in sections(path):
        counts = Counter(entry["id"] for entry in entries)
        assert [each for each, count in counts.items() if count > 1] == [], section
        for entry in entries:
            assert entry["positive"], (section, entry["id"])
            assert entry["negative"] or not entry["pattern"], (section, entry["id"])


def test_language_file_uses_known_names_and_keeps_confidence_in_range():
    assert languages()
    for language in languages():
        detectors = [p for patterns in language.detectors.values() for p in patterns]
        assert all(0.5 <= pattern.confidence <= 1 for pattern in detectors)
        assert all(0 < pattern.confidence < 1 for pattern in language.statements)
        assert {shape.category for shape in language.shapes} <= set(BUILT_IN_CATEGORIES)
        assert all(0 < shape.sure <= 1 for shape in language.shapes)
        assert {topic.domain for topic in language.details.topics} <= set(DOMAIN_CONFIDENCE)
        noises = [noise for section in language.noise.values() for noise in section]
        assert all(noise.pattern.reason for noise in noises)
        known = {*SignalKind, STATEMENT}
        assert all(modifier.applies <= known for modifier in language.modifiers)
        assert all(0 < modifier.factor < 1 for modifier in language.modifiers)


def test_facets_and_labels_have_the_groups_that_are_read():
    for code in (path.stem for path in FILES):
        patterns, _ = compiled(code)
        for (section, pattern_id), pattern in patterns.items():
            groups = set(re.compile(pattern.source).groupindex)
            if section in {"person", "location", "trigger", "retracted"}:
                assert "value" in groups, (code, pattern_id)
            if section == "expiry":
                assert "when" in groups, (code, pattern_id)


def test_language_needs_only_a_data_file(tmp_path):
    english = (FOLDER / "en.toml").read_text("utf-8")
    path = tmp_path / "xx.toml"
    path.write_text(english.replace('language = "en"', 'language = "xx"'), "utf-8")

    assert load_language(path, CueSets()).code == "xx"
