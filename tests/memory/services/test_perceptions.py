"""What a message would do to what is remembered, told without doing it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.domain.errors import InvalidInput, Permanent
from memory.domain.fields import Source
from memory.domain.perceptor import Perception
from memory.models import Fact, Principal, User, acting_as
from memory.services import perceptions
from memory.services.perceptions import Examined, Outcome, examine
from tests.fixtures import add_turn, remember
from tests.furnished import every_row

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 19, 10, 42, tzinfo=UTC)


def examined(user: User, text: str, **given: object) -> Examined:
    principal = Principal(user)
    with acting_as(principal):
        return examine(text, principal=principal, **given)  # type: ignore[arg-type]  # as given


def only_outcome(user: User, text: str, **given: object) -> Outcome:
    (outcome,) = examined(user, text, **given).outcomes
    return outcome


def test_new_statement_does_nothing_to_others(alice: User) -> None:
    outcome = only_outcome(alice, "I live in Leeds.")

    assert (outcome.known, outcome.newer) == (None, None)
    assert not outcome.replaces
    assert not outcome.disputes


def test_another_value_would_replace_the_older_one_and_does_not(alice: User) -> None:
    old = add_turn(alice, "I live in Leeds.").captured[0]["fact"]
    before = every_row()

    outcome = only_outcome(alice, "I live in York now.")

    assert [str(fact.pk) for fact in outcome.replaces] == [old]
    assert every_row() == before


def test_same_statement_is_known(alice: User) -> None:
    old = add_turn(alice, "I live in Leeds.").captured[0]["fact"]

    assert str(only_outcome(alice, "i live in leeds").known.pk) == old  # type: ignore[union-attr]


def test_statement_of_an_earlier_day_loses_to_what_was_said_later(alice: User) -> None:
    later = add_turn(alice, "I live in Leeds.").captured[0]["fact"]

    outcome = only_outcome(alice, "I live in York.", observed_at=NOW - timedelta(days=400))

    assert outcome.newer is not None
    assert str(outcome.newer.pk) == later
    assert not outcome.replaces


def test_what_a_person_wrote_is_disputed_and_not_replaced(alice: User) -> None:
    captured = only_outcome(alice, "I live in York now.").draft
    words: dict[str, Any] = {"entity": captured.entity, "key": captured.key, "value": "Leeds"}
    own = remember(alice, "My home is in Leeds.", source=Source.PERSON, **words)

    outcome = only_outcome(alice, "I live in York now.")

    assert [fact.pk for fact in outcome.disputes] == [own.pk]
    assert outcome.note
    assert not outcome.replaces


def test_memories_of_others_are_left_out(alice: User, bob: User) -> None:
    add_turn(bob, "I live in Leeds.")

    for text in ("I live in Leeds.", "I live in York now."):
        outcome = only_outcome(alice, text)
        assert (outcome.known, list(outcome.replaces)) == (None, [])


def test_turn_that_was_kept_is_known_by_its_own_memory(alice: User) -> None:
    turn = add_turn(alice, "I live in Leeds.")

    outcome = only_outcome(alice, turn.text, observed_at=turn.observed_at, turn=turn)

    with acting_as(Principal(alice)):
        assert outcome.known == Fact.objects.get()


@pytest.mark.parametrize(
    ("text", "given", "field"),
    [
        (" ", {}, "text"),
        ("x" * 100_001, {}, "text"),
        ("I live in Leeds.", {"role": "robot"}, "role"),
        ("I live in Leeds.", {"observed_at": datetime(9999, 1, 1, tzinfo=UTC)}, "observed_at"),
        ("I live in Leeds.", {"observed_at": datetime(2026, 1, 1)}, "observed_at"),  # noqa: DTZ001 - meant
    ],
)
def test_what_no_turn_may_have_is_refused(
    alice: User, text: str, given: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        examined(alice, text, **given)

    assert refused.value.field == field


@pytest.mark.parametrize("role", ["system", "tool"])
def test_secret_that_no_person_says_never_goes_into_the_vault(alice: User, role: str) -> None:
    text = "My api key is sk-proj-abcdefghijklmnop1234567890"

    assert examined(alice, text, role=role).to_vault == ()


def test_rules_decide_alone_and_say_why_where_the_classifier_cannot(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(*_given: object) -> Perception:
        raise Permanent("The classifier's file is missing. Restore it.")

    monkeypatch.setattr(perceptions, "decide", decide)

    answer = examined(alice, "I live in Leeds.")

    assert answer.notice == (
        "The rules decided alone. The classifier's file is missing. Restore it."
    )
    assert [each.record.text for each in answer.outcomes] == ["I live in Leeds."]


WORDED = (
    "{}",
    "I live in {} and my sister {} likes {}.",
    "Remember: never call {} before {}.",
    "No, not {} but {}!",
    "我住在{}，请记住{}。",
    "Whenever I say {}, answer {}.",
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(WORDED), st.text(min_size=1, max_size=300))
def test_whatever_is_said_is_examined_or_refused_as_blank(
    alice: User, wording: str, words: str
) -> None:
    text = wording.replace("{}", words)

    try:
        answer = examined(alice, text)
    except InvalidInput as error:
        assert error.field == "text"
    else:
        assert answer.outcomes or answer.perception.skipped
