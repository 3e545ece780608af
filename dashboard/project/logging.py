"""Structured logs on standard error: one line an event, no secrets, no document text."""

import logging.config
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

SIGN_IN = "/sign-in/"
_LINK = re.compile(re.escape(SIGN_IN) + r"[^/\s?'\"]+")

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def _mask_sign_in_links(
    _logger: object, _name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    # The address of a sign-in link is its secret, and frameworks log addresses.
    for key, value in event.items():
        if isinstance(value, str) and SIGN_IN in value:
            event[key] = _LINK.sub(SIGN_IN + "…", value)
    return event


def _line() -> structlog.dev.ConsoleRenderer:
    # The plain traceback shows no values of variables, which may be secrets.
    return structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )


def logging_config(level: str) -> None:
    """Send structlog's and the standard library's records through one formatter."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"line": _formatter()},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {name: {"level": least} for name, least in _QUIETER.items()},
        }
    )


_QUIETER = {
    "django-q": "WARNING",
    "sentence_transformers": "WARNING",
    "uvicorn.access": "WARNING",
    "django_structlog": "WARNING",
    "django.request": "ERROR",
    # The page says what to set; each stray request would print a traceback.
    "django.security.DisallowedHost": "CRITICAL",
    # Finer, it prints all that a page was given, secrets included.
    "django.template": "INFO",
}


def _formatter() -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _mask_sign_in_links,
            _line(),
        ],
        "foreign_pre_chain": _SHARED,
    }
