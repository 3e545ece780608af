"""What the rules were unsure of is decided soon, once, as its owner, and is said on the turn."""

from dataclasses import replace
from datetime import datetime, timedelta
from datetime import timezone as fixed_zone
from types import SimpleNamespace

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ

from memory import tasks
from memory.domain.classifier.decision import too_little
from memory.domain.errors import Permanent
from memory.domain.fields import Kind, Status
from memory.domain.perceptor import Doubt, Perception, perceive
from memory.models import (
    Fact,
    FactHistory,
    FactUsage,
    JobRun,
    Principal,
    Scope,
    Turn,
    across_owners,
    acting_as,
)
from memory.services import classifying, deciding, turns
from memory.services.classifying import classify_waiting
from memory.services.doubts import MOST_ATTEMPTS, SETTLES_IN, UNDECIDED, queue_doubtful
from memory.services.facts import correct_fact, forget_fact
from memory.services.turns import TurnDraft, conversation_for, record_turns
from tests.fixtures import add_turn, agent_of

TEXT = "I moved to Leeds last spring."
OTHER = "Ana brought the ladder back."
CLASSIFY = "memory.tasks.classify_scope"
EVERYTHING = "memory.tasks.classify_everything"


def weak(text, **changes):
    """A record that rests on weak clues alone."""
    [record] = perceive(TEXT).records
    plain = replace(record, text=text, end=len(text), signals=(), kind_confidence=0.4)
    return replace(plain, entity="", key="", value="", critical=False, **changes)


def doubt(text, keep=0.3):
    record = weak(text)
    return Doubt(text, 0, len(text), keep, (), "only weak clues", record)


def kept(*records):
    return Perception((), records, None)


def left(*doubts):
    return Perception((), (), "nothing in it looked worth keeping", doubts)


@pytest.fixture
def says(monkeypatch):
    """What the rules and the classifier say of each text, as the test writes it."""
    answers = {}

    def rules(text, *_):
        return answers[text][0]

    def whole(text, *_):
        answer = answers[text][1]
        if isinstance(answer, Exception):
            raise answer
        return answer() if callable(answer) else answer

    monkeypatch.setattr(turns, "perceive", rules)
    monkeypatch.setattr(classifying, "perceive", rules)
    monkeypatch.setattr(classifying, "decide", whole)
    monkeypatch.setattr(classifying, "decide_by_words", whole)
    return lambda text, before, after: answers.update({text: (before, after)})


def bells(task):
    return [row.args() for row in OrmQ.objects.all() if row.func() == task]


def the_turn():
    with across_owners():
        return Turn.objects.with_parts().get()


def test_turn_in_doubt_is_marked_and_rung_for(alice, says):
    says(TEXT, left(doubt(TEXT)), left())

    turn = add_turn(alice, TEXT)

    assert turn.in_doubt
    assert [(each["text"], each["keep"], each["outcome"]) for each in turn.doubts] == [
        (TEXT, None, "waits")
    ]
    assert bells(CLASSIFY) == [(str(turn.scope_id),)]


def test_turn_that_the_rules_are_sure_of_is_not_in_doubt(alice, says):
    says(TEXT, kept(replace(weak(TEXT), kind_confidence=0.9, critical=True)), None)

    turn = add_turn(alice, TEXT)

    assert (turn.in_doubt, turn.doubts, bells(CLASSIFY)) == (False, [], [])


def test_doubt_above_the_threshold_becomes_a_memory_of_its_turn(alice, says):
    says(TEXT, left(doubt(TEXT)), kept(weak(TEXT, kind=Kind.EVENT)))
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    run = JobRun.objects.get()
    assert (run.kind, run.outcome, run.owner) == ("classify", "done", alice)
    assert run.counts == {"turns": 1, "kept": 1, "filed": 0, "dropped": 0}
    with acting_as(Principal(alice)):
        fact, turn = Fact.objects.get(), Turn.objects.get()
        assert (fact.text, fact.kind, fact.turn_id) == (TEXT, "event", turn.pk)
        assert turn.captured == [{"fact": str(fact.pk), "duplicate": False}]
        assert (turn.in_doubt, turn.skipped, turn.claim_token) == (False, "", None)
        assert [each["outcome"] for each in turn.doubts] == ["kept"]
        history = FactHistory.objects.latest_first().first()
        assert history.pgh_context.metadata["actor"] == alice.email
    assert bells("memory.tasks.embed_scope")[-1] == (str(fact.scope_id),)


