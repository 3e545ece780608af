"""What a new memory does to those that are kept: found in a query or two, decided by pure rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory.db.alike import alike, two_of
from memory.db.locks import lock_until_commit
from memory.domain.attributes import BELIEVED
from memory.domain.capture import FactDraft
from memory.domain.conflicts import (
    MOST_IN_DISPUTE,
    Candidate,
    Claim,
    Correction,
    Found,
    Kept,
    about,
    contradicts,
    corrected,
    holds_many,
    settle,
    subject_of,
)
from memory.domain.fields import MAX_FACT_CHARACTERS, Source, Status
from memory.domain.text import content_hash
from memory.domain.wording import Wording, folded, is_segmented, wording_of
from memory.models import Embedding, Fact, Scope, Turn, with_edited_at
from memory.models.facts import FactQuerySet
from memory.services.disputes import is_persons, settle_disputes, with_room

COEXISTS = "allow_coexistence"
RETIRED = ["status", "status_reason", "superseded_at", "superseded_by", "valid_until"]
MOST_CANDIDATES = 20
MOST_UNINDEXED = 100
MOST_WORDS = 4
REPLACED = "replaced by a newer memory"
LATE = "a newer memory was there when it arrived"
CORRECTS_NOTHING = "It corrects something that is not remembered."
DISPUTES_A_PERSONS = "It contradicts what a person has said; both are kept, marked for review."


@dataclass(slots=True)
class Verdict:
    """What becomes of a draft: as what it is stored, if at all, and what it does to others."""

    draft: FactDraft
    reinforces: Fact | None = None
    supersedes: Sequence[Fact] = ()
    loses_to: Fact | None = None
    disputes: Sequence[Fact] = ()
    note: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether it does anything to another memory."""
        return bool(self.reinforces or self.supersedes or self.loses_to or self.disputes)


def lock_claims(scope_id: UUID) -> None:
    """Let nobody else capture or replace memories of this scope until the transaction ends."""
    lock_until_commit(f"capture:{scope_id}")


def is_claim(draft: FactDraft) -> bool:
    """Whether the draft gives a value to a named property of something."""
    return bool(draft.entity and draft.key and draft.value)


def in_own_words(scope: Scope, draft: FactDraft) -> FactDraft:
    """The draft, with what it is about in its text where the same words claim something else.

    The same words are one memory of a scope; another claim would be lost in it.
    """
    twins = Fact.objects.twins_of(scope_id=scope.pk, content_hash=content_hash(draft.text))
    twin = twins.values_list("entity", "key", "value").first() if is_claim(draft) else None
    if twin is None or not all(twin) or _is_of(twin[0], twin[1], draft):
        return draft
    text = f"{draft.text} ({draft.entity}: {draft.key})"
    return replace(draft, text=text) if len(text) <= MAX_FACT_CHARACTERS else draft


def _is_of(entity: str, key: str, draft: FactDraft) -> bool:
    return folded(entity) == folded(draft.entity) and folded(key) == folded(draft.key)


def judge(
    scope: Scope,
    draft: FactDraft,
    *,
    turn: Turn | None,
    correction: Correction | None,
    replaced: Fact | None,
) -> Verdict:
    """What the draft does to the active memories of its scope, at most three queries later.

    Those that it changes are locked. `replaced` is one that the caller replaces anyway.
    """
    if is_claim(draft):
        verdict = _judge_claim(scope, draft, correction, replaced)
        # "Likes" and "dislikes" hold many values each, and only the words tell that two differ.
        if verdict.is_settled or (correction is None and not holds_many(draft.key)):
            return verdict
    if correction:
        return _judge_correction(scope, draft, turn, correction)
    return Verdict(draft) if replaced else _judge_words(scope, draft)


def supersede(old: Sequence[Fact], new: Fact) -> None:
    """Take these memories out of use for a newer one, each true until that one began."""
    for fact in old:
        retire(fact, new)
        fact.save(update_fields=RETIRED)
        settle_disputes(fact)
    Embedding.objects.filter(fact__in=[fact.pk for fact in old]).update(is_searchable=False)


def retire(fact: Fact, new: Fact, reason: str = REPLACED) -> None:
    """Mark a memory as replaced by a newer one, without saving it."""
    began = _began(new)
    fact.status, fact.status_reason = Status.SUPERSEDED, reason
    fact.superseded_at, fact.superseded_by = timezone.now(), new
    if fact.valid_until is None and (fact.valid_from is None or fact.valid_from <= began):
        fact.valid_until = began


def revive(fact: Fact) -> None:
    """Mark a memory as in use again, without saving it."""
    new = fact.superseded_by
    if new is not None and fact.valid_until == _began(new):
        fact.valid_until = None
    fact.status, fact.status_reason = Status.ACTIVE, ""
    fact.superseded_at = fact.superseded_by = None


