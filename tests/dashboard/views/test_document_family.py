"""Versions, members and deletion on the pages about documents."""

import pytest
from django.test import Client
from django.urls import reverse

from ingest.models import Document, Member
from ingest.services.documents import delete_document
from memory.models import Embedding, Fact, Principal, Scope, User, acting_as
from memory.services.embeddings import embed_waiting
from memory.services.facts import correct_fact
from tests.e2e.furnishing import add_passage
from tests.fixtures import add_document
from tests.pages import part_of, text_of
from tests.stored_pages import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions(alice: User) -> list[Document]:
    """Three versions of one file, the oldest first."""
    contents = (b"Ships in May.", b"Ships in June.", b"Ships in July.")
    return [store(alice, "plan.md", content, status="done") for content in contents]


def test_older_version_says_that_a_newer_one_exists_and_leads_to_it(
    page: Client, versions: list[Document]
) -> None:
    first, second, third = versions

    shown = text_of(page.get(first.get_absolute_url()))

    newer = part_of(shown, 'id="newer"', "</div>")
    assert "A newer version exists" in newer
    assert f'<a href="{third.get_absolute_url()}">version 3</a>' in newer
    others = part_of(shown, 'id="versions"')
    assert others.index(third.get_absolute_url()) < others.index(second.get_absolute_url())
    assert first.get_absolute_url() not in others


def test_newest_version_names_the_older_ones_and_warns_of_nothing(
    page: Client, versions: list[Document]
) -> None:
    shown = text_of(page.get(versions[2].get_absolute_url()))

    assert 'id="newer"' not in shown
    assert '<a class="num" href="#versions">version 3</a>' in shown
    for older in versions[:2]:
        assert older.get_absolute_url() in part_of(shown, 'id="versions"')


def test_version_that_cannot_be_read_yet_leaves_the_older_one_current(
    page: Client, alice: User, versions: list[Document]
) -> None:
    store(alice, "plan.md", b"Ships in August.", status="failed", reason="Damaged.")

    shown = text_of(page.get(versions[2].get_absolute_url()))

    assert "version 3" in shown
    assert 'id="newer"' not in shown


def test_document_with_one_version_speaks_of_none(page: Client, alice: User) -> None:
    document = add_document(alice, "a.txt", status="done")

    shown = text_of(page.get(document.get_absolute_url()))

    assert "a.txt" in shown
    assert 'id="versions"' not in shown
    assert 'id="newer"' not in shown


def test_list_shows_current_versions_until_the_older_ones_are_asked_for(
    page: Client, versions: list[Document]
) -> None:
    table = part_of(text_of(page.get(reverse("document-list"))), 'id="documents-table"')
    assert [each.get_absolute_url() in table for each in versions] == [False, False, True]
    assert "version 3" in table
    assert "?versions=all" in table

    table = part_of(
        text_of(page.get(reverse("document-list") + "?versions=all")), 'id="documents-table"'
    )

    assert all(each.get_absolute_url() in table for each in versions)


def test_list_without_versions_offers_none(page: Client, alice: User) -> None:
    add_document(alice, "a.txt", status="done")

    shown = text_of(page.get(reverse("document-list")))

    assert "a.txt" in part_of(shown, 'id="documents-table"')
    assert "versions=all" not in shown


@pytest.mark.parametrize("words", ["prüf", "Pru\u0308f", "BERICHT", " märz "])
def test_list_is_searched_by_name_however_its_letters_are_composed(
    page: Client, alice: User, words: str
) -> None:
    add_document(alice, "Prüfbericht März.txt", status="done")
    add_document(alice, "Pru\u0308fbericht Ma\u0308rz 2.txt", status="done")
    add_document(alice, "Other.txt", status="done")

    table = part_of(
        text_of(page.get(reverse("document-list"), {"q": words})), 'id="documents-table"'
    )

    assert table.count('id="document-') == 2
    assert "Other.txt" not in table


def test_search_without_a_match_leads_back_to_all(page: Client, alice: User) -> None:
    add_document(alice, "a.txt", status="done")

    shown = text_of(page.get(reverse("document-list"), {"q": "<zzz>"}))

    assert "No document that was read has this in its name." in shown
    assert 'value="&lt;zzz&gt;"' in shown


@pytest.fixture
def mail(alice: User) -> Document:
    """A mail with three attachments: one read, one that failed, one that is no document."""
    found = add_document(alice, "mail.eml", status="done", passages=1)
    with acting_as(Principal(alice)):
        add_passage(found.scope, found, 0)
        children = [
            add_document(alice, name, status=status, parent=found, reason=reason)
            for name, status, reason in (
                ("report.txt", "done", ""),
                ("broken.docx", "failed", "The file is damaged."),
            )
        ]
        add_passage(found.scope, children[0], 0)
        members = [("report.txt", children[0], ""), ("sub/broken.docx", children[1], "")]
        members.append(("song.mp3", None, "MP3 files are not read."))
        Member.objects.bulk_create(
            Member(
                scope=found.scope,
                container=found,
                ordinal=ordinal,
                path=path,
                document=child,
                reason=reason,
            )
            for ordinal, (path, child, reason) in enumerate(members)
        )
    return found


