"""The `DATABASES` entry for an embedded or a chosen server."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import environ
from django.core.exceptions import ImproperlyConfigured

from memory.db.place import DATABASE, PORT, place_of

SCHEMES = ("postgres://", "postgresql://")
CONNECT_SECONDS = 3
POOL = {"min_size": 1, "max_size": 10, "timeout": CONNECT_SECONDS}
IDLE_SECONDS = 600


def database_config(home: Path, database_url: str | None, *, pooled: bool) -> dict[str, Any]:
    """Django's settings for the one database; connects to nothing.

    Raises: ImproperlyConfigured when `database_url` names no PostgreSQL database.
    """
    config = _chosen(database_url) if database_url else _embedded(home)
    # A restarted database must cost one failed statement at most, so each use is checked first.
    config["CONN_HEALTH_CHECKS"] = True
    config["CONN_MAX_AGE"] = 0 if pooled else IDLE_SECONDS
    options = {"connect_timeout": CONNECT_SECONDS, **config.get("OPTIONS", {})}
    config["OPTIONS"] = {**options, "pool": dict(POOL)} if pooled else options
    return config


def _embedded(home: Path) -> dict[str, Any]:
    return {
        "ENGINE": "memory.db.embedded",
        "NAME": DATABASE,
        "USER": DATABASE,
        "HOST": str(place_of(home).sockets),
        "PORT": str(PORT),
        "LONGHAND_HOME": str(home),
    }


def _chosen(database_url: str) -> dict[str, Any]:
    config = _parsed(database_url)
    if not config.get("NAME"):
        raise ImproperlyConfigured(
            "DATABASE_URL is not a PostgreSQL address. Use postgres://user:password@host:5432/name."
        )
    config["ENGINE"] = "django.db.backends.postgresql"
    return config


def _parsed(database_url: str) -> dict[str, Any]:
    if not database_url.startswith(SCHEMES):
        return {}
    try:
        config = dict(environ.Env.db_url_config(database_url))
    except ValueError:
        return {}
    config["HOST"] = unquote(str(config["HOST"]))
    return config
