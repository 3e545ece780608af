"""Secrets in addresses, connection strings and commands."""

import re

from memory.domain.redaction.rule import Passage, Rule, Sighting, Span, beginning, following
from memory.domain.redaction.values import is_placeholder, is_strong

_IN_GO = re.compile(r"(?P<user>[\w.-]{1,64}):(?P<secret>[^\s@/]{1,128})@(?:tcp|unix)\(")
_BOT = re.compile(r"(?<![0-9])[0-9]{6,12}$")
_BOT_REST = re.compile(r":[A-Za-z0-9_-]{30,64}(?![A-Za-z0-9_-])")
_MIDDLE = re.compile(r"\.[A-Za-z0-9_-]{6}\.")
_DISCORD = re.compile(
    r"(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,64}"
)
# "kai@example.org / hunter2": what stands behind an address of a person as the other half.
_BEHIND_A_MAIL = re.compile(
    r"@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}\s{1,3}[/|／]\s{1,3}(?P<secret>[^\s,;，。；\"'/]{6,128}+)"  # noqa: RUF001
)
_LIST_NUMBER = re.compile(r"(?<![0-9a-z])[0-9a-f]{32}$")


def _telegram(at: Passage) -> Span | None:
    bot = _BOT.search(at.text[max(at.start - 13, 0) : at.start])
    rest = _BOT_REST.match(at.text, at.start)
    return (at.start - len(bot[0]), rest.end()) if bot and rest else None


def _mailchimp(at: Passage) -> Span | None:
    key = _LIST_NUMBER.search(at.folded[max(at.start - 33, 0) : at.start])
    place = re.compile(r"-us[0-9]{1,2}(?![a-z0-9])").match(at.folded, at.start)
    return (at.start - 32, place.end()) if key and place else None


def scan(text: str, _folded: str) -> list[Sighting]:
    """Connections as Go writes them, and tokens of bots that only their form tells."""
    found: list[Sighting] = []
    if "@tcp(" in text or "@unix(" in text:
        found += [(*each.span("secret"), "password") for each in _IN_GO.finditer(text)]
    if "@" in text:
        behind = _BEHIND_A_MAIL.finditer(text)
        found += [
            (*each.span("secret"), "password") for each in behind if is_strong(each["secret"])
        ]
    if _MIDDLE.search(text):
        found += [(*each.span(), "token") for each in _DISCORD.finditer(text)]
    return found


_IN_ADDRESS = beginning(
    r"(?<=[A-Za-z0-9+.-])://[^\s/:@?#]{0,256}:(?P<secret>[^\s/?#]{1,512})@(?=[^\s/?#@])"
)


def _in_address(at: Passage) -> Span | None:
    found = _IN_ADDRESS(at)
    return found if found and not is_placeholder(at.text[slice(*found)]) else None


RULES = (
    Rule("password", ("://",), _in_address),
    Rule(
        "password",
        ("jdbc:oracle:",),
        following(r"[a-z]{2,6}:[^/\s]{1,64}/(?P<secret>[^@\s]{1,128})@"),
    ),
    Rule(
        "webhook",
        ("hooks.",),
        following(
            r"[a-z0-9.-]{2,64}/(?:services|workflows|triggers|hooks)/(?P<secret>[a-z0-9_/-]{8,256}+)"
        ),
    ),
    Rule(
        "webhook",
        ("/api/webhooks/",),
        following(r"[0-9]{4,24}/(?P<secret>[a-z0-9_-]{16,256}+)"),
        "discord",
    ),
    Rule(
        "webhook", ("webhook.office.com/",), following(r"(?P<secret>[a-z0-9@/-]{24,256}+)"), "teams"
    ),
    Rule("token", (":aa",), _telegram, "telegram"),
    Rule("API key", ("-us",), _mailchimp, "mailchimp"),
    Rule(
        "password",
        ("curl", "wget", "http "),
        following(
            r"[^\n]{0,300}?\s(?:-u|--user|-a)[\s=]{1,2}[\"']?[^\s:\"']{1,64}:(?P<secret>[^\s\"']{1,256}+)"
        ),
    ),
    Rule(
        "password",
        ("sshpass",),
        following(r"\s{1,3}-p\s{0,3}[\"']?(?P<secret>[^\s\"']{3,256}+)"),
    ),
    Rule(
        "password",
        ("mysql", "mysqldump", "mariadb"),
        following(r"[^\n]{0,120}?\s-p(?P<secret>[^\s\"'-][^\s\"']{3,128}+)"),
        "mysql",
    ),
    Rule(
        "password",
        ("--password", "--pass", "--passwd"),
        following(r"[\s=]{1,2}[\"']?(?P<secret>(?![-$<{\[])[^\s\"']{4,256}+)"),
    ),
    Rule(
        "API key",
        ("sig=", "sharedaccesssignature=", "x-amz-signature="),
        following(r"(?P<secret>[a-z0-9%+/=_-]{24,256}+)"),
    ),
    Rule(
        "password",
        (
            *("wifi", "wi-fi", "wlan", "login"),
            "zugangsdaten",
            "zugang",
            "credentials",
            "creds",
            "账号密码",
            "帳號密碼",
            "用户名密码",
        ),
        following(
            r"(?:\s(?:is|are|for\s[\w.-]{1,32}|ist|sind|lautet))?\s{0,2}[:：=]?\s{0,2}"  # noqa: RUF001
            r"[\w.@+-]{2,64}\s{0,2}[/:|／]\s{0,2}(?P<secret>(?!/)(?=[^\s,;]{0,64}[0-9])(?![0-9]{1,2}\b)"  # noqa: RUF001
            r"[^\s,;，。\"']{5,256}+)"  # noqa: RUF001
        ),
    ),
)
