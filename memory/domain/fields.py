"""The closed vocabularies of a memory, and the defaults that go with them."""

from enum import StrEnum


class Kind(StrEnum):
    """A memory's shape."""

    ENTITY = "entity"
    EVENT = "event"
    FACT = "fact"
    RULE = "rule"
    IMPRESSION = "impression"
    PLAN = "plan"
    REFLEX = "reflex"


class Shelf(StrEnum):
    """A memory's place on the fact sheet."""

    CORE = "core"
    PROJECT = "project"
    TECHNICAL = "technical"
    TRANSIENT = "transient"


class DecayClass(StrEnum):
    """A memory's lifetime."""

    PERMANENT = "permanent"
    DURABLE = "durable"
    STABLE = "stable"
    ACTIVE = "active"
    NORMAL = "normal"
    SHORT = "short"
    SESSION = "session"
    EPHEMERAL = "ephemeral"
    CHECKPOINT = "checkpoint"


class Status(StrEnum):
    """Whether a memory is in use."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"


class Source(StrEnum):
    """How a memory came in."""

    CONVERSATION = "conversation"
    DOCUMENT = "document"
    API = "api"
    PERSON = "person"


class ImportanceSource(StrEnum):
    """Who set a memory's importance; a person's word outranks the others."""

    PERCEPTOR = "perceptor"
    LLM = "llm"
    USER = "user"


class Tier(StrEnum):
    """How near at hand a memory is kept."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class Role(StrEnum):
    """Who spoke a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


BUILT_IN_CATEGORIES = ("preference", "fact", "decision", "entity", "pattern", "rule", "other")

MAX_FACT_CHARACTERS = 4_000
MAX_TURN_CHARACTERS = 100_000
MAX_QUERY_CHARACTERS = 10_000
MAX_TAGS = 32
MAX_TAG_CHARACTERS = 64