def test_doubt_below_the_threshold_stays_a_turn_with_the_reason(alice, says):
    says(TEXT, left(doubt(TEXT)), left(doubt(TEXT, keep=0.34)))
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    turn = the_turn()
    [only] = turn.doubts
    assert (only["keep"], only["confidence"]) == (0.34, 0.3)
    assert only["outcome"] == f"{too_little(0.34)}; stays a turn"
    assert (turn.in_doubt, turn.captured) == (False, [])
    assert turn.skipped
    with across_owners():
        assert not Fact.objects.exists()


def test_kind_and_importance_of_an_untouched_memory_follow_the_classifier(alice, says):
    after = weak(TEXT, kind=Kind.PLAN, importance=9, category="other")
    says(TEXT, kept(weak(TEXT)), kept(after))
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    with acting_as(Principal(alice)):
        fact = Fact.objects.get()
        assert (fact.kind, fact.importance, fact.category) == ("plan", 9, "other")
        assert fact.importance_source == "perceptor"
        latest = FactHistory.objects.latest_first().first()
        assert latest.pgh_context.metadata["action"] == "classified"
    assert JobRun.objects.get().counts["filed"] == 1


TOUCHES = {
    "importance": {"importance": 2},
    "kind": {"kind": "rule"},
    "pinned": {"pinned": True},
    "lifetime": {"decay_class": "permanent"},
    "why": {"why": "Asked for at the move."},
    "tags": {"tags": ["moving"]},
    "category": {"category": "entity"},
    "entity": {"entity": "Tamsin"},
    "belief": {"confidence": 0.93},
    "attributes": {"attributes": {"x-street": "Mill Lane"}},
}


@pytest.mark.parametrize("touch", TOUCHES)
def test_memory_that_a_person_touched_is_left_as_it_is(alice, says, touch):
    dropped = left(doubt(TEXT, keep=0.02))
    for after in (kept(weak(TEXT, kind=Kind.PLAN, importance=9)), dropped):
        says(TEXT, kept(weak(TEXT, decay_class="short")), after)
        turn = add_turn(alice, TEXT)
        with acting_as(Principal(alice)) as principal:
            fact = Fact.objects.active().get()
            correct_fact(principal=principal, fact_id=fact.pk, changes=TOUCHES[touch])
            before = Fact.objects.values("kind", "importance", "decay_class", "status").get()

        tasks.classify_scope(str(turn.scope_id))

        with across_owners():
            assert (
                Fact.objects.values("kind", "importance", "decay_class", "status").get() == before
            )


def test_memory_from_weak_clues_falls_with_the_reason(alice, says):
    says(TEXT, kept(weak(TEXT)), left(doubt(TEXT, keep=0.03)))
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    turn = the_turn()
    assert turn.captured == []
    assert [(each["keep"], each["outcome"]) for each in turn.doubts] == [
        (0.03, f"{too_little(0.03)}; stays a turn")
    ]
    with across_owners():
        fact = Fact.objects.get()
        assert (fact.status, fact.status_reason) == (
            Status.ARCHIVED, "withdrawn by the classifier: only weak clues",
        )  # fmt: skip
    assert JobRun.objects.get().counts["dropped"] == 1


def test_memory_that_was_said_again_does_not_fall(alice, says):
    says(TEXT, kept(weak(TEXT)), left(doubt(TEXT, keep=0.03)))
    add_turn(alice, TEXT)
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    with across_owners():
        assert Fact.objects.get().status == Status.ACTIVE


