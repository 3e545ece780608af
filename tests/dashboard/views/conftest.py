from typing import Any

import pytest
from django.test import Client

from memory.models import User


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    # A page does the same for any hash; the browser tests use the one that is slow on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def page(client: Client, alice: User) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice)
    return client
