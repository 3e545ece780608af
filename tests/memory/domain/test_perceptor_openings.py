"""That a pattern looked for by its first character matches just where it did before."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.perceptor.literals import Template
from memory.domain.perceptor.loading import Compiler, languages
from memory.domain.perceptor.openings import MATCH, Opening, opening_of, sooner_found, span_of
from memory.domain.perceptor.patterns import fold
from memory.domain.perceptor.prefilter import CueSets


def opening(regex):
    return opening_of(Template(regex).items, {})


@pytest.mark.parametrize(
    ("regex", "members"),
    [
        (r"\b(?:never|always)\b", {"n", "a"}),
        (r"(?<!\w)(?:no )?tea", {"n", "t"}),
        (r"(?=.{3})\d{2}", {r"\d"}),
        (r"[b-d1]x|ye", {"b-d", "1", "y"}),
        (r"(?>ab|c)(?:d)", {"a", "c"}),
        (r"[)\]^-]", {r"\)", r"\]", r"\^", r"\-"}),
    ],
)
def test_opening_names_the_first_characters_of_every_match(regex, members):
    assert opening(regex) == Opening(frozenset(members))


@pytest.mark.parametrize("regex", [r".a", r"[^a]b", r"\w+", r"(?:a|\S)b", r"(a)?(?(1)b|c)"])
def test_opening_is_unknown_where_nearly_any_character_may_come_first(regex):
    assert opening(regex).members is None
    assert sooner_found(regex, opening(regex)) == regex


@pytest.mark.parametrize("regex", ["", r"\b", r"a?", r"(?:a|)", r"a{0,3}b?"])
def test_pattern_that_may_match_nothing_stays_as_it_is(regex):
    assert sooner_found(regex, opening(regex)) == regex


def test_opening_reads_word_lists_from_their_stand_ins():
    compiler = Compiler(CueSets())
    compiler.define("kin", ["sister", "brother"])
    compiler.define("own", ["my <kin>", "our"])

    found = opening_of(compiler.template(r"\b(?:<own>|<kin>) is").items, compiler.openings)

    assert found.members == {"m", "o", "s", "b"}


REGEXES = (
    r"\b(?:i|we)(?:'ll| will) (?P<value>go|stay)\b",
    r"(?<=[a-z] )(?P<value>[A-Z][a-z]{1,9})\b(?! of)",
    r"\btea\b.{0,9}?\b(?:\d|cup)",
    r"(?:no |not )?(?P<key>tea|a cup)(?= |$)",
    r"[=:] ?x|不.?喜欢",
    r"(?:\d{1,2}|[一二三])个?",
)
PIECES = [
    "i", "we", "'ll", " will", " go", " stay", "tea", " ", "3", "cup", "a ", "=", "x", "不", "个",
    "喜欢", "no", "not ", " of", ".", "\n", "é", "Ana", "一", "12",
]  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(REGEXES), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_sooner_found_pattern_gives_the_same_match(regex, text):
    plain = re.search(regex, text)
    sooner = re.search(sooner_found(regex, opening(regex)), text)

    assert sooner_found(regex, opening(regex)) != regex
    assert (sooner is None) == (plain is None)
    if plain is not None and sooner is not None:
        assert span_of(sooner) == plain.span() == span_of(plain)
        assert {**plain.groupdict(), MATCH: plain[0]} == sooner.groupdict()


def test_every_shipped_pattern_finds_on_its_own_what_its_source_does():
    texts = [fold(text) for text in TEXTS]
    for language in languages():
        for section in (*language.detectors.values(), language.statements, language.importance):
            for pattern in section:
                for text in texts:
                    line = text.cased if pattern.keeps_case else text.lowered
                    plain, found = re.search(pattern.source, line), pattern.find(text)
                    if pattern.unless is None:
                        assert (found and span_of(found)) == (plain and plain.span()), pattern.id


TEXTS = (
    "No, I moved to Leeds; please never call me on Sundays, and remember my sister Ana hates tea.",
    "We'll meet Dr. Kim at 14:30 on 3 May, my birthday, unless the order 12345 is late again!",
    "不对，我搬到利兹了；请记住我妹妹不喜欢喝茶，以后周日别给我打电话，下周三要交报告。",
    "Nein, ich wohne jetzt in Bonn; bitte merk dir, dass meine Schwester Tee hasst, ab morgen nie.",
)
