"""The patterns of each language, each with examples of what it finds and what it leaves."""

import re
from pathlib import Path

import pytest

from memory.domain import perceptor
from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.domain.perceptor.language import (
    Facet,
    Modifier,
    Noise,
    Pattern,
    Shape,
    fold,
    languages,
    load_language,
    read_language,
)

FOLDER = Path(perceptor.__file__).parent / "languages"


def examples(polarity):
    for path in sorted(FOLDER.glob("*.toml")):
        for section, entries in read_language(path).items():
            if isinstance(entries, list) and entries and isinstance(entries[0], dict):
                for entry in entries:
                    for text in entry[polarity]:
                        name = f"{path.stem}-{section}-{entry['id']}-{text}"
                        yield pytest.param(path.stem, section, entry["id"], text, id=name)


def pattern_of(code, section, pattern_id):
    language = next(language for language in languages() if language.code == code)
    sections = {
        **{kind.value: found for kind, found in language.detectors.items()},
        "statement": language.statements,
        "noise": language.noise,
        "modifier": language.modifiers,
        "shape": language.shapes,
        "importance": language.importance,
        "facet": language.facets,
    }
    for entry in sections[section]:
        pattern = entry if isinstance(entry, Pattern) else entry.pattern
        if pattern.id == pattern_id:
            return pattern
    raise AssertionError(f"{section} {pattern_id} was not loaded")


@pytest.mark.parametrize(("code", "section", "pattern_id", "text"), list(examples("positive")))
def test_pattern_matches_its_positive_example(code, section, pattern_id, text):
    assert pattern_of(code, section, pattern_id).search(fold(text)) is not None


@pytest.mark.parametrize(("code", "section", "pattern_id", "text"), list(examples("negative")))
def test_pattern_leaves_its_negative_example(code, section, pattern_id, text):
    assert pattern_of(code, section, pattern_id).search(fold(text)) is None


def test_patterns_are_bounded_and_have_unique_ids_and_examples():
    files = sorted(FOLDER.glob("*.toml"))

    assert files
    for path in files:
        for section, entries in read_language(path).items():
            if not isinstance(entries, list) or not isinstance(entries[0], dict):
                continue
            ids = [entry["id"] for entry in entries]
            assert len(ids) == len(set(ids)), section
            for entry in entries:
                bare = re.sub(r"\\.|\[[^\]]*\]", "_", entry["pattern"])
                assert re.search(r"\.[*+]|\)[*+]", bare) is None, entry["id"]
                assert entry["positive"], entry["id"]


def test_language_file_uses_known_categories_and_keeps_confidence_in_range():
    assert languages()
    for language in languages():
        detectors = [p for patterns in language.detectors.values() for p in patterns]
        assert all(0.5 <= pattern.confidence <= 1 for pattern in detectors)
        assert all(0 < pattern.confidence < 1 for pattern in language.statements)
        assert {shape.category for shape in language.shapes} <= set(BUILT_IN_CATEGORIES)
        assert all(isinstance(noise, Noise) and noise.pattern.reason for noise in language.noise)
        assert all(isinstance(entry, Modifier) for entry in language.modifiers)
        assert all(isinstance(entry, Shape) for entry in language.shapes)
        assert all(isinstance(entry, Facet) for entry in language.facets)


def test_language_needs_only_a_data_file(tmp_path):
    english = (FOLDER / "en.toml").read_text("utf-8")
    path = tmp_path / "xx.toml"
    path.write_text(english.replace('language = "en"', 'language = "xx"'), "utf-8")

    assert load_language(path).code == "xx"