def rivals_of(fact: Fact) -> list[Fact]:
    """Other active memories that give another value to the same single property, locked."""
    is_claim = fact.entity and fact.key and fact.value
    if not is_claim or not fact.is_active or fact.is_passage or holds_many(fact.key):
        return []
    kept = _claims(fact.scope_id, fact.entity, fact.key)
    now = timezone.now()
    claim = Claim(fact.value, now, may_coexist=may_coexist(fact.attributes))
    others = [said_of(each, now) for each in kept if each.pk != fact.pk]
    decided = settle(claim, others, key=fact.key)
    return [each for each in kept if each.pk in decided.supersedes]


def _judge_claim(
    scope: Scope, draft: FactDraft, correction: Correction | None, replaced: Fact | None
) -> Verdict:
    kept = _claims(scope.pk, draft.entity, draft.key)
    by_id = {fact.pk: fact for fact in kept if replaced is None or fact.pk != replaced.pk}
    now = timezone.now()
    decided = settle(
        Claim(
            draft.value,
            min(draft.source_date or now, now),
            is_captured=draft.source == Source.CONVERSATION,
            may_coexist=may_coexist(draft.attributes),
        ),
        [said_of(fact, now) for fact in by_id.values()],
        key=draft.key,
        correction=correction,
    )
    replacing = [by_id[pk] for pk in decided.supersedes]
    verdict = Verdict(
        _like(draft, replacing[0]) if correction and replacing else draft,
        reinforces=by_id.get(decided.reinforces) if decided.reinforces else None,
        supersedes=replacing,
        loses_to=by_id.get(decided.loses_to) if decided.loses_to else None,
        disputes=with_room([by_id[pk] for pk in decided.disputes]),
    )
    return _doubted(verdict)


def _doubted(verdict: Verdict) -> Verdict:
    """With what contradicts others believed less, and the reason where a person has said so."""
    draft = verdict.draft
    if verdict.disputes and draft.confidence > MOST_IN_DISPUTE:
        told = {**draft.attributes, BELIEVED: draft.confidence}
        verdict.draft = replace(draft, confidence=MOST_IN_DISPUTE, attributes=told)
    is_captured = draft.source == Source.CONVERSATION
    if is_captured and any(is_persons(fact) for fact in verdict.disputes):
        verdict.note = DISPUTES_A_PERSONS
    return verdict


def _judge_correction(
    scope: Scope, draft: FactDraft, turn: Turn | None, correction: Correction
) -> Verdict:
    verdict = Verdict(draft)
    rows = _meant(scope, draft, turn, correction)
    found = corrected(draft.text, correction, [_candidate(each, turn) for each in rows])
    old = _still_active(found) if found else None
    if found is None or old is None:
        verdict.note = CORRECTS_NOTHING
    elif found.is_repeat:
        verdict.reinforces = old
    elif is_persons(old):
        verdict.disputes = with_room([old])
        _doubted(verdict)
    else:
        verdict.draft = _like(_with_subject(draft, old) if found.says_less else draft, old)
        verdict.supersedes = [old]
    return verdict


def _judge_words(scope: Scope, draft: FactDraft) -> Verdict:
    """The draft marked where another of its kind says the same but for a denial or a number."""
    new = wording_of(draft.text)
    if not new.words:
        return Verdict(draft)
    found = _alike(scope, draft, new)
    against = [pk for pk, text in found if contradicts(new, wording_of(text), draft.kind)]
    if not against:
        return Verdict(draft)
    # One that somebody else is changing is left to them: each would wait for what the other keeps.
    free = Fact.objects.filter(pk__in=against).defer("search").order_by("pk")
    rows = free.select_for_update(of=("self",), skip_locked=True)
    old = with_room([fact for fact in rows if not _is_of_another(fact, draft)])
    if draft.source == Source.CONVERSATION and any(is_persons(fact) for fact in old):
        return _doubted(Verdict(draft, disputes=old))
    return Verdict(draft, disputes=old)


def _alike(scope: Scope, draft: FactDraft, new: Wording) -> list[tuple[UUID, str]]:
    """Memories of the draft's kind that may say the same, with their texts."""
    if is_segmented(draft.text):
        wanted = two_of(_rarest(new), numbers=new.named)
        return alike(scope.pk, draft.kind, wanted, lang=draft.lang, limit=MOST_CANDIDATES)
    # The index has no single words of it.
    latest = _in_use(scope.pk).filter(kind=draft.kind).newest_first()
    return list(latest.values_list("pk", "text")[:MOST_UNINDEXED])


