"""What a message would give, field by field: the words of each, and why it is so."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.attribute_words import attributes_in_words
from dashboard.doubts import A_RULE, THE_CLASSIFIER
from dashboard.lifeline import Drawing, Life, draw, span
from dashboard.moments import day_or_time, day_time
from dashboard.numbers import score
from memory.domain.capture import FactDraft
from memory.domain.decay import half_life
from memory.domain.fields import DecayClass
from memory.domain.perceptor import Record, Signal
from memory.models import Fact
from memory.services.perceptions import Outcome

LIKE_THE_OLD = "that of the memory it corrects"
BY_A_PATTERN = "a word of this category is in it"
MADE_STRONGER = "nothing new is kept; that memory is made stronger"
SAID_LATER = "that was said later; this one would be kept as replaced"
KEEPS_ITS_KIND = "that memory is kept as replaced"
BOTH_STAY = "both stay, and each is believed less"


@dataclass(frozen=True, slots=True)
class Row:
    """One field of a record: its name, what it would hold, and the reason if one was given."""

    label: str
    words: str
    reason: str = ""
    facts: Sequence[Fact] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One memory that a message would give."""

    outcome: Outcome
    drawing: Drawing
    rows: list[Row]


def card_of(outcome: Outcome, now: datetime) -> Card:
    """The outcome as a page shows it, with the lifeline that its memory would have."""
    return Card(outcome, draw(_life(outcome.draft, now), now, "s"), _rows(outcome))


def _life(draft: FactDraft, now: datetime) -> Life:
    is_permanent = draft.decay_class == DecayClass.PERMANENT
    fixed = "critical" if draft.critical else "permanent" if is_permanent else ""
    return Life(
        decay_class=draft.decay_class, born_at=now, fixed=fixed, kept_until=draft.freeze_until
    )


def _rows(outcome: Outcome) -> list[Row]:
    record, draft = outcome.record, outcome.draft
    why = dict(record.reasons)
    decider = why.pop("classifier", "")
    rows = [
        *_effects(outcome),
        Row("Kind", _kind(record, draft), _changed(record.kind, draft.kind, why.pop("kind", ""))),
        _filed(outcome, why),
        Row("Importance", _importance(record, draft), why.pop("importance", "")),
        # How far it is believed; the classifier only tells how much it is worth keeping.
        Row("Confidence", f"{score(draft.confidence)}, by rule", why.pop("confidence", "")),
        *([Row("Decided by", "classifier", decider)] if decider else []),
        *[_heard(signal) for signal in record.signals],
        *_named(record, draft, why),
        Row("Lifetime", _lifetime(draft), why.pop("decay_class", "")),
        *_dated(draft, record.source_date, why),
        *[Row(each.label, each.words) for each in attributes_in_words(draft.attributes)],
        Row("Language", draft.lang, why.pop("lang", "")),
    ]
    # Whatever else was decided says why as well.
    return rows + [Row(_label(name), "", reason) for name, reason in why.items()]


def _effects(outcome: Outcome) -> list[Row]:
    """What keeping it would do to what is remembered, before all else."""
    known = [outcome.known] if outcome.known else []
    newer = [outcome.newer] if outcome.newer else []
    rows = [
        Row("Known already", "", MADE_STRONGER, known),
        Row("Outdated by", "", SAID_LATER, newer),
        Row("Replaces", "", KEEPS_ITS_KIND, outcome.replaces),
        Row("Contradicts", "", outcome.note or BOTH_STAY, outcome.disputes),
    ]
    is_told = bool(outcome.disputes) or not outcome.note
    return [row for row in rows if row.facts] + ([] if is_told else [Row("Note", outcome.note)])


def _kind(record: Record, draft: FactDraft) -> str:
    sure = record.kind_confidence
    # Where the classifier has chosen it, the reason says how sure that is.
    is_told = THE_CLASSIFIER in record.reasons.get("kind", "")
    is_sure = sure >= 1 or draft.kind != record.kind
    return draft.kind if is_sure or is_told else f"{draft.kind}, {score(sure)} sure, says {A_RULE}"


def _changed(before: str, after: str, reason: str) -> str:
    return reason if before == after else LIKE_THE_OLD


def _filed(outcome: Outcome, why: dict[str, str]) -> Row:
    record, draft = outcome.record, outcome.draft
    other = LIKE_THE_OLD if outcome.replaces else BY_A_PATTERN
    reasons = [why.pop(name, "") for name in ("category", "shelf")]
    told = [
        reasons[0] if draft.category == record.category else other,
        _changed(record.shelf, draft.shelf, reasons[1]),
    ]
    words = f"{draft.category}, shelf {draft.shelf}"
    return Row("Category", words, "; ".join(dict.fromkeys(each for each in told if each)))


def _importance(record: Record, draft: FactDraft) -> str:
    is_learned = "classifier" in record.reasons.get("importance", "")
    return f"{draft.importance} of 10, by {'the classifier' if is_learned else 'rule'}"


def _lifetime(draft: FactDraft) -> str:
    if draft.critical:
        return "critical, does not fade"
    halving = half_life(draft.decay_class)
    return f"{draft.decay_class}, " + (f"half-life {span(halving)}" if halving else "never fades")


def _heard(signal: Signal) -> Row:
    name = _label(signal.kind)
    return Row("Heard", f"{name.lower()} {score(signal.confidence)}", signal.reason)


def _named(record: Record, draft: FactDraft, why: dict[str, str]) -> list[Row]:
    taken_back = ", ".join(f"“{words}”" for words in record.corrects)
    claim = ": ".join(words for words in (draft.key, draft.value) if words)
    about = ", ".join(words for words in (draft.entity, claim) if words)
    rows = [
        Row("About", about, why.pop("key", "")),
        Row("Tags", ", ".join(draft.tags), why.pop("tags", "")),
        Row("Takes back", taken_back, why.pop("corrects", "")),
        Row("Critical", "yes" if draft.critical else "", why.pop("critical", "")),
    ]
    return [row for row in rows if row.words]


def _dated(draft: FactDraft, dated: datetime | None, why: dict[str, str]) -> list[Row]:
    moments = {
        "source_date": ("Dated", dated),
        "valid_from": ("True since", draft.valid_from),
        "activate_at": ("In use from", draft.activate_at),
        "freeze_until": ("Fades from", draft.freeze_until),
        "expires_at": ("Expires", draft.expires_at),
    }
    # A reason may have outlived its date, where the classifier took the sentence for another kind.
    reasons = {name: why.pop(name, "") for name in moments}
    return [
        Row(label, (day_time if name == "expires_at" else day_or_time)(moment), reasons[name])
        for name, (label, moment) in moments.items()
        if moment
    ]


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()
