"""The environment, typed: defaults, refusals that name the remedy, secrets from files."""

import logging
import os
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from dashboard.project.env import read_environment
from ingest.domain.addresses import Reach
from ingest.services.reading import temporary_folder
from memory.db.settings import database_config


def test_environment_without_a_variable_has_its_defaults():
    env = read_environment({})

    assert (env.host, env.port, env.url) == ("127.0.0.1", 7700, "http://127.0.0.1:7700")
    assert env.home.name == ".longhand"
    assert env.models == env.home / "models"
    assert env.embedder == "minilm"
    assert env.database_url is None
    assert env.workers.expected


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("LONGHAND_PORT", "web", "Use a number"),
        ("LONGHAND_PORT", "0", "from 1 to 65535"),
        ("LONGHAND_PORT", "65536", "from 1 to 65535"),
        ("LONGHAND_LEASE_SECONDS", "nan", "from 1"),
        ("LONGHAND_URL", "longhand.example.org", "http://host"),
        ("LONGHAND_EMBEDDER", "large", "minilm, multilingual, hashing"),
        ("LONGHAND_LOG_LEVEL", "LOUD", "DEBUG, INFO"),
        ("LONGHAND_WITH_WORKERS", "maybe", "yes, no"),
        ("LONGHAND_FETCH_ALLOWED", "wiki.example", "10.0.0.0/8"),
        ("LONGHAND_FETCH_PORTS", "80,http", "80,443"),
        ("LONGHAND_FETCH_PORTS", "0", "80,443"),
        ("LONGHAND_FETCH_PORTS", "65536", "80,443"),
        ("LONGHAND_FETCH_PORTS", "9" * 5000, "80,443"),
        ("LONGHAND_FETCH_PORTS", "\u0665", "80,443"),
        ("LONGHAND_FETCH_SECONDS", "0", "from 0.1"),
        ("LONGHAND_WATCH_FOLDERS", "/srv/papers,letters", "Use whole paths"),
        ("LONGHAND_MAX_UPLOAD_MB", "-1", "from 0.001"),
        ("LONGHAND_TASK_RETRY_SECONDS", "60", "handed out twice"),
        ("LONGHAND_MAX_UPLOAD_MB", "inf", "from 0.001 to 1000000"),
        ("LONGHAND_MAX_UPLOAD_MB", "1e9", "from 0.001 to 1000000"),
        ("LONGHAND_LEASE_SECONDS", "1e300", "from 1 to 86400"),
        ("LONGHAND_PARSE_WALL_SECONDS", "infinity", "from 1 to 86400"),
        ("LONGHAND_TASK_TIMEOUT_SECONDS", "99999999", "from 10 to 2592000"),
        ("LONGHAND_MAX_CHARACTERS", "9" * 5000, "Use a number"),
        ("LONGHAND_URL", "http://[::1", "http://host"),
        ("LONGHAND_URL", "http://longhand:web", "http://host"),
        ("LONGHAND_HOST", "127.0.0.1:7700", "without a port"),
        ("LONGHAND_HOST", "[::1", "without a port"),
        ("LONGHAND_HOST", "[", "without a port"),
        ("LONGHAND_HOME", "~no-such-person/x", "whole path"),
        ("LONGHAND_MODELS", "~no-such-person/x", "whole path"),
        ("LONGHAND_API_RATE", "0", "from 1"),
        ("LONGHAND_EMAIL_URL", "mail.example.org", "smtp+tls://user:password@host:587"),
        ("LONGHAND_EMAIL_URL", "consolemail://", "smtp+tls://"),
        ("LONGHAND_EMAIL_URL", "smtp://host:mail", "smtp+tls://"),
    ],
)
def test_wrong_value_is_refused_in_one_line_with_its_name_and_the_remedy(name, value, says):
    with pytest.raises(ImproperlyConfigured, match=name) as refusal:
        read_environment({name: value})

    sentence = str(refusal.value)
    assert says in sentence
    assert "\n" not in sentence
    assert len(sentence) <= 200


def test_blank_value_is_as_good_as_none():
    assert read_environment({"LONGHAND_PORT": " ", "LONGHAND_URL": ""}) == read_environment({})


def test_secret_is_read_from_its_file_which_wins(tmp_path):
    file = tmp_path / "key"
    file.write_text("from-the-file\n")

    env = read_environment({"LONGHAND_SECRET_KEY": "plain", "LONGHAND_SECRET_KEY_FILE": str(file)})

    assert env.secret_key == "from-the-file"


def test_secret_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL_FILE cannot be read"):
        read_environment({"DATABASE_URL_FILE": str(tmp_path / "none")})


@pytest.mark.parametrize("name", ["DATABASE_URL", "LONGHAND_SECRET_KEY"])
def test_secret_file_that_is_no_text_is_named(tmp_path, name):
    file = tmp_path / "key"
    file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(ImproperlyConfigured, match=f"{name}_FILE cannot be read: it is not UTF-8"):
        read_environment({f"{name}_FILE": str(file)})


