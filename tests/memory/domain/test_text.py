import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.errors import InvalidInput
from memory.domain.text import (
    clean_tags,
    clean_text,
    content_hash,
    display_text,
    is_blank,
    require_text,
    search_text,
)

any_text = st.text(alphabet=st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("badge \x00 55120", "badge  55120"),
        ("pass\x07word", "password"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("page one\x0cpage two", "page one\npage two"),
        ("a\r\x00\nb", "a\nb"),
        ("tab\tstays\n", "tab\tstays\n"),
        ("\ud83d waving", "\ufffd waving"),
        ("\ud83d\udc4b hello", "\U0001f44b hello"),
        ("Endetrag-\udc80.txt", "Endetrag-\ufffd.txt"),
        ("e\u0301", "é"),
        ("invoice \u202egpj.exe", "invoice \u202egpj.exe"),
        ("pass\u200bword", "pass\u200bword"),
    ],
)
def test_clean_text_gives_the_stored_form(raw, expected):
    assert clean_text(raw) == expected


@given(any_text)
def test_clean_text_is_idempotent_and_valid_utf8(text):
    cleaned = clean_text(text)

    assert clean_text(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not any(ord(character) < 0x20 and character not in "\t\n" for character in cleaned)
    assert cleaned.encode().decode() == cleaned


def test_clean_text_joins_a_pair_when_json_escapes_it():
    assert clean_text(json.loads('"\\ud83d\\udc4b hello"')) == "👋 hello"


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b\u200d\ufeff", "\u00ad \u202e", "\x00"])
def test_require_text_refuses_when_nothing_can_be_seen(text):
    with pytest.raises(InvalidInput, match="“text” is blank") as caught:
        require_text(text, field="text", limit=10)

    assert caught.value.field == "text"


def test_require_text_names_the_limit_when_too_long():
    with pytest.raises(InvalidInput, match=r"has 4,001 characters; the limit is 4,000"):
        require_text("x" * 4001, field="text", limit=4000)


def test_require_text_counts_after_cleaning():
    assert require_text("abc\x00\x00", field="text", limit=3) == "abc"


def test_is_blank_is_false_when_a_character_shows():
    assert is_blank("\u200b") is True
    assert is_blank("\u200b.") is False


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("pass\u200bword", "password"), ("co\u00adop", "coop"), ("ＡＢＣ", "ABC"), ("ﬁne", "fine")],
)
def test_search_text_folds_width_and_drops_zero_width(raw, expected):
    assert search_text(raw) == expected


@given(any_text)
def test_search_text_is_idempotent(text):
    assert search_text(search_text(text)) == search_text(text)


@pytest.mark.parametrize(
    "twin",
    [
        "  The roof LEAKS. ",
        "the\nroof\t leaks",
        "The roof leaks!!",
        "The roof leaks。",
        "Ｔhe roof leaks ！",
        "The ro\u200bof leaks",
        "The roof leaks\x00",
    ],
)
def test_content_hash_is_equal_when_only_the_form_differs(twin):
    assert content_hash(twin) == content_hash("The roof leaks")


@pytest.mark.parametrize("other", ["The roof leaks?", "The roof leaked", "Theroof leaks", "!"])
def test_content_hash_differs_when_the_words_differ(other):
    assert content_hash(other) != content_hash("The roof leaks")
    assert content_hash(other) != content_hash(".")


@given(any_text)
def test_content_hash_has_32_bytes_and_ignores_outer_space(text):
    digest = content_hash(text)

    assert len(digest) == 32
    assert content_hash(f" {text}\n") == digest


def test_clean_tags_strips_and_keeps_the_first_of_twins_in_order():
    assert clean_tags([" home ", "work", "home", "", "\u200b", "to  do\x00"]) == [
        "home",
        "work",
        "to do",
    ]


def test_clean_tags_counts_different_tags_only():
    assert clean_tags(["same"] * 100) == ["same"]


def test_clean_tags_refuses_too_many():
    with pytest.raises(InvalidInput, match="33 tags; the limit is 32"):
        clean_tags([f"tag {number}" for number in range(33)])


def test_clean_tags_refuses_a_long_one():
    with pytest.raises(InvalidInput, match="65 characters; the limit is 64"):
        clean_tags(["x" * 65])


def test_display_text_neutralises_bidi_controls_and_keeps_the_rest():
    assert (
        display_text("invoice \u202egpj.exe\u202c \u2066a\u2069 \u200fב")
        == "invoice gpj.exe a \u200fב"
    )
