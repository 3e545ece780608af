"""Documents that open with a password: asked for, used once, found nowhere afterwards."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    retry_document,
    retry_failed_documents,
    store_document,
)
from ingest.services.leases import claim_next, requeue_stale
from ingest.services.page_images import LOCKED, known_trouble
from ingest.tasks import read_next_document
from memory.domain.errors import InvalidInput
from memory.models import Fact, JobRun, Principal, Scope, acting_as
from memory.services.seals import unseal
from tests.fixtures import add_document, agent_of
from tests.locked_pdf import PASSWORD, WORDS, locked_pdf
from tests.mentions import mentions


@pytest.fixture
def document(alice, as_alice, settings, tmp_path):
    """A locked document of alice's that was tried without its password."""
    settings.LONGHAND_HOME = tmp_path
    upload = ContentFile(locked_pdf(), name="locked.pdf")
    scope = Scope.objects.for_user(alice)
    stored = store_document(principal=as_alice, scope=scope, upload=upload).document
    read_next_document()
    stored.refresh_from_db()
    return stored


@pytest.fixture
def retry(as_alice, document):
    def retried(password: str = "") -> Document:
        return retry_document(principal=as_alice, document_id=document.pk, password=password)

    return retried


def state(document):
    document.refresh_from_db()
    return document.status, document.needs_password


def test_locked_document_fails_at_once_and_asks_for_its_password(document):
    assert state(document) == ("failed", True)
    assert document.reason.startswith("The file is protected by a password.")
    assert (document.attempts, document.retry_at) == (1, None)
    assert default_storage.exists(document.file)
    assert Fact.objects.passages().count() == 0
    read_next_document()
    assert JobRun.objects.count() == 1


def test_right_password_makes_the_document_succeed_and_stays_nowhere(
    document, retry, caplog, capfd
):
    retry(PASSWORD)
    assert mentions(PASSWORD) == []

    read_next_document()

    assert state(document) == ("done", False)
    assert known_trouble(document, 1) == LOCKED
    assert Fact.objects.passages().get().text == WORDS
    assert document.sealed_password == ""
    assert mentions(PASSWORD) == []
    assert PASSWORD not in caplog.text
    assert PASSWORD not in "".join(capfd.readouterr())


def test_search_for_the_password_would_find_it(document):
    Document.objects.filter(pk=document.pk).update(reason=f"x{PASSWORD.lower()}x")

    assert mentions(PASSWORD) == ["ingest_document"]


def test_wrong_password_fails_again_without_another_try(document, retry, caplog):
    retry("Heron-Kettle")

    read_next_document()

    assert state(document) == ("failed", True)
    assert document.reason.startswith("The password is wrong.")
    assert document.attempts == 1
    assert claim_next() is None
    assert mentions("Heron-Kettle") == []
    assert "Heron-Kettle" not in caplog.text


def test_password_is_taken_out_of_the_row_with_the_claim(document, retry):
    retry(PASSWORD)

    claim = claim_next()

    document.refresh_from_db()
    assert document.sealed_password == claim.document.sealed_password == ""
    assert unseal(claim.sealed_password) == PASSWORD
    assert PASSWORD not in repr(claim)
    assert claim.sealed_password not in repr(claim)


def test_killed_worker_loses_the_password_and_not_the_document(document, retry):
    retry(PASSWORD)
    claim_next()
    past = timezone.now() - timedelta(seconds=1)
    Document.objects.filter(pk=document.pk).update(claimed_until=past)

    requeue_stale()
    read_next_document()

    assert state(document) == ("failed", True)
    retry(PASSWORD)
    read_next_document()
    assert state(document) == ("done", False)


def test_password_goes_when_the_document_is_canceled_before_its_turn(as_alice, document, retry):
    retry(PASSWORD)

    cancel_document(principal=as_alice, document_id=document.pk)

    document.refresh_from_db()
    assert document.sealed_password == ""


def test_password_that_was_sealed_with_a_lost_key_is_asked_for_again(document, retry, settings):
    retry(PASSWORD)
    settings.SECRET_KEY = "another key of this installation, long enough to be one"

    read_next_document()

    assert state(document) == ("failed", True)
    assert document.reason.startswith("The file is protected by a password.")


@pytest.mark.parametrize("password", ["a\0b", "two\nlines", "\ud83d", "x" * 1_001])
def test_password_that_cannot_be_one_is_refused_with_its_field(document, retry, password):
    with pytest.raises(InvalidInput) as refusal:
        retry(password)

    assert refusal.value.field == "password"
    assert password not in str(refusal.value)
    assert state(document) == ("failed", True)


def test_all_failed_documents_are_read_again_except_those_that_need_a_password(
    alice, as_alice, document
):
    states = {name: add_document(alice, name) for name in ("failed", "canceled", "done", "queued")}
    for status, each in states.items():
        Document.objects.filter(pk=each.pk).update(status=status, attempts=3, reason="Why.")

    count = retry_failed_documents(principal=as_alice)

    assert count == 1
    assert state(document) == ("failed", True)
    again = states["failed"]
    assert state(again) == ("queued", False)
    assert (again.attempts, again.reason) == (0, "")
    assert state(states["canceled"]) == ("canceled", False)
    assert states["queued"].attempts == 0


def test_all_failed_documents_of_others_stay_failed_even_for_the_staff(alice, bob, staff):
    own = add_document(staff, "own", status="failed")
    shared = add_document(staff, "shared", scope=Scope.objects.for_everyone(), status="failed")
    others = [add_document(each, "theirs", status="failed") for each in (alice, bob)]
    by_agent = add_document(
        alice, "agent", scope=Scope.objects.for_agent(agent_of(alice, "quill")), status="failed"
    )

    def retried(user, **rights):
        principal = Principal(user, **rights)
        with acting_as(principal):
            return retry_failed_documents(principal=principal)

    assert retried(bob) == 1
    assert retried(staff, may_write_global=True) == 2
    assert retried(alice) == 2
    assert [retried(each) for each in (alice, bob, staff)] == [0, 0, 0]
    for user, each in ((staff, own), (staff, shared), (alice, by_agent)):
        with acting_as(Principal(user)):
            assert state(each) == ("queued", False)
    assert len(others) == 2


def test_shared_document_is_read_again_only_by_those_who_may_change_it(staff, alice):
    shared = add_document(staff, "shared", scope=Scope.objects.for_everyone(), status="failed")
    principal = Principal(alice)

    with acting_as(principal):
        with pytest.raises(PermissionDenied):
            retry_document(principal=principal, document_id=shared.pk, password=PASSWORD)
        assert retry_failed_documents(principal=principal) == 0
        assert state(shared) == ("failed", False)
