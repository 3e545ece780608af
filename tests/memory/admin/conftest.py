"""People at their desks in the admin."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import User


class Clerk:
    """Somebody who is signed in, at the pages of one noun."""

    def __init__(self, user: User, noun: str = "memory_fact") -> None:
        self.client = Client()
        self.client.force_login(user)
        self.noun = noun

    def path(self, page: str, *pk: Any) -> str:
        return reverse(f"admin:{self.noun}_{page}", args=pk)

    def read(self, page: str = "changelist", *pk: Any, query: str = "") -> Any:
        return self.client.get(self.path(page, *pk) + query)

    def send(self, page: str, *pk: Any, **fields: Any) -> Any:
        return self.client.post(self.path(page, *pk), fields, follow=True)

    def act(self, action: str, pks: Any = (), *, query: str = "", **told: Any) -> Any:
        """Run an action on these rows, or on all that match the query."""
        body = {"action": action, "index": "0", "_selected_action": [str(pk) for pk in pks], **told}
        if not pks:
            body |= {"select_across": "1", "_selected_action": ["any"]}
        return self.client.post(self.path("changelist") + query, body, follow=True)


def said(response: Any) -> list[str]:
    """What the page tells after an action."""
    return [str(message) for message in response.context["messages"]]


@pytest.fixture
def clerk() -> Callable[..., Clerk]:
    return Clerk
