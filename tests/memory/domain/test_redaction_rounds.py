"""What is done once or in few places gives the same as all of it, everywhere."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.redaction import find_secrets, numbers, phrases, redact, spread
from memory.domain.redaction.finding import look_at, replaced
from memory.domain.redaction.folding import folded
from memory.domain.redaction.masks import KINDS, MASK, Masks, mask_of, places_of_feigned_masks
from tests.secret_texts import MUST_KEEP, MUST_MASK

NAMES = (
    *("password", "my password is ", "pin ", "passcode: ", "API_KEY=", "token ", "card ", "ssn "),
    *("verification code ", "Authorization: Bearer ", "seed phrase ", "密码是", "pin码", "pw: "),
    *("the code for the door is ", "wifi ", "https://ines:", "is my password", "key-", "sk-"),
)
VALUES = (
    *("hunter2fake", "4711", "000123", "blue-\ngoose42", "FAKE0fake0FAKE0fake0FAKE", "00-00-00"),
    *("4000 0000 0000 0002", "000-00-1234", "AB 12 34 56 C", "１２３４", "DE00 0000 0000 0000"),
    *("[secret: password]", "[secret: card number]", "[secret: nothing]", "[SECRET: pin]"),
    *("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln", "a b c d e f 7 h", "hunter2fake hunter2fake"),
)
BETWEEN = (" ", "\n", "\n\n\n\n", ": ", " | ", ", 12/27, ", "\u00ad", "\u200b", "：", "İ", "Σ ", "")
PROSE = tuple(text for text in (*MUST_KEEP, *MUST_MASK) if isinstance(text, str))
texts = st.lists(st.sampled_from((*NAMES, *VALUES, *BETWEEN, *PROSE)), max_size=24).map("".join)


@given(texts)
def test_words_beside_masks_are_those_of_the_whole_masked_text(text):
    looked = look_at(text)
    found = looked.claims()

    again, whole = looked.masked(found), look_at(replaced(text, found))

    masks = Masks(whole.text)
    outside = [hit for hit in whole.hits if not masks.hold_inside(hit.start)]
    assert [hit for hit in again.hits if not masks.hold_inside(hit.start)] == outside
    assert (again.text, again.small) == (whole.text, whole.small)
    assert again.claims() == whole.claims()


def test_word_that_a_mask_is_part_of_is_found_in_the_next_round():
    text = "card 4000 0000 0000 0002, 12/27, 000"

    assert redact(text).text == "card [secret: card number], 12/27, [secret: one-time code]"


def test_words_are_moved_by_as_much_as_the_masks_are_longer_or_shorter():
    looked = look_at("pin 4711, the password: hunter2fake and the pin 4712 of my token")

    masked = looked.masked(looked.claims())

    assert MASK in masked.text
    words = [masked.small[hit.start : hit.end] for hit in masked.hits]
    assert words.count("pin") == 2
    assert words[-1] == "token"


def test_secrets_without_owners_are_the_same_secrets():
    for text in PROSE:
        owned, bare = find_secrets(text), find_secrets(text, has_owners=False)
        assert [(each.kind, each.start, each.end, each.value) for each in owned] == [
            (each.kind, each.start, each.end, each.value) for each in bare
        ]


def written(pattern: str, alphabet: str) -> st.SearchStrategy[str]:
    return st.one_of(
        st.text(alphabet, max_size=40),
        st.from_regex(re.compile(pattern), alphabet=st.sampled_from(alphabet)),
    )


NUMBERS = st.lists(
    st.one_of(
        written(r"[0-9]{3}-[0-9]{2}-[0-9]{4}", "0123456789- "),
        written(r"[A-Z]{2}(?: ?[0-9]{2}){3} ?[A-D]", "ABCDGNKT0123456789 "),
        written(r"[3-6][0-9]{3}(?:[ -]?[0-9]{4}){3}", "0123456789- "),
        st.sampled_from(
            ("4000 0000 0000 0002", "４000000000000002", "110101199003070919", "\n", "x")
        ),
    ),
    max_size=5,
).map(" ".join)


@given(NUMBERS)
def test_no_number_is_passed_over_for_the_shape_of_its_text(text):
    small = folded(text)
    everywhere = [
        *((*each.span(), "identity number") for each in numbers._AMERICAN.finditer(text)),
        *((*each.span(), "identity number") for each in numbers._BRITISH.finditer(text)),
        *((*span, "card number") for span in numbers._cards(small)),
        *(
            (*each.span(), "identity number")
            for each in numbers._CHINESE_ID.finditer(small)
            if numbers.has_chinese_sum(each[0])
        ),
    ]

    assert numbers.scan(text, small) == everywhere


LOOKING_BACK = {
    "_HYPHEN": r"(?<=[A-Za-z0-9])-\s{1,3}(?=[A-Za-z0-9])",
    "_SPACE": r"(?<=[A-Za-z0-9])\s{1,3}(?=[^\s]{0,32}[0-9])(?=[^\s]{0,32}[A-Za-z])",
}


@given(st.text("aZ09- \n\t:=é", max_size=60), st.integers(0, 20), st.integers(0, 60))
def test_breaks_are_found_where_a_look_back_at_each_place_finds_them(text, start, end):
    for name, pattern in LOOKING_BACK.items():
        sooner = getattr(spread, name).finditer(text, start, end)
        everywhere = re.compile(pattern).finditer(text, start, end)
        assert [each.span() for each in sooner] == [each.span() for each in everywhere]


@given(st.text("ab1 :=.\n", max_size=60), st.integers(0, 20), st.integers(0, 60))
def test_no_letters_one_by_one_are_passed_over(text, start, end):
    if spread._ONE_BY_ONE.search(text, start, end):
        assert spread._SOME_ONE_BY_ONE.search(text, start, end)


@pytest.mark.parametrize("name", ["secret: ", "SECRET: ", "Secret:"])
@pytest.mark.parametrize("said", [*KINDS, "Pin", "nothing", ""])
def test_what_only_looks_like_a_mask_is_told_from_one(name, said):
    text = f"a [{name}{said}] b"
    is_real = any(f"[{name}{said}]".lower() == mask_of(kind).lower() for kind in KINDS)

    assert places_of_feigned_masks(text) == ([] if is_real else [(2, len(text) - 2)])


LISTED = "abandon ability able about above absent absorb abstract absurd abuse access accident acid"


@pytest.mark.parametrize("mark", [" ", ", ", "\n"])
@pytest.mark.parametrize("before", range(14))
def test_words_of_a_wallet_are_found_wherever_they_begin(before, mark):
    words = LISTED.split()[:12]
    random.Random(before).shuffle(words)

    text = "xylophone " * before + mark.join(words) + " xylophone" * (13 - before)

    assert [kind for *_, kind in phrases.scan(text, text)] == ["recovery phrase"]
