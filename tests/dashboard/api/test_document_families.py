"""Documents over REST: their versions, their members, their progress, and what goes with them."""

from typing import Any

import pytest

from ingest.models import Document, Member
from memory.models import Embedding, Fact, Principal, Scope, User, acting_as
from memory.services.embeddings import embed_waiting
from tests.e2e.furnishing import add_passage
from tests.e2e.passages import add_passages
from tests.fixtures import Api, add_document
from tests.stored_pages import store

pytestmark = pytest.mark.django_db


def seen(api: Api, document: Document) -> Any:
    return api("get", f"documents/{document.pk}").json()


def test_each_version_names_its_neighbors(api: Api, alice: User) -> None:
    contents = (b"Ships in May.", b"Ships in June.", b"Ships in July.")
    first, second, third = (store(alice, "plan.md", each, status="done") for each in contents)

    told = [seen(api, each) for each in (first, second, third)]

    ids = [str(each.pk) for each in (first, second, third)]
    assert [each["version"] for each in told] == [1, 2, 3]
    assert [each["replaces"] for each in told] == [None, ids[0], ids[1]]
    assert [each["replaced_by"] for each in told] == [ids[1], ids[2], None]
    listed = api("get", "documents", {"current": "true"}).json()["documents"]
    assert [each["id"] for each in listed] == [ids[2]]
    assert len(api("get", "documents").json()["documents"]) == 3


def test_list_of_documents_asks_the_same_number_of_queries_for_many(
    api: Api, alice: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        store(alice, "plan.md", b"Version %d" % number, status="done")
    api("get", "documents", {"limit": 1})

    with django_assert_max_num_queries(30) as one:
        api("get", "documents", {"limit": 1})
    with django_assert_max_num_queries(len(one)):
        api("get", "documents", {"limit": 6})


def test_list_is_searched_by_name(api: Api, alice: User) -> None:
    add_document(alice, "Prüfbericht März.txt")
    add_document(alice, "Other.txt")

    for words in ("prüfbericht", "Pru\u0308f"):
        listed = api("get", "documents", {"q": words}).json()["documents"]
        assert [each["name"] for each in listed] == ["Prüfbericht März.txt"]


@pytest.fixture
def mail(alice: User) -> Document:
    """A mail with an attachment that was read and one that became no document."""
    found = add_document(alice, "mail.eml", status="done", passages=1)
    child = add_document(alice, "report.txt", status="failed", reason="Damaged.", parent=found)
    with acting_as(Principal(alice)):
        add_passage(found.scope, found, 0)
        add_passage(found.scope, child, 0)
        for ordinal, (path, held, reason) in enumerate(
            [("a/report.txt", child, ""), ("song.mp3", None, "MP3 files are not read.")]
        ):
            Member.objects.create(
                scope=found.scope,
                container=found,
                ordinal=ordinal,
                path=path,
                document=held,
                reason=reason,
            )
    return found


def test_container_names_its_members_and_each_member_its_container(
    api: Api, alice: User, mail: Document
) -> None:
    with acting_as(Principal(alice)):
        child = Document.objects.get(name="report.txt")

    assert seen(api, mail)["members"] == [
        {
            "path": "a/report.txt",
            "document": str(child.pk),
            "status": "failed",
            "reason": "Damaged.",
        },
        {
            "path": "song.mp3",
            "document": None,
            "status": None,
            "reason": "MP3 files are not read.",
        },
    ]
    assert seen(api, child)["parent"] == str(mail.pk)
    assert "members" not in api("get", "documents").json()["documents"][0]


def test_note_of_a_document_is_told(api: Api, alice: User) -> None:
    note = "Named .pdf, but it is a Word document."

    assert seen(api, add_document(alice, "a.pdf", note=note))["note"] == note
    assert seen(api, add_document(alice, "b.txt"))["note"] is None


def test_progress_is_told_in_percent(api: Api, alice: User) -> None:
    document = add_document(alice, "a.pdf", status="parsing", pages_total=10, pages_done=5)

    progress = seen(api, document)["progress"]

    assert (progress["percent"], progress["seconds_left"]) == (30, None)


def test_dry_run_counts_what_goes_and_leaves_it(api: Api, alice: User, mail: Document) -> None:
    with acting_as(Principal(alice)):
        embed_waiting()
        vectors, facts = Embedding.objects.count(), Fact.objects.count()

    response = api("delete", f"documents/{mail.pk}?dry_run=true")

    assert response.status_code == 200
    assert response.json() == {"passages": 2, "vectors": vectors, "edited": 0, "documents": 1}
    with acting_as(Principal(alice)):
        assert (Fact.objects.count(), Document.objects.count()) == (facts, 2)
    assert api("delete", f"documents/{mail.pk}").status_code == 204
    assert api("get", "documents").json()["documents"] == []


def test_dry_run_is_for_those_who_may_delete(api: Api, bob_api: Api, staff: User) -> None:
    shared = add_document(staff, "a.txt", scope=Scope.objects.for_everyone())

    assert api("delete", f"documents/{shared.pk}?dry_run=true").status_code == 403
    assert api("delete", f"documents/{shared.pk}").status_code == 403
    own = add_document(staff, "b.txt")
    assert bob_api("delete", f"documents/{own.pk}?dry_run=true").status_code == 404


def test_passage_of_recall_says_where_on_its_page_it_stands(api: Api, alice: User) -> None:
    document = add_document(alice, "a.pdf", status="done")
    places = [[2, [0.1, 0.2, 0.3, 0.4]]]
    (fact,) = add_passages(document, [(2, "The walnut.", places)])

    told = api("get", f"facts/{fact.pk}").json()["document"]

    assert (told["page"], told["places"]) == (2, places)
