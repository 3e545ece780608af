"""Every setting from the environment, read once and typed. Documented in docs/configuration.md."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

EMBEDDERS = {
    "minilm": "memory.backends.embedding.onnx.OnnxEmbedder",
    "hashing": "memory.backends.embedding.hashing.HashingEmbedder",
}
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the person who runs Longhand has chosen.

    Units: sizes in bytes, times in seconds.
    """

    home: Path
    models: Path
    host: str
    port: int
    hosts: list[str]
    url: str
    secret_key: str | None
    database_url: str | None
    admin_email: str
    embedder: str
    categories: list[str]
    log_level: str
    lease_seconds: float
    heartbeat_seconds: float
    task_timeout_seconds: int
    task_retry_seconds: int
    quick_workers: int
    slow_workers: int
    max_upload_bytes: int
    max_unpacked_bytes: int
    max_expansion: int
    max_pages: int
    max_characters: int
    parse_memory_bytes: int
    parse_cpu_seconds: int
    parse_wall_seconds: float
    parse_output_bytes: int
    with_workers: bool


def read_environment(source: Mapping[str, str] = os.environ) -> Environment:
    """The typed settings in `source`.

    Raises: ImproperlyConfigured naming the variable and the remedy.
    """
    home = Path(_text(source, "LONGHAND_HOME", "~/.longhand")).expanduser().absolute()
    port = _number(source, "LONGHAND_PORT", "7700", int, low=1, high=65535)
    host = _text(source, "LONGHAND_HOST", "127.0.0.1")
    url = _url(source, f"http://{host}:{port}")
    timeout = _number(source, "LONGHAND_TASK_TIMEOUT_SECONDS", "21600", int, low=10)
    return Environment(
        home=home,
        models=Path(_text(source, "LONGHAND_MODELS", str(home / "models"))).expanduser(),
        host=host,
        port=port,
        hosts=_words(source, "LONGHAND_HOSTS") or _default_hosts(host, url),
        url=url,
        secret_key=_secret(source, "LONGHAND_SECRET_KEY"),
        database_url=_secret(source, "DATABASE_URL"),
        admin_email=_text(source, "LONGHAND_ADMIN_EMAIL", "owner@localhost"),
        embedder=_choice(source, "LONGHAND_EMBEDDER", "minilm", tuple(EMBEDDERS)),
        categories=_words(source, "LONGHAND_CATEGORIES"),
        log_level=_choice(source, "LONGHAND_LOG_LEVEL", "INFO", LOG_LEVELS),
        lease_seconds=_number(source, "LONGHAND_LEASE_SECONDS", "60", float, low=1),
        heartbeat_seconds=_number(source, "LONGHAND_HEARTBEAT_SECONDS", "30", float, low=0.5),
        task_timeout_seconds=timeout,
        task_retry_seconds=_retry_seconds(source, timeout),
        quick_workers=_number(source, "LONGHAND_QUICK_WORKERS", "1", int, low=1, high=64),
        slow_workers=_number(source, "LONGHAND_SLOW_WORKERS", "1", int, low=1, high=64),
        max_upload_bytes=_megabytes(source, "LONGHAND_MAX_UPLOAD_MB", "100"),
        max_unpacked_bytes=_megabytes(source, "LONGHAND_MAX_UNPACKED_MB", "500"),
        max_expansion=_number(source, "LONGHAND_MAX_EXPANSION", "100", int, low=1),
        max_pages=_number(source, "LONGHAND_MAX_PAGES", "2000", int, low=1),
        max_characters=_number(source, "LONGHAND_MAX_CHARACTERS", "20000000", int, low=1),
        parse_memory_bytes=_megabytes(source, "LONGHAND_PARSE_MEMORY_MB", "1500"),
        parse_cpu_seconds=_number(source, "LONGHAND_PARSE_CPU_SECONDS", "120", int, low=1),
        parse_wall_seconds=_number(source, "LONGHAND_PARSE_WALL_SECONDS", "300", float, low=1),
        parse_output_bytes=_megabytes(source, "LONGHAND_PARSE_OUTPUT_MB", "200"),
        with_workers=_choice(source, "LONGHAND_WITH_WORKERS", "yes", ("yes", "no")) == "yes",
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


def _number(  # noqa: PLR0913 - one bound each way reads best at the call
    source: Mapping[str, str],
    name: str,
    default: str,
    cast: Callable[[str], T],
    *,
    low: float,
    high: float = float("inf"),
) -> T:
    value = _text(source, name, default)
    try:
        number = cast(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}. Use a number.") from None
    if not low <= number <= high:  # type: ignore[operator]  # T is int or float
        raise ImproperlyConfigured(f"{name} is {value}. Use a number from {low:g} to {high:g}.")
    return number


def _megabytes(source: Mapping[str, str], name: str, default: str) -> int:
    return int(_number(source, name, default, float, low=0.001) * 1_000_000)


def _retry_seconds(source: Mapping[str, str], timeout: int) -> int:
    retry = _number(source, "LONGHAND_TASK_RETRY_SECONDS", str(timeout + 3600), int, low=1)
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
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE cannot be read: {error.strerror}. Check the path."
        ) from None


def _url(source: Mapping[str, str], default: str) -> str:
    value = _text(source, "LONGHAND_URL", default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ImproperlyConfigured(f"LONGHAND_URL is {value!r}. Use http://host or https://host.")
    return value


def _default_hosts(host: str, url: str) -> list[str]:
    return sorted({"127.0.0.1", "localhost", "[::1]", host, urlsplit(url).hostname or host})
