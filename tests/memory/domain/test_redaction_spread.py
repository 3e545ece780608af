"""Secrets whose letters do not stand together, and what only looks like one in pieces."""

from itertools import product

import pytest

from memory.domain.record_secrets import masked_turn
from memory.domain.redaction import find_secrets, redact
from tests.secret_texts import MUST_KEEP, PROSE

UNSEEN = ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u202e", "\u200b\u200b"]
# How a value of two halves is broken where it stands.
BREAKS = {
    "hyphen and space": "- ",
    "hyphen and line": "-\n",
    "hyphen and indented line": "-\n  ",
    "line": "\n",
    "space": " ",
    "two spaces": "  ",
}
NAMED = [
    "my password is {}",
    "The wifi password is {}, tell nobody",
    "pw: {}",
    "Das Passwort für den Router lautet {}.",
    "my password for the old laptop is {}\nbye",
]
HALVES = [("hun", "ter2abc"), ("Blue", "goose42"), ("kai", "7Gans9")]


# Hundreds of short texts: one test for each kind of break, which lists every text that fails.
@pytest.mark.parametrize("broken", BREAKS)
def test_value_in_two_halves_is_masked_whole(broken):
    wrong = []
    for named, halves in product(NAMED, HALVES):
        text = named.format(BREAKS[broken].join(halves))
        before, after = named.split("{}")
        masked = f"{before}[secret: password]{after}"
        safe = redact(text)
        if (safe.text, safe.found, redact(safe.text).text) != (masked, ("password",), masked):
            wrong.append((text, safe))

    assert wrong == []


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
def test_what_nobody_sees_hides_no_secret(unseen):
    wrong = []
    for text, secret in PROSE:
        half = len(secret) // 2
        for broken in (
            text.replace(secret, secret[:half] + unseen + secret[half:]),
            text.replace("ass", f"a{unseen}ss").replace("码", f"{unseen}码"),
            text.replace(" ", f"{unseen} "),
        ):
            safe = redact(broken).text
            tells = secret in safe.replace(unseen, "") or "[secret: " not in safe
            if tells or redact(safe).text != safe:
                wrong.append((broken, safe))

    assert wrong == []


@pytest.mark.parametrize("value", ["h u n t e r 2", "B 7 x 9 Q 4", "1 a 2 b 3 c 4 d"])
def test_letters_one_by_one_are_masked(value):
    assert redact(f"my password is {value}").text == "my password is [secret: password]"


KEY = "sk-proj-FAKEfake0123FAKE"


@pytest.mark.parametrize("end", ["\n", "\n  ", "\nbye"])
@pytest.mark.parametrize("rest", ["ijkl5678mnop9012", "Fa0Ke1Fa2Ke3"])
def test_key_that_the_end_of_a_line_has_broken_is_masked_on_both_lines(rest, end):
    safe = redact(f"api key: {KEY}\n{rest}{end}").text

    assert KEY not in safe
    assert rest not in safe
    assert safe.endswith(end)


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        (
            "The first half of my password is hunter2, the second half is 42abc",
            ("hunter2", "42abc"),
        ),
        ("My password: first half is Blue7, second half is Goose9", ("Blue7", "Goose9")),
        ("PIN: the first part is 48, the last part is 21", ("48", "21")),
        ("我的密码，前半是abc12，后半是xyz89", ("abc12", "xyz89")),
        (
            "Mein Passwort: die erste Hälfte ist kai7, die zweite Hälfte ist 9Gans",
            ("kai7", "9Gans"),
        ),
    ],
)
def test_halves_that_are_told_as_such_are_masked(text, halves):
    safe = redact(text).text

    assert not any(half in safe for half in halves)
    assert redact(safe).text == safe


PLAIN = [
    "The password is new\nRoom12 is free on Monday",
    "Passwords are long- and short-lived\nsee RFC2119",
    "The password field is below\nStep2 opens it",
    "The key is on- site, floor2",
    "my password is written on\nA4 paper2go",
    "The password is wrong 3 times",
    "The password must have at least 8 characters",
    "The first half is 45 minutes",
    "I forgot my password. The first half is boring.",
    "The first half of 2026 was quiet",
    "I forgot my password. The game, first half: 3-2, second half: 4:1",
    "My password works. The first half of the book is 120 pages",
    "I told mom my PIN. The last part is 30 min long, the first part is 4mm thick",
    "Das Passwort kenne ich. Erste Hälfte: 2:1, zweite Hälfte: 3:0",
    "我忘了密码。前半是3-2，后半是4-1",
    "The wifi is in Room 12",
    "The password is for room12b",
    "👩\u200d👩\u200d👧 is a family, and the password is long",
    "می\u200cخواهم",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_in_pieces_stays(text):
    assert redact(text).text == text


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad"], ids=ascii)
def test_what_must_stay_stays_with_something_unseen_in_it(unseen):
    broken = [f"{text}\nThe ar{unseen}bor" for text in MUST_KEEP]

    assert [text for text in broken if redact(text).text != text] == []


def test_place_of_a_broken_value_is_that_in_the_text_as_it_was_given():
    text = "Kai says my password is hun-\n ter2, and that is all"

    (found,) = find_secrets(text)

    assert (found.value, text[found.start : found.end]) == ("hun-\n ter2", "hun-\n ter2")


def test_speaker_and_words_are_masked_where_the_unseen_breaks_the_name():
    safe = masked_turn("hunter2abc", "pass\u200bword")

    assert safe.text == "[secret: password]"


def test_long_text_of_breaks_takes_time_in_proportion():
    import time

    def seconds(times):
        text = "the password is - 7 a b c d e f \u200bx\n" * times
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    once = min(seconds(250) for _ in range(3))
    assert seconds(2_000) < 8 * once * 3 + 0.1
