"""The settings by which Longhand is reached, and by which it reaches others."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from dashboard.project.addresses import is_every_address
from dashboard.project.env import read_environment


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("LONGHAND_URL", "https://example.org/memory", "without a path"),
        ("LONGHAND_URL", "https://me:word@example.org", "without a path"),
        ("LONGHAND_TRUSTED_ORIGINS", "example.org", "https://host"),
        ("LONGHAND_TRUSTED_ORIGINS", "https://a.example.org,https://b.example.org/x", "/x"),
        ("LONGHAND_TRUSTED_PROXIES", "10.0.0.0/8,proxy.local", "10.0.0.0/8"),
        ("LONGHAND_TRUSTED_PROXIES", "*", "addresses or ranges"),
        ("LONGHAND_REDIS_URL", "127.0.0.1:6379", "redis://"),
        ("LONGHAND_REDIS_URL", "redis://", "redis://"),
        ("LONGHAND_REDIS_URL", "redis://host:99999/0", "redis://"),
    ],
)
def test_wrong_address_is_refused_in_one_line_with_the_remedy(
    name: str, value: str, says: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=name) as refusal:
        read_environment({name: value})

    assert says in str(refusal.value)
    assert len(str(refusal.value)) <= 200


@pytest.mark.parametrize(
    ("address", "is_every"),
    [
        ("http://0.0.0.0:7700", True),
        ("http://[::]:7700", True),
        ("http://127.0.0.1:7700", False),
        ("http://192.168.1.20:7700", False),
        ("https://memory.example.org", False),
    ],
)
def test_address_that_leads_no_other_device_here_is_known(address: str, *, is_every: bool) -> None:
    assert is_every_address(address) is is_every


def test_wrong_redis_address_is_not_shown_for_it_may_hold_a_password() -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        read_environment({"LONGHAND_REDIS_URL": "http://:lamp-oil@host"})

    assert "lamp-oil" not in str(refusal.value)


def test_lists_of_addresses_are_read_apart_by_commas() -> None:
    env = read_environment(
        {
            "LONGHAND_TRUSTED_ORIGINS": "https://a.example.org/, http://b.example.org:8080",
            "LONGHAND_TRUSTED_PROXIES": "127.0.0.1, 10.1.2.3/8, ::1",
            "LONGHAND_REDIS_URL": "rediss://:word@redis.example.org:6380/2",
        }
    )

    assert env.trusted_origins == ["https://a.example.org", "http://b.example.org:8080"]
    assert env.trusted_proxies == ["127.0.0.1", "10.0.0.0/8", "::1"]
    assert env.redis_url == "rediss://:word@redis.example.org:6380/2"


def test_nothing_is_trusted_and_no_other_server_used_unless_it_is_set() -> None:
    env = read_environment({"LONGHAND_HOME": "/srv/longhand"})

    assert env.trusted_origins == env.trusted_proxies == []
    assert env.redis_url is env.metrics_token is None
    assert str(env.files) == "/srv/longhand/files"
