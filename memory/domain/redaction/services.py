"""Whose secret it is, as far as the text tells: the name of a service, a host, a thing."""

import re

from memory.domain.redaction.finding import Claimed

MAX_CHARACTERS = 50
_LOOK_BACK, _LOOK_AHEAD = 64, 64
_HOST_AFTER = re.compile(r"@(?P<host>[A-Za-z0-9.-]{3,100})")
_HOST = re.compile(
    r"(?:^|[\s(/@=])(?P<host>[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,4})(?=$|[\s),;:/])"
)
_ABOUT = re.compile(
    r"[\"'*]{0,2}\s{1,2}(?:for|of|to|on|at|für|fürs|vom|von|zum|zur|am|beim|bei|im|in)\s"
    r"(?:(?:the|my|our|a|an|das|dem|den|die|der|mein|meine|meinen|unser|unseren)\s)?(?P<name>[\w.-]{2,40})"
)
_BEFORE = re.compile(r"(?P<name>[^\W_][\w.-]{1,40})(?:['’]s?|s')?[\s_-]{1,2}$")  # noqa: RUF001
_CHINESE_BEFORE = re.compile(r"(?P<name>[\u4e00-\u9fff]{2,12})(?:的)?\s?$")
_CHINESE_OPENING = re.compile(
    r"^.{0,16}(?:我的|我们的|你的|他的|她的|咱们|记住|記住|提醒你|这是|這是|的)"
)
_PURPOSE = re.compile(r"(?:[_-](?:secret|api|access|auth|private|app|client|root|user|db)){1,4}$")
_LITTLE_WORDS = """
    a an the my our your his her their its this that is was and or with new old user use same
    mein meine meinen dein deine unser unsere das der die dem den ein eine neue neues alte
    altes und mit ist war as save note remember current default another here's heres export
    set login log secret api auth access private master personal first second dont forget here
    for of to jwt tcp card kreditkarte root account konto nummer number code verification
    client app
"""
_NETWORKS = frozenset(("wifi", "wi-fi", "wlan"))
_NOT_NAMES = frozenset(_LITTLE_WORDS.split())


def service_of(text: str, claim: Claimed) -> str:
    """The name of the service that a secret opens, in small letters; empty if nothing tells it.

    `text` has line breaks in the place of all that is secret, lest a name be made of that.
    """
    name = claim.service or _host_after(text, claim) or _named(text, claim) or _network(text, claim)
    return _PURPOSE.sub("", name.lower().strip(".-_ "))[:MAX_CHARACTERS]


def _host_after(text: str, claim: Claimed) -> str:
    match = _HOST_AFTER.match(text, claim.end)
    return match["host"] if match else ""


def _network(text: str, claim: Claimed) -> str:
    word = text[slice(*claim.word)].lower()
    return word if word in _NETWORKS else ""


def _named(text: str, claim: Claimed) -> str:
    start, end = claim.word
    before = text[max(start - _LOOK_BACK, 0) : start]
    after = text[end : min(claim.start, end + _LOOK_AHEAD)]
    host = _HOST.search(after.lower()) or _HOST.search(before.lower())
    if host and not host["host"].replace(".", "").isdigit():
        return host["host"]
    return _about(after) or _word_before(before)


def _about(after: str) -> str:
    match = _ABOUT.match(after)
    name = match["name"].lower() if match else ""
    return "" if name in _NOT_NAMES else name


def _word_before(before: str) -> str:
    line = before.rsplit("\n", 1)[-1]
    if chinese := _CHINESE_BEFORE.search(line):
        return _CHINESE_OPENING.sub("", chinese["name"])
    match = _BEFORE.search(line)
    name = match["name"].lower() if match else ""
    return "" if name in _NOT_NAMES or name.isdigit() else name
