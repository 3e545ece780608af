from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from memory.db.place import place_of
from memory.db.settings import database_config

HOME = Path("/home/alice/.longhand")


def test_database_is_embedded_when_no_url_is_given() -> None:
    config = database_config(HOME, None, pooled=False)

    assert config["ENGINE"] == "memory.db.embedded"
    assert config["HOST"] == str(place_of(HOME).sockets)


def test_database_is_the_chosen_server_when_url_is_given() -> None:
    url = "postgres://alice:p%40ss@db.example.org:5433/notes?sslmode=require"

    config = database_config(HOME, url, pooled=False)

    assert config["ENGINE"] == "django.db.backends.postgresql"
    assert (config["HOST"], config["PORT"], config["NAME"]) == ("db.example.org", 5433, "notes")
    assert (config["USER"], config["PASSWORD"]) == ("alice", "p@ss")
    assert config["OPTIONS"]["sslmode"] == "require"


def test_place_url_leads_to_its_socket_when_parsed_again() -> None:
    place = place_of(Path("/home/Älice & Bob/.longhand"))

    config = database_config(HOME, place.url, pooled=False)

    assert config["OPTIONS"]["host"] == str(place.sockets)
    assert config["NAME"] == "longhand"
    assert config["USER"] == "longhand"


def test_connections_are_checked_and_kept_when_not_pooled() -> None:
    config = database_config(HOME, None, pooled=False)

    assert config["CONN_HEALTH_CHECKS"] is True
    assert config["CONN_MAX_AGE"] > 0
    assert "pool" not in config["OPTIONS"]


def test_pool_is_small_and_checked_when_pooled() -> None:
    config = database_config(HOME, None, pooled=True)

    assert config["CONN_MAX_AGE"] == 0
    assert config["CONN_HEALTH_CHECKS"] is True
    assert config["OPTIONS"]["pool"]["max_size"] == 10


@pytest.mark.parametrize(
    "url",
    ["sqlite:///notes.db", "notes", "postgres://", "postgres://host:port/name", "mysql://h/n"],
)
def test_url_is_refused_by_name_when_it_is_no_postgresql_address(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database_config(HOME, url, pooled=False)
