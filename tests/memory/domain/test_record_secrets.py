"""The fields of one record are read beside each other: a name in one, its value in another."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput
from memory.domain.record_secrets import masked_fact, masked_turn
from memory.domain.redaction import redact
from tests.secret_texts import MUST_KEEP, MUST_MASK

NAMES = (
    *("password", "Password:", "The wifi password", "wifi password?", "My new password is"),
    *("PIN", "Passwort vom Router", "WLAN-Passwort", "密码", "The password.", "api key", "验证码"),
    "What is the password for the guest wifi upstairs?",
)
VALUES = ("hunter2abc", "9FAKE482163fake", "it is hunter2abc", "= hunter2abc, since May", "482163")
NEEDS_DIGITS = {"PIN", "验证码"}
NEEDS_LENGTH = {"api key"}
LABELS = ("text", "why", "entity", "key", "tags")
HOLDERS = ("text", "why", "value")


def fits(name, value):
    if name in NEEDS_DIGITS:
        return value == "482163"
    if name in NEEDS_LENGTH:
        return value == "9FAKE482163fake"
    return value != "482163" or name not in NEEDS_LENGTH


def fields(**told):
    return {"text": "Something", **told}


@pytest.mark.parametrize(
    ("label", "holder"),
    [each for each in product(LABELS, HOLDERS) if each[0] != each[1]],
)
def test_value_in_one_field_is_masked_when_another_names_it(label, holder):
    for name, value in product(NAMES, VALUES):
        if not fits(name, value):
            continue
        told = fields(**{label: [name] if label == "tags" else name}, **{holder: value})

        safe = masked_fact(told)

        assert "[secret: " in safe.fields[holder], told
        assert "hunter2abc" not in str(safe.fields), told
        assert "482163" not in str(safe.fields), told
        assert [each for each in safe.secrets if each.value in value], told
        assert masked_fact(safe.fields) == (safe.fields, ()), told


@pytest.mark.parametrize("other", ["why", "value", "entity", "tags", "attributes"])
def test_what_one_field_tells_to_be_secret_is_masked_in_all(other):
    for text, secret in MUST_MASK:
        values = {each.value for each in masked_fact({"text": text}).secrets}
        longest = max(values, key=len)
        again = {
            "tags": [longest],
            "attributes": {"x-note": longest, "topics": [longest]},
        }.get(other, longest)

        safe = masked_fact({"text": text, other: again})

        assert len(longest) < 6 or longest not in str(safe.fields), text
        assert secret not in safe.fields["text"]


@pytest.mark.parametrize(
    "told",
    [
        {"text": "Kai forgot his password.", "why": "OPS-1234 is about it"},
        {"text": "Kai forgot his password.", "why": "Monday"},
        {"text": "The wifi password", "why": "Kai changed it on Monday"},
        {"text": "The wifi password", "entity": "router-2", "tags": ["home", "2024-q1"]},
        {"text": "The bakery password policy requires 12 characters", "value": "12 characters"},
        {"text": "GPT-4o costs 5 dollars", "tags": ["token", "api key"]},
        {"text": "OPS-1234 is done", "tags": ["password", "security"]},
        {"text": "The router has a new password", "key": "changed on", "value": "Monday"},
        {"text": "We use a password manager", "entity": "password manager", "value": "Bitwarden"},
        {"text": "Longhand2 is fast", "why": "It saves tokens", "key": "speed", "value": "fast7"},
        {"text": "The meeting", "key": "room", "value": "room2041", "why": "Kai has the key"},
        {"text": "The new wifi password", "attributes": {"generated_by": "gpt-4o", "x-run": 17}},
        {"text": "issue7abc is open", "tags": ["password"], "why": "islands9 asked"},
        {"text": "密码至少12位", "why": "安全要求", "key": "长度", "value": "12位"},
        {"text": "Das Passwort ist abgelaufen", "why": "Die Regel will es", "value": "abgelaufen"},
    ],
)  # fmt: skip
def test_harmless_fields_stay_as_they_are(told):
    assert masked_fact(told) == (told, ())


def test_harmless_text_stays_beside_a_harmless_reason():
    for text in MUST_KEEP:
        told = {"text": text, "why": "Kai said so on Monday", "tags": ["home"]}

        assert masked_fact(told) == (told, ())


def test_note_of_a_clients_own_is_masked_beside_a_label():
    draft = FactDraft(text="wifi password", attributes={"x-note": "hunter2abc", "x-n": ["a", "b"]})

    assert draft.cleaned().attributes == {"x-note": "[secret: password]", "x-n": ["a", "b"]}
    assert [each.value for each in draft.secrets()] == ["hunter2abc"]


def test_secret_in_an_attribute_is_told_with_the_others():
    draft = FactDraft(text="Something", attributes={"x-password": "hunter2abc"})

    assert draft.cleaned().attributes == {"x-password": "[secret: password]"}
    assert [each.value for each in draft.secrets()] == ["hunter2abc"]


def test_name_that_a_mask_makes_too_long_is_refused():
    draft = FactDraft(text="My pin is 123456", entity="e" * 190 + " 123456")

    with pytest.raises(InvalidInput) as refusal:
        draft.cleaned()

    assert refusal.value.field == "entity"


@pytest.mark.parametrize("speaker", ["Password", "PIN", "WLAN-Passwort", "密码"])
def test_line_that_seems_to_have_a_speaker_is_masked(speaker):
    safe = masked_turn("4821, write it down" if speaker == "PIN" else "hunter2abc", speaker)

    assert safe.text.startswith("[secret: ")
    assert safe.speaker == speaker
    assert len(safe.secrets) == 1


def test_person_of_such_a_name_may_speak():
    for speaker, text in [("Key", "Room2041 is free"), ("Pin", "2024 was a good year")]:
        assert masked_turn(text, speaker).text == text


def test_repr_of_a_secret_tells_no_value():
    (secret,) = masked_fact({"text": "wifi password", "why": "hunter2abc"}).secrets

    assert (secret.kind, secret.service) == ("password", "wifi")
    assert "hunter2abc" not in repr(secret)


PIECES = (
    "password",
    "hunter2abc",
    ": ",
    "[secret: password]",
    "pin",
    "4821",
    " is my ",
    "a",
    "密码",
)


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), min_size=4, max_size=4))
def test_reading_twice_masks_nothing_more_and_leaves_no_secret(told):
    text, why, key, value = told
    once = masked_fact({"text": text, "why": why, "key": key, "value": value}).fields

    assert masked_fact(once).fields == once
    assert all(redact(each).text == each for each in once.values())
