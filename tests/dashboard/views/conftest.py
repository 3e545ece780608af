import pytest
from django.test import Client

from memory.models import User


@pytest.fixture
def page(client: Client, alice: User) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice)
    return client