def test_memory_that_was_forgotten_meanwhile_stays_forgotten(alice, says):
    says(TEXT, kept(weak(TEXT)), kept(weak(TEXT, importance=9)))
    turn = add_turn(alice, TEXT)
    with acting_as(Principal(alice)) as principal:
        forget_fact(principal=principal, fact_id=Fact.objects.get().pk)

    tasks.classify_scope(str(turn.scope_id))

    with across_owners():
        fact = Fact.objects.get()
        assert (fact.status, fact.status_reason) == (Status.ARCHIVED, "by its owner")


def test_what_is_kept_twice_counts_as_said_again(alice, says):
    says(OTHER, kept(weak(OTHER)), kept(weak(OTHER)))
    add_turn(alice, OTHER)
    says(TEXT, left(doubt(TEXT)), kept(weak(OTHER)))
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    with across_owners():
        assert FactUsage.objects.get().repeat_count == 1
        assert Turn.objects.get(pk=turn.pk).captured[0]["duplicate"]


def test_deciding_twice_changes_nothing(alice, says):
    says(TEXT, left(doubt(TEXT)), kept(weak(TEXT)))
    turn = add_turn(alice, TEXT)
    tasks.classify_scope(str(turn.scope_id))
    before = the_turn()

    tasks.classify_scope(str(turn.scope_id))
    tasks.classify_everything()

    outcomes = list(JobRun.objects.order_by("pk").values_list("outcome", flat=True))
    assert outcomes == ["done", "nothing to do"]
    after = the_turn()
    assert (after.captured, after.doubts) == (before.captured, before.doubts)
    with across_owners():
        assert Fact.objects.count() == 1


def test_worker_that_comes_back_late_writes_nothing(alice, says):
    turn = None

    def slow():
        with across_owners(), time_machine.travel(timezone.now() + timedelta(hours=1)):
            says(TEXT, left(doubt(TEXT)), left(doubt(TEXT, keep=0.1)))
            classify_waiting()
        return kept(weak(TEXT))

    says(TEXT, left(doubt(TEXT)), slow)
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    assert [each["keep"] for each in the_turn().doubts] == [0.1]
    with across_owners():
        assert not Fact.objects.exists()


def test_turn_that_is_deleted_meanwhile_gives_nothing(alice, says):
    def deleted():
        with across_owners():
            Turn.objects.all().delete()
        return kept(weak(TEXT))

    says(TEXT, left(doubt(TEXT)), deleted)
    turn = add_turn(alice, TEXT)

    tasks.classify_scope(str(turn.scope_id))

    assert JobRun.objects.get().outcome == "nothing to do"
    with across_owners():
        assert not Fact.objects.exists()


def test_turn_whose_worker_died_is_decided_when_the_claim_has_run_out(alice, says, settings):
    says(TEXT, left(doubt(TEXT)), kept(weak(TEXT)))
    turn = add_turn(alice, TEXT)
    with across_owners():
        assert classifying._claim()[0].pk == turn.pk  # and then kill -9

        assert classify_waiting()["turns"] == 0
        late = timezone.now() + timedelta(seconds=settings.LONGHAND_LEASE_SECONDS + 1)
        with time_machine.travel(late):
            assert classify_waiting()["turns"] == 1

    assert the_turn().captured != []


def test_turn_that_breaks_the_job_does_not_hold_up_the_others_and_ends(alice, says, settings):
    says(TEXT, left(doubt(TEXT)), ValueError("no such weight"))
    says(OTHER, left(doubt(OTHER)), kept(weak(OTHER)))
    broken = add_turn(alice, TEXT)
    now = timezone.now()
    tasks.classify_scope(str(broken.scope_id))
    other = add_turn(alice, OTHER)

    for attempt in range(1, MOST_ATTEMPTS + 2):
        late = now + attempt * timedelta(seconds=settings.LONGHAND_LEASE_SECONDS + 1)
        with time_machine.travel(late):
            tasks.classify_everything()

    with across_owners():
        assert Turn.objects.get(pk=other.pk).captured != []
        broken = Turn.objects.get(pk=broken.pk)
        assert (broken.in_doubt, broken.attempts) == (False, MOST_ATTEMPTS)
        assert [each["outcome"] for each in broken.doubts] == [UNDECIDED]


