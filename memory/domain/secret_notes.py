"""What a turn says about the secrets that were in it, behind why nothing else was kept."""

import re

NO_VAULT = "a secret was masked; no vault is set"
NOT_OWN = "a secret was masked; only what is said to yourself goes into your vault"
TOO_MANY = "a secret was masked and not kept: the vault takes 20 of one message"
PASSED = "a one-time code was masked; the vault keeps none"
# What is stored for a service that nobody has named; of several, a number follows.
UNNAMED = "unnamed"
_NOTE = re.compile(
    r"(?:^|; )((?:a secret was masked|a one-time code was masked|the vault has|"
    r"an? [\w -]{2,20} went into the vault).*)$"
)
_ARTICLES = {"A": "an", "E": "an", "I": "an", "O": "an"}


def noted(reason: str, notes: list[str]) -> str:
    """The reason with what became of the secrets, each told once."""
    return "; ".join(dict.fromkeys([*([reason] if reason else []), *notes]))


def with_its_secrets(reason: str, *, before: str) -> str:
    """Another reason, and what was noted about secrets before."""
    match = _NOTE.search(before)
    return noted(_NOTE.sub("", reason), [match[1]] if match else [])


def went(kind: str, service: str) -> str:
    """What is noted of a secret that the vault took."""
    begins = f"{_article(kind)} {kind} went into the vault"
    return f"{begins}{_nameless(service)}" if _nameless(service) else f"{begins}: {service}"


def known(kind: str, service: str) -> str:
    """What is noted of a secret that the vault had."""
    if _nameless(service):
        return f"the vault has this {kind} already{_nameless(service)}"
    return f"the vault has the {kind} for {service} already"


def other(kind: str, service: str) -> str:
    """What is noted of a secret in whose place the vault holds another."""
    whose = _nameless(service) or f" for {service}"
    return f"the vault has another {kind}{whose}; this one was masked and not kept"


def pointer(kind: str, service: str) -> str:
    """What the memory says that points into the vault."""
    if _nameless(service):
        return f"{_article(kind).capitalize()} {kind}{_nameless(service)} is in the vault."
    return f"The {kind} for {service} is in the vault."


def _article(kind: str) -> str:
    return _ARTICLES.get(kind[0].upper(), "a")


def _nameless(service: str) -> str:
    """How a person says that nobody has named it; empty for a name."""
    name, _, number = service.partition("-")
    if name != UNNAMED or not (not number or number.isdecimal()):
        return ""
    return f" without a name (number {number})" if number else " without a name"
