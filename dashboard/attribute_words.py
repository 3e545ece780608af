"""The reserved attributes of a memory, as people read them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.dateparse import parse_datetime

from dashboard.moments import day_or_time
from dashboard.numbers import score
from memory.domain.attributes import BELIEVED, CONTRADICTS

LABELS = {
    "people": "People",
    "locations": "Places",
    "topics": "Topics",
    "domains": "Domains",
    "emotion": "Mood",
    "cross_domain_emotion": "Mood elsewhere",
    "trigger_tags": "Set off by",
    "commitment": "Promise",
    "tentative": "Tentative",
    "fuzzy_ref": "Vague",
    "contradiction_flag": "Contradicted",
    "allow_coexistence": "Side by side",
    "critical": "Critical",
    "activate_at": "In use from",
    "expire_at": "Expires",
    "salience": "Salience",
    "perceptor_uncertainty": "Doubt",
    "generated_by": "Made by",
    "consolidation_count": "Consolidated",
    "last_user_access": "Last looked at",
    "followup_attempts": "Follow-ups",
    "last_followup_outcome": "Last answer",
    BELIEVED: "Believed before",
}
# Told by the memories themselves that it names.
ELSEWHERE = frozenset((CONTRADICTS,))
SENTENCES = {
    "commitment": "somebody committed to it",
    "tentative": "its day could not be read",
    "fuzzy_ref": "it does not say exactly whom or what it means",
    "contradiction_flag": "another memory says otherwise",
    "allow_coexistence": "may stand beside what contradicts it",
    "critical": "does not fade",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: what it is called, and what it holds."""

    label: str
    words: str


def attributes_in_words(attributes: Mapping[str, object]) -> list[Attribute]:
    """The attributes that hold something, in one order always; unknown ones under their names."""
    order = {name: place for place, name in enumerate(LABELS)}
    told = attributes.keys() - ELSEWHERE
    names = sorted(told, key=lambda name: (order.get(name, len(order)), name))
    held = [(name, attributes[name]) for name in names]
    return [
        Attribute(LABELS.get(name, name), _words(name, value))
        for name, value in held
        if value not in (None, "", [], {}, False)
    ]


def _words(name: str, value: object) -> str:
    if value is True:
        return SENTENCES.get(name, "yes")
    if isinstance(value, float):
        return score(value)
    if isinstance(value, list):
        return ", ".join(_words(name, each) for each in value)
    if isinstance(value, str):
        moment = _moment(value)
        return day_or_time(moment) if moment else value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None
