"""Importing versions of what is here: they follow those, and only the newest is found."""

import pytest
from django.core.management import call_command

from ingest.models import Document
from ingest.tasks import read_next_document
from memory.models import Fact, Principal, User, across_owners, acting_as
from memory.services.accounts import create_account
from tests.fixtures import add_document

pytestmark = pytest.mark.django_db

HERE = ["The lease ends in March.", "The lease ends in April."]
COME = ["The lease ends in May.", "The lease ends in June."]


def keep(user: User, texts: list[str]) -> None:
    for text in texts:
        add_document(user, "lease.txt", text=text)
        with across_owners():
            read_next_document()


def chain(user: User) -> list[tuple[int, int | None, str, str, int]]:
    """Of each version: its number, the one it follows, and its passage."""
    with acting_as(Principal(user)):
        facts = Fact.objects.filter(document__isnull=False).order_by("document__version")
        return [
            (
                each.document.version,
                each.document.replaces and each.document.replaces.version,
                each.text,
                each.status,
                each.version,
            )
            for each in facts
        ]


@pytest.mark.parametrize("come", [1, 2])
@pytest.mark.parametrize("here", [0, 1, 2])
def test_imported_versions_follow_those_that_are_here(own_files, alice, tmp_path, here, come):
    nora = create_account("nora@example.org")
    keep(alice, COME[:come])
    keep(nora, HERE[:here])
    exported = tmp_path / "all.zip"
    call_command("export", "--user", alice.email, "--output", str(exported))

    for _ in range(2):
        call_command("import", str(exported), "--user", nora.email)

        texts = [*HERE[:here], *COME[:come]]
        last = len(texts)
        assert chain(nora) == [
            (number, number - 1 or None, text, "active" if number == last else "superseded", number)
            for number, text in enumerate(texts, start=1)
        ]


def test_imported_version_that_is_here_already_stays_where_it_is(own_files, alice, tmp_path):
    nora = create_account("nora@example.org")
    keep(alice, [HERE[0], COME[0]])
    keep(nora, HERE)
    call_command("export", "--user", alice.email, "--output", str(tmp_path / "all.zip"))

    call_command("import", str(tmp_path / "all.zip"), "--user", nora.email)

    assert [each[:3] for each in chain(nora)] == [
        (1, None, HERE[0]), (2, 1, HERE[1]), (3, 2, COME[0]),
    ]  # fmt: skip
    assert [each[3] for each in chain(nora)] == ["superseded", "superseded", "active"]
    with acting_as(Principal(nora)):
        assert [each.version for each in Document.objects.current()] == [3]