def test_mail_lists_what_was_found_in_it_and_why_something_was_not_read(
    page: Client, mail: Document, alice: User
) -> None:
    shown = part_of(text_of(page.get(mail.get_absolute_url())), 'id="members"')

    with acting_as(Principal(alice)):
        report, broken = Document.objects.filter(parent=mail).order_by("pk")
    assert f'href="{report.get_absolute_url()}">report.txt</a>' in shown
    assert f'href="{broken.get_absolute_url()}">sub/broken.docx</a>' in shown
    assert "The file is damaged." in shown
    assert "song.mp3" in shown
    assert "MP3 files are not read." in shown
    assert "3 files" in shown


def test_attachment_leads_up_to_its_mail(page: Client, mail: Document, alice: User) -> None:
    with acting_as(Principal(alice)):
        report = Document.objects.get(name="report.txt")

    shown = text_of(page.get(report.get_absolute_url()))

    link = f'<a href="{mail.get_absolute_url()}">mail.eml</a>'
    assert link in part_of(shown, 'class="crumb"', "</div>")
    assert f"<dt>Found in</dt><dd>{link}</dd>" in shown
    assert "in mail.eml" in text_of(page.get(reverse("document-list")))


def test_deleting_names_all_that_goes_before_it_goes(
    page: Client, mail: Document, alice: User
) -> None:
    with acting_as(Principal(alice)) as principal:
        embed_waiting()
        own = Fact.objects.get(document=mail)
        correct_fact(principal=principal, fact_id=own.pk, changes={"text": "Ships in May."})
        vectors = Embedding.objects.count()

    shown = text_of(page.get(mail.get_absolute_url()))

    said = (
        f"Deletes the file, 2 passages with {vectors} vector"
        f"{'' if vectors == 1 else 's'} (1 changed by hand) and 2 documents found in it."
    )
    assert said in shown
    with acting_as(Principal(alice)) as principal:
        delete_document(principal=principal, document_id=mail.pk)
        left = Fact.objects.count(), Embedding.objects.count(), Document.objects.count()
    assert left == (0, 0, 0)


def test_what_another_mail_holds_too_is_not_counted_as_going(
    page: Client, mail: Document, alice: User
) -> None:
    with acting_as(Principal(alice)):
        other = add_document(alice, "again.eml", status="done")
        report = Document.objects.get(name="report.txt")
        Member.objects.bulk_create(
            [Member(scope=other.scope, container=other, ordinal=0, path="r.txt", document=report)]
        )

    shown = text_of(page.get(mail.get_absolute_url()))

    assert "Deletes the file, 1 passage and 1 document found in it." in shown
    with acting_as(Principal(alice)) as principal:
        delete_document(principal=principal, document_id=mail.pk)
        assert sorted(Document.objects.values_list("name", flat=True)) == [
            "again.eml",
            "report.txt",
        ]


def test_failed_document_of_the_list_names_what_goes(page: Client, alice: User) -> None:
    add_document(alice, "a.docx", status="failed", reason="Damaged.")

    assert "Deletes the file. Nothing brings it back." in text_of(
        page.get(reverse("document-list"))
    )


def test_relatives_of_others_are_not_shown(
    client: Client, alice: User, bob: User, staff: User
) -> None:
    everyone = Scope.objects.for_everyone()
    shared = add_document(staff, "shared.eml", scope=everyone, status="done")
    secret = add_document(alice, "secret.txt", status="done", parent=shared)
    with acting_as(Principal(alice)):
        Member.objects.bulk_create(
            [Member(scope=secret.scope, container=shared, ordinal=0, path="s", document=secret)]
        )
    client.force_login(bob)

    shown = text_of(client.get(shared.get_absolute_url()))

    assert "shared.eml" in shown
    assert "secret" not in shown
    assert 'id="members"' not in shown


@pytest.mark.parametrize(
    ("status", "words"),
    [("active", "as recall finds them"), ("superseded", "no longer found by recall")],
)
def test_passages_of_what_a_newer_archive_lacks_are_said_to_be_found_no_more(
    page: Client, alice: User, status: str, words: str
) -> None:
    archive, member = (add_document(alice, name, status="done") for name in ("a.zip", "b.txt"))
    with acting_as(Principal(alice)):
        Document.objects.filter(pk=member.pk).update(parent=archive, origin="")
        add_passage(member.scope, member, 0)
        Fact.objects.filter(document=member).update(status=status)

    shown = text_of(page.get(member.get_absolute_url()))

    assert words in part_of(shown, 'id="passages"')
