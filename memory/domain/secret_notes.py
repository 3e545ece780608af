"""What a turn says about the secrets that were in it, behind why nothing else was kept."""

import re

NO_VAULT = "a secret was masked; no vault is set"
NOT_OWN = "a secret was masked; only what is said to yourself goes into your vault"
TOO_MANY = "a secret was masked and not kept: the vault takes 20 of one message"
PASSED = "a one-time code was masked; the vault keeps none"
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
    return f"{_ARTICLES.get(kind[0].upper(), 'a')} {kind} went into the vault: {service}"


def known(kind: str, service: str) -> str:
    """What is noted of a secret that the vault had."""
    return f"the vault has the {kind} for {service} already"


def other(kind: str, service: str) -> str:
    """What is noted of a secret in whose place the vault holds another."""
    return f"the vault has another {kind} for {service}; this one was masked and not kept"