def _is_of_another(fact: Fact, draft: FactDraft) -> bool:
    """Whether both say whose or what they are of, and that is not the same.

    An equal value is the same thing under another key: what one likes, and what one does not.
    """
    if _differ(fact.entity, draft.entity):
        return True
    is_same = bool(fact.value) and folded(fact.value) == folded(draft.value)
    return _differ(fact.key, draft.key) and not is_same


def _differ(one: str, other: str) -> bool:
    return bool(one and other) and folded(one) != folded(other)


def _in_use(scope_id: UUID) -> FactQuerySet:
    return Fact.objects.active().memories().filter(scope=scope_id)


def claims_like(fact: Fact) -> list[Fact]:
    """All active memories of its scope about the same property of the same thing, locked."""
    return _claims(fact.scope_id, fact.entity, fact.key)


def _claims(scope_id: UUID, entity: str, key: str) -> list[Fact]:
    rows = Fact.objects.claims(scope_id=scope_id, entity=entity, key=key).active()
    return list(with_edited_at(rows).defer("search").order_by("pk").locked())


def _meant(
    scope: Scope, draft: FactDraft, turn: Turn | None, correction: Correction
) -> list[dict[str, Any]]:
    """What a correction may mean: facts with its taken-back words, and the latest of its talk."""
    used = _in_use(scope.pk).with_happened()
    if is_segmented(draft.text):
        here = used.filter(turn__conversation=turn.conversation_id) if turn else used.none()
        own, taken = _rarest(subject_of(draft.text, correction)), _lexemes(correction)
        told = _latest(here, MOST_CANDIDATES)
        if own and taken:
            holding = used.holding_one_of_each(taken, own, draft.lang)
            told = told.union(_latest(holding, MOST_CANDIDATES))
    else:
        # The index has no single words of it.
        told = _latest(used, MOST_UNINDEXED)
    said_at = draft.source_date or timezone.now()
    # A correction that arrives late does not mean what was said after it.
    before = [row for row in told if row["happened"] <= said_at]
    return sorted(before, key=lambda row: (row["happened"], row["pk"]), reverse=True)


def _latest(facts: Any, limit: int) -> Any:
    columns = ("pk", "text", "value", "turn__conversation", "happened")
    return facts.order_by("-happened", "-pk").values(*columns)[:limit]


def _lexemes(correction: Correction) -> list[str]:
    """The words that a correction takes back, numbers too."""
    taken = [wording_of(words) for words in correction.words]
    words = {word for each in taken for word in (*each.words, *each.numbers)}
    return sorted(words)[:MOST_WORDS]


def _candidate(row: dict[str, Any], turn: Turn | None) -> Candidate:
    is_here = turn is not None and row["turn__conversation"] == turn.conversation_id
    return Candidate(row["pk"], row["text"], row["value"], is_here=is_here)


def _still_active(found: Found) -> Fact | None:
    fact: Fact | None = Fact.objects.active().defer("search").locked().filter(pk=found.pk).first()
    return fact


def _rarest(wording: Wording) -> list[str]:
    """The longest words: as a rule the rarest, and so the cheapest to look for."""
    return sorted(wording.words, key=lambda word: (-len(word), word))[:MOST_WORDS]


def _with_subject(draft: FactDraft, old: Fact) -> FactDraft:
    whole = about(draft.text, old.text)
    return replace(draft, text=whole) if len(whole) <= MAX_FACT_CHARACTERS else draft


def _like(draft: FactDraft, old: Fact) -> FactDraft:
    """The draft in the place of what it corrects: of its kind, with its labels and its name."""
    placed = replace(
        draft,
        kind=old.kind,
        category=old.category,
        shelf=old.shelf,
        tags=tuple(old.tags) or draft.tags,
        entity=draft.entity or old.entity,
        key=draft.key or (old.key if not draft.entity else ""),
        importance=max(draft.importance, old.importance),
        critical=draft.critical or old.critical,
    )
    # What was harmless may be the new value of a secret.
    return placed.cleaned()


def said_of(fact: Any, now: datetime) -> Kept:
    """The claim of a fact; it must come with `edited_at`.

    An edit is said when it is made, and a clock that was ahead keeps nothing newer out of use.
    """
    return Kept(
        fact.pk,
        fact.value,
        min(max(fact.happened_at, fact.edited_at or fact.happened_at), now),
        is_persons=is_persons(fact),
        may_coexist=may_coexist(fact.attributes),
    )


def may_coexist(attributes: Any) -> bool:
    """Whether it may be true beside other values of its key."""
    return attributes.get(COEXISTS) is True


def _began(fact: Fact) -> datetime:
    return fact.valid_from or fact.happened_at