def test_turn_of_an_agent_is_decided_as_that_agent(alice, says):
    says(TEXT, left(doubt(TEXT)), kept(weak(TEXT)))
    quill = agent_of(alice, "quill")
    turn = add_turn(alice, TEXT, agent=quill, scope=Scope.objects.for_agent(quill))

    tasks.classify_scope(str(turn.scope_id))

    with across_owners():
        assert Fact.objects.get().scope_id == turn.scope_id
        actor = FactHistory.objects.latest_first().first().pgh_context.metadata["actor"]
    assert actor == "quill"


@pytest.mark.parametrize("hours", [-8, 0, 5.75, 14])
def test_turn_is_read_by_the_clock_of_whoever_said_it(alice, monkeypatch, hours):
    said_at = datetime(2026, 11, 20, 23, 30, tzinfo=fixed_zone(timedelta(hours=hours)))
    read = []

    def reads(text, role, observed_at):
        read.append((observed_at, observed_at.utcoffset()))
        return left(doubt(text))

    for module, name in ((turns, "perceive"), (classifying, "perceive"), (classifying, "decide")):
        monkeypatch.setattr(module, name, reads)
    with acting_as(Principal(alice)) as principal:
        draft = TurnDraft(text=TEXT, role="user", observed_at=said_at)
        place = conversation_for(principal, "talk"), Scope.objects.for_user(alice)
        record_turns(principal=principal, turns=[(*place, draft)])

        classify_waiting()

    assert read == [(said_at, said_at.utcoffset())] * 3


def test_nothing_of_another_owner_is_decided_in_a_scope(alice, bob, says):
    says(TEXT, left(doubt(TEXT)), kept(weak(TEXT)))
    mine, theirs = add_turn(alice, TEXT), add_turn(bob, TEXT)

    tasks.classify_scope(str(mine.scope_id))

    with across_owners():
        assert Turn.objects.in_doubt().get().pk == theirs.pk
        assert Fact.objects.get().scope_id == mine.scope_id


def test_turn_that_was_read_again_is_in_doubt_too(alice, says, monkeypatch):
    says(TEXT, left(doubt(TEXT)), left(doubt(TEXT)))
    real, failures = turns.perceive, [ValueError("no rule for this")]

    def perceive_or_fail(*given):
        if failures:
            raise failures.pop()
        return real(*given)

    monkeypatch.setattr(turns, "perceive", perceive_or_fail)
    turn = add_turn(alice, TEXT)
    assert not turn.in_doubt

    tasks.capture_again()

    assert the_turn().in_doubt
    assert bells(CLASSIFY) == [(str(turn.scope_id),)]


@pytest.mark.parametrize(("later", "rings"), [(SETTLES_IN / 2, 0), (SETTLES_IN * 2, 1)])
def test_lost_bell_is_rung_again_once(alice, says, later, rings):
    says(TEXT, left(doubt(TEXT)), left())
    add_turn(alice, TEXT)

    with time_machine.travel(timezone.now() + later):
        queue_doubtful()
        queue_doubtful()

    assert len(bells(EVERYTHING)) == rings


def test_embedder_that_is_down_leaves_the_words_to_decide(monkeypatch):
    def no_embedder():
        raise Permanent("It cannot be loaded.")

    monkeypatch.setattr(deciding, "reader", no_embedder)

    assert deciding.decide(TEXT) == deciding.decide_by_words(TEXT)


def test_embedder_that_breaks_half_way_leaves_the_words_to_decide(monkeypatch):
    def embed(_):
        raise Permanent("It gave no answer.")

    broken = SimpleNamespace(name=deciding.reader().name, embed_passages=embed)
    monkeypatch.setattr(deciding, "reader", lambda: broken)
    text = "so Ana brought the ladder back, finally, and the cat was under it"

    assert deciding.decide(text) == deciding.decide_by_words(text)
