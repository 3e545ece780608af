"""A draft is clean, masked and bounded before it has a row."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.domain.capture import FactDraft, draft_of, require_kind, require_no_secret
from memory.domain.errors import InvalidInput
from memory.domain.fields import Kind
from memory.domain.perceptor import perceive

API_KEY = "sk-proj-abcdefghijklmnop1234567890"
SAID_AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
WEST = timezone(-timedelta(hours=8))


@pytest.mark.parametrize("kind", [*Kind, "x-recipe", "x-family-recipe"])
def test_known_kinds_and_small_letters_after_x_are_accepted(kind):
    assert FactDraft(text="Something", kind=kind).cleaned().kind == kind


@pytest.mark.parametrize(
    "kind",
    [
        "thing",
        "",
        "x-",
        "x-Recipe",
        "x-recipe-",
        "x-recipe2",
        "x-ghp_abcdefghijklmnopqrstuvwx1234",
        f"x-{API_KEY}",
        "x-" + "a" * 31,
        "x-recipe\n",
    ],
)
def test_kind_that_is_no_word_of_small_letters_is_refused_with_the_kinds_named(kind):
    with pytest.raises(InvalidInput, match="reflex") as refusal:
        require_kind(kind)

    assert refusal.value.field == "kind"


@pytest.mark.parametrize(
    ("entity", "key", "kept"),
    [
        ("wifi password", "", "[secret: password]"),
        ("wifi password", "current", "[secret: password]"),
        ("password", "for the wifi", "[secret: password]"),
        ("kettle", "model", "hunter2abc9"),
    ],
)
def test_value_is_masked_when_its_entity_makes_it_a_secret(entity, key, kept):
    draft = FactDraft(text="Something", entity=entity, key=key, value="hunter2abc9").cleaned()

    assert (draft.entity, draft.key, draft.value) == (entity, key, kept)


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("password", "hunter2abc9", "[secret: password]"),
        ("wifi password", "hunter2abc9", "[secret: password]"),
        ("rent", "hunter2abc9", "hunter2abc9"),
        ("note: password", "hunter2abc9", "[secret: password]"),
        (API_KEY, "the old one", "the old one"),
        (API_KEY, API_KEY, "[secret: API key]"),
        ("pw=abcd1", "plain", "plain"),
        ("", "a: b", "a: b"),
    ],
)
def test_value_is_masked_when_its_key_makes_it_a_secret_and_only_then(key, value, kept):
    draft = FactDraft(text="Something", key=key, value=value).cleaned()

    assert draft.value == kept
    assert API_KEY not in draft.key


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entity", "e" * 190 + " pin=1234"),
        ("key", "k" * 190 + " pin=1234"),
        ("value", "v" * 3_985 + " pin=1234"),
        ("why", "w" * 3_985 + " pin=1234"),
        ("tags", ("t" * 50 + " pin=123456",)),
    ],
)
def test_value_that_is_too_long_once_it_is_masked_is_refused_with_its_field(field, value):
    draft = FactDraft(text="Something", **{field: value})

    with pytest.raises(InvalidInput) as refusal:
        draft.cleaned()

    assert refusal.value.field == field


@pytest.mark.parametrize(
    "field", ["source_date", "valid_from", "valid_until", "expires_at", "freeze_until"]
)
def test_date_is_kept_in_utc_and_one_that_no_row_holds_is_refused(field):
    at = datetime(2026, 3, 1, 20, tzinfo=WEST)
    too_late = FactDraft(text="Something", **{field: datetime.max.replace(tzinfo=UTC)})

    draft = FactDraft(text="Something", **{field: at}).cleaned()

    assert getattr(draft, field) == at
    assert getattr(draft, field).tzinfo is UTC
    with pytest.raises(InvalidInput) as refusal:
        too_late.cleaned()
    assert refusal.value.field == field


@pytest.mark.parametrize(
    "text",
    [
        "My visa is valid until 9999-12-31.",
        "My appointment is on 9999-12-31.",
        "[9999-12-31] I live in Leeds.",
        "I live in Leeds since 0001-01-01.",
    ],
)
def test_draft_of_a_sentence_leaves_out_a_date_that_no_row_holds(text):
    said_at = SAID_AT.astimezone(WEST)
    (record,) = perceive(text, "user", said_at).records

    draft = draft_of(record, said_at=said_at).cleaned()

    assert draft.source_date == said_at
    assert draft.valid_from is draft.expires_at is draft.freeze_until is None


def test_draft_of_a_sentence_keeps_the_date_that_it_states():
    (record,) = perceive("[2026-01-15] I live in Leeds.", "user", SAID_AT).records

    assert draft_of(record, said_at=SAID_AT).source_date == datetime(2026, 1, 15, tzinfo=UTC)


def test_clients_key_is_refused_when_it_holds_a_secret_and_the_secret_is_not_repeated():
    require_no_secret("standup-2026-03-01", field="key")

    with pytest.raises(InvalidInput, match="key holds a secret") as refusal:
        require_no_secret(f"run {API_KEY}", field="key")

    assert refusal.value.field == "key"
    assert API_KEY not in str(refusal.value)
