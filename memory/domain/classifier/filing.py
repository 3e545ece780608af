"""Where a record is filed once its kind is another than the rules took it for."""

from dataclasses import replace

from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor import Record

_PLACES = {
    Kind.ENTITY: ("entity", Shelf.CORE, DecayClass.PERMANENT),
    Kind.EVENT: ("fact", Shelf.TRANSIENT, DecayClass.DURABLE),
    Kind.FACT: ("fact", Shelf.PROJECT, DecayClass.DURABLE),
    Kind.RULE: ("rule", Shelf.CORE, DecayClass.PERMANENT),
    Kind.IMPRESSION: ("preference", Shelf.PROJECT, DecayClass.DURABLE),
    Kind.PLAN: ("other", Shelf.TRANSIENT, DecayClass.NORMAL),
    Kind.REFLEX: ("pattern", Shelf.CORE, DecayClass.PERMANENT),
}
_COMMITMENT, _SALIENCE, _DOUBTED = "commitment", "salience", "perceptor_uncertainty"
_REASON = "by the classifier"
_LIFETIME, _BY_SHAPE = "decay_class", "the shape"


def filed_as(record: Record, kind: Kind, importance: int) -> Record:
    """The record as one of this kind and importance, with the place and lifetime that go with it.

    What its wording said of its lifetime, and a key that names its category, stay.
    """
    reasons = dict(record.reasons)
    if importance != record.importance:
        reasons["importance"] = f"{importance} {_REASON}"
    attributes = record.attributes | {_SALIENCE: importance / 10}
    changed = replace(record, importance=importance, attributes=attributes, reasons=reasons)
    return changed if kind is record.kind else _moved(changed, kind)


def _moved(record: Record, kind: Kind) -> Record:
    category, shelf, decay_class = _PLACES[kind]
    dropped = {_DOUBTED} | ({_COMMITMENT} if kind is not Kind.PLAN else set())
    attributes = {name: each for name, each in record.attributes.items() if name not in dropped}
    is_by_shape = record.reasons.get(_LIFETIME, _BY_SHAPE).startswith(_BY_SHAPE)
    reasons = record.reasons | {"category": f"{kind} {_REASON}"}
    if is_by_shape:
        reasons[_LIFETIME] = f"{kind} {_REASON}"
    valid_from, freeze_until = record.valid_from, record.freeze_until
    if kind is Kind.PLAN:
        # A plan's day is ahead, and it must not fade before.
        valid_from, freeze_until = None, freeze_until or valid_from
    return replace(
        record,
        kind=kind,
        category=record.category if record.key else category,
        shelf=shelf,
        decay_class=decay_class if is_by_shape else record.decay_class,
        valid_from=valid_from,
        freeze_until=freeze_until,
        attributes=attributes,
        reasons=reasons,
    )