@pytest.mark.parametrize("given", ["::1", "[::1]"])
def test_address_of_ipv6_stands_in_brackets_where_a_port_follows(given):
    env = read_environment({"LONGHAND_HOST": given})

    assert (env.host, env.url) == ("::1", "http://[::1]:7700")
    assert env.hosts == ["127.0.0.1", "[::1]", "localhost"]


def test_hosts_are_those_listed_or_else_follow_from_the_address():
    listed = read_environment({"LONGHAND_HOSTS": "a.example.org, b.example.org"})
    derived = read_environment({"LONGHAND_URL": "https://memory.example.org/"})

    assert listed.hosts == ["a.example.org", "b.example.org"]
    assert "memory.example.org" in derived.hosts
    assert derived.url == "https://memory.example.org"


def test_mail_server_is_read_with_its_password_and_sender():
    none = read_environment({"LONGHAND_URL": "https://memory.example.org"}).accounts
    url = "smtp+tls://me:p%40ss@mail.example.org:587"
    some = read_environment({"LONGHAND_EMAIL_URL": url, "LONGHAND_EMAIL_FROM": "a@b.example"})

    assert (none.email, none.email_from) == (None, "longhand@memory.example.org")
    assert some.accounts.email is not None
    wanted = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS")
    read = [some.accounts.email[name] for name in wanted]
    assert read == ["mail.example.org", 587, "p@ss", True]
    assert some.accounts.email_from == "a@b.example"


def test_address_of_a_mail_server_is_not_shown_when_it_is_refused():
    with pytest.raises(ImproperlyConfigured) as refusal:
        read_environment({"LONGHAND_EMAIL_URL": "http://me:hunter2@mail.example.org"})

    assert "hunter2" not in str(refusal.value)


def test_sizes_in_megabytes_are_bytes():
    assert read_environment({"LONGHAND_MAX_UPLOAD_MB": "2.5"}).limits.max_bytes == 2_500_000


def test_inside_networks_and_ports_are_opened_by_name_only():
    opened = {"LONGHAND_FETCH_ALLOWED": "10.1.2.3/16, fd00::7", "LONGHAND_FETCH_PORTS": "80, 8080"}

    assert read_environment({}).fetching.reach == Reach()
    reach = read_environment(opened).fetching.reach
    assert reach.networks == (ip_network("10.1.0.0/16"), ip_network("fd00::7"))
    assert reach.ports == {80, 8080}


def test_upload_under_way_is_kept_where_the_upkeep_sweeps():
    assert Path(str(settings.FILE_UPLOAD_TEMP_DIR)) == temporary_folder()


def test_debug_is_off_and_pages_run_scripts_of_their_own_only():
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]

    assert settings.DEBUG is False
    assert policy["script-src"] == ["'self'"]
    assert policy["object-src"] == ["'none'"]


@pytest.mark.parametrize("address", ["mysql://h/d", "postgres://host", "nonsense"])
def test_database_address_that_is_none_of_postgresql_is_refused(tmp_path, address):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database_config(tmp_path, address, pooled=False)


def test_every_connection_is_checked_before_its_use_and_pooled_in_the_web_process_only(tmp_path):
    address = "postgres://user:pass@host:5433/name"

    web = database_config(tmp_path, address, pooled=True)
    worker = database_config(tmp_path, address, pooled=False)

    assert web["CONN_HEALTH_CHECKS"] is worker["CONN_HEALTH_CHECKS"] is True
    assert "pool" in web["OPTIONS"]
    assert "pool" not in worker["OPTIONS"]


@pytest.mark.parametrize(
    ("address", "policy"),
    [
        ("http://192.168.1.20:7700", "None"),
        ("http://127.0.0.1:7700", "same-origin"),
    ],
)
def test_opener_policy_is_sent_where_browsers_heed_it(address, policy):
    name = "SECURE_CROSS_ORIGIN_OPENER_POLICY"
    program = f"from dashboard.project.settings import {name} as policy\nprint(policy)"
    named = {**os.environ, "LONGHAND_URL": address}

    shown = subprocess.run(
        [sys.executable, "-c", program], env=named, capture_output=True, text=True, check=True
    )

    assert shown.stdout.split() == [policy]


def test_log_line_of_an_error_holds_no_value_of_a_variable():
    """What a person wrote stands in local variables, so a traceback must not print them."""
    secret = "".join(["sk-", "TEST", "ONLY", "value"])
    try:
        fail_with(secret)
    except ZeroDivisionError:
        error = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "x", 1, "failed", None, error)

    line = structlog_formatter().format(record)

    assert "ZeroDivisionError" in line
    assert secret not in line


def test_log_line_never_holds_the_secret_of_a_sign_in_link():
    record = logging.LogRecord(
        "django.security.csrf",
        logging.WARNING,
        "x",
        1,
        "Forbidden: %s",
        ("/sign-in/abc123/",),
        None,
    )

    line = structlog_formatter().format(record)

    assert "/sign-in/" in line
    assert "abc123" not in line


def structlog_formatter() -> logging.Formatter:
    found = [handler.formatter for handler in logging.getLogger().handlers]
    return next(each for each in found if isinstance(each, structlog.stdlib.ProcessorFormatter))


def fail_with(told: str) -> float:
    return len(told) / 0
