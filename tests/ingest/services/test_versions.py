"""Versions of a document: numbered, one of them current, and what people changed survives."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    delete_document,
    foresee_document,
    retry_document,
)
from ingest.services.leases import claim_next
from ingest.services.reading import parse_document
from ingest.tasks import read_next_document
from memory.domain.errors import InvalidInput
from memory.models import Embedding, Fact, FactHistory, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.counts import counts_of
from memory.services.facts import correct_fact, forget_fact, restore_fact
from tests.ingest.services.versioned import found, only, passage, store

__all__ = ["store"]

LABELS = {
    1: "The greenhouse key hangs behind the door.",
    2: "The greenhouse key lies under the pot.",
    3: "The greenhouse key is with Noor now.",
}


@pytest.fixture
def keep(store):
    """Stores one of the three versions, unread."""

    def kept(number: int) -> Document:
        return store(LABELS[number]).document

    return kept


@pytest.fixture
def versions(keep):
    """Version one and two, both read."""
    first = keep(1)
    read_next_document()
    second = keep(2)
    read_next_document()
    return fresh(first), fresh(second)


def fresh(document: Document) -> Document:
    return Document.objects.get(pk=document.pk)


def fail(document: Document) -> None:
    """As a worker does with a document that it finds damaged."""
    Document.objects.filter(pk=document.pk).update(retry_at=None)
    default_storage.delete(document.file)
    default_storage.save(document.file, ContentFile(b"%PDF-1.4 broken"))
    read_next_document()
    assert fresh(document).status == "failed"


def test_other_bytes_of_the_same_name_are_a_new_version(keep):
    first, second, third = keep(1), keep(2), keep(3)

    assert [each.version for each in (first, second, third)] == [1, 2, 3]
    assert (second.replaces, third.replaces) == (first, second)
    assert list(Document.objects.versions_of(first)) == [third, second, first]


def test_person_is_told_which_version_it_is(store):
    store(LABELS[1])

    told = store(LABELS[2]).told

    assert told == "“notes.txt” is kept as version 2; the one before is found until it is read."


def test_same_names_in_other_folders_are_other_documents(store):
    first = store("a", name="README.md", origin="upload:a/README.md").document
    second = store("b", name="README.md", origin="upload:b/README.md").document

    assert (first.version, second.version, second.replaces) == (1, 1, None)


def test_same_name_in_another_scope_is_another_document(store, as_alice, staff):
    first = store(LABELS[1]).document
    second = store(LABELS[2], scope=Scope.objects.for_everyone()).document

    assert (first.version, second.version) == (1, 1)


@pytest.mark.parametrize("name", ["pasted.txt", "image.png"])
def test_what_was_pasted_never_is_a_version_of_another(store, name):
    assert [store(text, name=name).document.version for text in ("one", "two")] == [1, 1]


def test_new_version_keeps_the_tags_unless_others_are_given(store):
    store(LABELS[1], tags=("home",))

    assert store(LABELS[2]).document.tags == ["home"]
    assert store(LABELS[3], tags=("keys",)).document.tags == ["keys"]


def test_old_version_is_found_until_the_new_one_can_be(as_alice, keep):
    keep(1)
    read_next_document()
    keep(2)

    claim = claim_next()
    assert found(as_alice) == {LABELS[1]}
    parse_document(claim)
    assert found(as_alice, mode="keyword") == {LABELS[2]}


def test_old_passages_are_replaced_and_say_by_what(as_alice, versions):
    first, second = versions

    old = passage(first)

    assert found(as_alice) == {LABELS[2]}
    assert (old.status, old.superseded_by) == ("superseded", None)
    assert old.status_reason == "Replaced by version 2 of notes.txt"
    assert old.superseded_at is not None
    assert not Embedding.objects.get(fact=old).is_searchable
    assert fresh(first).status == "done"
    assert passage(second).status == "active"


def test_history_tells_when_a_passage_was_replaced_and_came_back(as_alice, versions):
    first, second = versions
    delete_document(principal=as_alice, document_id=second.pk)

    states = FactHistory.objects.of(passage(first).pk)

    assert [each.status for each in states] == ["active", "superseded", "active"]
    assert {each.text for each in states} == {LABELS[1]}
    assert {each.pgh_label for each in states[1:]} == {"changed"}


def test_question_as_of_then_finds_what_was_current_then(as_alice, keep):
    keep(1)
    read_next_document()
    then = timezone.now()
    keep(2)
    read_next_document()

    query = RecallQuery(text="greenhouse key", mode="keyword", as_of=then)

    results = recall(query, as_alice.recall_scopes()).results
    assert [each.row.text for each in results] == [LABELS[1]]


def test_replaced_passages_are_not_counted(as_alice, versions):
    assert counts_of(as_alice).passages == 1
    assert counts_of(as_alice).superseded == 0


def test_current_documents_are_those_that_no_newer_one_replaced(keep, store):
    first = keep(1)
    other = store("Ferns need shade.", name="ferns.txt").document
    pasted = store("Moss needs shade.", name="pasted.txt").document
    read_next_document()
    second = keep(2)
    assert set(Document.objects.current()) == {first, second, other, pasted}

    for _ in range(3):
        read_next_document()

    assert set(Document.objects.current()) == {second, other, pasted}


@pytest.mark.parametrize("end", [fail, "cancel", "delete"])
def test_old_version_stays_current_when_the_new_one_comes_to_nothing(as_alice, keep, end):
    keep(1)
    read_next_document()
    second = keep(2)

    come_to_nothing(as_alice, second, end)

    assert found(as_alice) == {LABELS[1]}


@pytest.mark.parametrize("end", ["cancel", "delete", "killed"])
def test_old_version_becomes_current_again_when_the_new_one_comes_to_nothing(
    as_alice, versions, end
):
    first, second = versions
    # One that waits for its vectors alone is never given up.
    status = "parsing" if end == "killed" else "embedding"
    Document.objects.filter(pk=second.pk).update(status=status, attempts=5)

    come_to_nothing(as_alice, second, end)

    back = passage(first)
    assert found(as_alice) == {LABELS[1]}
    assert (back.status, back.status_reason, back.superseded_at) == ("active", "", None)
    assert Embedding.objects.get(fact=back).is_searchable


def come_to_nothing(principal, document: Document, end) -> None:
    from ingest.services.leases import requeue_stale

    if end == "cancel":
        cancel_document(principal=principal, document_id=document.pk)
    elif end == "delete":
        delete_document(principal=principal, document_id=document.pk)
    elif end == "killed":
        requeue_stale()
        assert fresh(document).status == "failed"
    else:
        end(document)


def test_failed_version_replaces_the_old_one_once_it_is_read_after_all(as_alice, keep):
    keep(1)
    read_next_document()
    second = keep(2)
    cancel_document(principal=as_alice, document_id=second.pk)

    retry_document(principal=as_alice, document_id=second.pk)
    read_next_document()

    assert found(as_alice) == {LABELS[2]}


def test_versions_that_are_read_out_of_order_end_with_the_newest(as_alice, keep):
    first, second, third = keep(1), keep(2), keep(3)
    for document in (first, third, second):
        only(document)
        read_next_document()

    assert found(as_alice) == {LABELS[3]}
    assert {fresh(each).status for each in (first, second, third)} == {"done"}
    assert passage(second).status_reason == "Replaced by version 3 of notes.txt"


def test_version_in_the_middle_can_be_deleted(as_alice, keep):
    first, second, third = keep(1), keep(2), keep(3)
    for _ in range(3):
        read_next_document()

    delete_document(principal=as_alice, document_id=second.pk)

    assert fresh(third).replaces == first
    assert found(as_alice) == {LABELS[3]}
    delete_document(principal=as_alice, document_id=third.pk)
    assert found(as_alice) == {LABELS[1]}


def test_bytes_of_an_older_version_make_it_current_again(as_alice, keep, store, versions):
    first, second = versions
    third = keep(3)
    read_next_document()

    again = store(LABELS[1])

    assert (again.document.pk, again.is_duplicate) == (first.pk, True)
    assert again.told == "“notes.txt” is as its version 1 was, which is current again."
    assert [each.pk for each in Document.objects.versions_of(first)] == [
        first.pk, third.pk, second.pk,
    ]  # fmt: skip
    assert (fresh(first).version, fresh(first).replaces) == (4, third)
    assert (fresh(second).replaces, fresh(third).replaces) == (None, second)
    assert found(as_alice) == {LABELS[1]}
    assert passage(first).version == 4


def test_back_and_forth_ends_with_the_last(as_alice, store, versions):
    for number in (1, 2, 1, 2):
        store(LABELS[number])

    assert found(as_alice) == {LABELS[2]}
    assert Document.objects.count() == 2


def test_bytes_of_an_older_version_that_could_not_be_read_leave_the_current_one(
    as_alice, store, keep
):
    first = keep(1)
    cancel_document(principal=as_alice, document_id=first.pk)
    keep(2)
    read_next_document()

    again = store(LABELS[1])

    assert again.is_duplicate
    assert again.told == "These bytes are version 1 of “notes.txt”, which could not be read."
    assert found(as_alice) == {LABELS[2]}


def test_bytes_that_another_name_has_are_said_to_be_there(store):
    first = store(LABELS[1]).document
    store(LABELS[2], name="other.txt")

    same = store(LABELS[1], name="copy.txt")
    over = store(LABELS[1], name="other.txt")

    assert (same.document, same.is_duplicate) == (first, True)
    assert same.told == "“copy.txt” is already stored as “notes.txt”."
    assert over.told.endswith("Version 1 of “other.txt” stays as it is.")
    assert store(LABELS[1]).told == ""


def test_pasted_text_that_comes_as_a_file_is_a_version_of_that_file(as_alice, store, keep):
    keep(1)
    read_next_document()
    pasted = store(LABELS[2], name="pasted.txt").document
    read_next_document()
    assert found(as_alice) == {LABELS[1], LABELS[2]}

    given = store(LABELS[2])

    assert (given.document.pk, given.document.version) == (pasted.pk, 2)
    assert found(as_alice) == {LABELS[2]}


def test_foreseeing_tells_the_version_and_keeps_nothing(alice, as_alice, keep):
    keep(1)
    scope = Scope.objects.for_user(alice)

    def foreseen(text: str):
        upload = ContentFile(text.encode(), name="notes.txt")
        return foresee_document(scope=scope, upload=upload, origin="upload:notes.txt")

    assert (foreseen(LABELS[2]).known, foreseen(LABELS[2]).version) == (None, 2)
    assert foreseen(LABELS[1]).known.version == 1
    assert Document.objects.count() == 1


EDITS = {
    "wording": {"text": "The greenhouse key hangs behind the red door."},
    "tags": {"tags": ["keys"]},
    "importance": {"importance": 9},
    "pin": {"pinned": True},
    "critical": {"critical": True},
    "label": {"category": "decision"},
    "why": {"why": "Noor asked for it."},
    "end": {"expires_at": timezone.now() + timezone.timedelta(days=900)},
}


@pytest.mark.parametrize("edit", EDITS)
def test_passage_that_a_person_changed_survives_the_new_version(as_alice, keep, edit):
    first = keep(1)
    read_next_document()
    changed = correct_fact(principal=as_alice, fact_id=passage(first).pk, changes=EDITS[edit])
    keep(2)
    for _ in range(2):
        read_next_document()

    kept = passage(first)

    assert (kept.status, kept.text) == ("active", changed.text)
    assert kept.status_reason == "Kept from version 1 of notes.txt: a person changed it"
    assert found(as_alice, mode="keyword") == {changed.text, LABELS[2]}


def test_passage_that_a_person_restored_survives_the_next_version(as_alice, keep, versions):
    first, _ = versions
    restore_fact(principal=as_alice, fact_id=passage(first).pk)
    keep(3)
    read_next_document()

    assert found(as_alice) == {LABELS[1], LABELS[3]}


def test_passage_that_a_person_forgot_stays_forgotten(as_alice, keep):
    first = keep(1)
    read_next_document()
    forget_fact(principal=as_alice, fact_id=passage(first).pk)
    second = keep(2)
    read_next_document()
    delete_document(principal=as_alice, document_id=second.pk)

    assert passage(first).status == "archived"
    assert found(as_alice) == set()


def test_what_a_job_changed_counts_as_no_person_s_word(as_alice, keep):
    first = keep(1)
    read_next_document()
    Fact.objects.filter(document=first).update(category="decision")
    keep(2)
    read_next_document()

    assert passage(first).status == "superseded"


def test_reason_of_a_kept_passage_goes_when_its_version_is_current_again(as_alice, versions):
    first, second = versions
    restore_fact(principal=as_alice, fact_id=passage(first).pk)
    delete_document(principal=as_alice, document_id=second.pk)

    assert (passage(first).status, passage(first).status_reason) == ("active", "")


def test_version_waiting_for_its_vectors_when_it_is_replaced_gets_them_when_it_is_back(
    as_alice, keep, vectors
):
    first = keep(1)
    parse_document(claim_next())
    Document.objects.update(status="done", claim_token=None, claimed_until=None)
    second = keep(2)
    read_next_document()
    assert not Embedding.objects.filter(fact=passage(first)).exists()

    delete_document(principal=as_alice, document_id=second.pk)
    vectors()

    assert Embedding.objects.get(fact=passage(first)).is_searchable


def test_document_that_is_done_cannot_be_canceled(as_alice, versions):
    with pytest.raises(InvalidInput, match="nothing to cancel"):
        cancel_document(principal=as_alice, document_id=versions[1].pk)
