"""What a superuser does with rows of others is shown as such, and is on the record."""

import re

import pytest
from django.core.files.storage import default_storage

from ingest.models import Document
from memory.models import (
    Agent,
    AuditEntry,
    Category,
    Conversation,
    Fact,
    FactHistory,
    JobRun,
    Scope,
    Turn,
    User,
    across_owners,
)
from memory.services.accounts import create_token
from tests.fixtures import add_document, add_turn, agent_of, remember
from tests.memory.admin.conftest import Clerk, said

BANNER = "private rows of other people"


@pytest.fixture
def at_desk(root):
    return Clerk(root)


def noted():
    return [(each.action, each.noun, each.rows) for each in AuditEntry.objects.order_by("pk")]


def test_list_shows_all_memories_behind_a_banner_and_is_noted(at_desk, root, fact):
    own = remember(root, "Root keeps this")

    page = at_desk.read().content.decode()

    assert fact.text in page
    assert own.text in page
    assert BANNER in page
    assert noted() == [("listed", "memory", [str(fact.pk)])]
    assert AuditEntry.objects.get().actor == root


def test_list_of_own_memories_has_no_banner_and_is_not_noted(at_desk, root):
    remember(root, "Root keeps this")

    assert BANNER not in at_desk.read().content.decode()
    assert noted() == []


def test_list_is_narrowed_to_one_owner(at_desk, root, alice, fact):
    remember(root, "Root keeps this")

    page = at_desk.read(query=f"?owner={alice.pk}").content.decode()

    assert fact.text in page
    assert "Root keeps this" not in page


def test_look_and_change_are_noted_and_the_history_names_who_did_it(at_desk, root, fact):
    page = at_desk.read("change", fact.pk).content.decode()
    at_desk.act("recategorize", [fact.pk], apply="yes", category="decision")

    assert BANNER in page
    viewed, changed, *_ = noted()
    assert viewed == ("viewed", "memory", [str(fact.pk)])
    assert changed == ("recategorized", "memory", [str(fact.pk)])
    with across_owners():
        last = FactHistory.objects.of(fact.pk).latest_first()[0]
    assert last.category == "decision"
    assert last.pgh_context.metadata["actor"] == root.email


def test_question_before_a_change_of_many_notes_whose_rows_it_shows(at_desk, fact):
    page = at_desk.act("forget", [fact.pk]).content.decode()

    assert fact.text in page
    assert BANNER in page
    assert noted() == [("listed", "memory", [str(fact.pk)])]


def test_form_corrects_the_memory_of_another_owner(at_desk, fact):
    told = {"kind": "fact", "category": "other", "importance": 5, "shelf": "project"}
    text = "Ines signs off each release."

    at_desk.send("change", fact.pk, text=text, decay_class="normal", **told)

    with across_owners():
        assert Fact.objects.get(pk=fact.pk).text == text
    assert ("changed", "memory", [str(fact.pk)]) in noted()


def test_document_of_another_owner_is_read_again_and_deleted_with_its_file(
    root, alice, django_capture_on_commit_callbacks
):
    document = add_document(alice, "a.txt", status="failed")
    at_desk = Clerk(root, "ingest_document")

    again = at_desk.act("read_again", [document.pk])
    refused = at_desk.act("read_again", [document.pk])
    with django_capture_on_commit_callbacks(execute=True):
        at_desk.send("delete", document.pk, post="yes")

    assert said(again) == ["1 document is read again."]
    assert said(refused) == ["1 refused. Only a failed or canceled document can be read again."]
    with across_owners():
        assert not Document.objects.exists()
    assert not default_storage.exists(document.file)


def test_audit_holds_no_words_of_the_rows(at_desk, fact):
    at_desk.read("change", fact.pk)
    at_desk.send("delete", fact.pk, post="yes")

    assert [action for action, _, _ in noted()] == ["viewed", "deleted"]
    assert "Okafor" not in str(list(AuditEntry.objects.values()))


def test_audit_tells_who_saw_whose_rows_and_opens_them(at_desk, root, staff, alice, fact):
    at_desk.read("change", fact.pk)
    audit, entry = Clerk(root, "memory_auditentry"), AuditEntry.objects.get()

    told = re.sub("<[^>]*>|\\s", " ", audit.read().content.decode())
    page = audit.read("change", entry.pk).content.decode()

    assert all(word in told for word in ("Opened", "1 memory", root.email, alice.email))
    assert at_desk.path("change", fact.pk) in page
    assert 'type="submit"' not in page.partition('id="content"')[2]
    for name in ("changelist", "change"):
        pk = [entry.pk] if name == "change" else []
        assert Clerk(staff, "memory_auditentry").read(name, *pk).status_code == 404


def test_audit_is_searched_by_the_person_on_either_side_and_filtered_by_action(
    at_desk, root, alice, bob, fact
):
    his = remember(bob, "Bob's locker is number nine.")
    at_desk.act("recategorize", [fact.pk], apply="yes", category="decision")
    at_desk.act("forget", [his.pk], apply="yes", reason="old")

    def shown(query):
        page = Clerk(root, "memory_auditentry").read(query=query)
        return {(each.action, each.owner) for each in page.context["cl"].result_list}

    assert shown("?q=bob@") == {("forgot", bob), ("listed", bob)}
    assert shown("?q=alice@&action__exact=recategorized") == {("recategorized", alice)}
    assert shown("?action__exact=forgot") == {("forgot", bob)}
    assert {owner for _, owner in shown(f"?q={root.email}")} == {alice, bob}


@pytest.mark.parametrize(
    ("action", "told", "noted_as"),
    [
        ("recategorize", {"category": "decision"}, "recategorized"),
        ("retag", {"add": "a", "remove": ""}, "retagged"),
        ("move", {}, "moved"),
        ("forget", {"reason": "old"}, "forgot"),
        ("restore", {}, "restored"),
        ("purge", {}, "deleted"),
        ("export_facts", {}, "exported"),
    ],
)
def test_each_thing_done_to_many_is_in_the_audit_by_its_name_and_owner(
    at_desk, alice, bob, fact, action, told, noted_as
):
    his = remember(bob, "Bob's locker is number nine.")
    told |= {"scope": Scope.objects.for_everyone().pk} if action == "move" else {}

    answer = at_desk.act(action, [fact.pk, his.pk], apply="yes", **told)

    assert answer.status_code == 200
    entries = AuditEntry.objects.filter(action=noted_as)
    assert {(each.owner, *each.rows) for each in entries} == {
        (alice, str(fact.pk)),
        (bob, str(his.pk)),
    }


def test_audit_says_of_a_row_that_it_is_gone(at_desk, root, fact):
    at_desk.send("delete", fact.pk, post="yes")
    entry = AuditEntry.objects.get(action="deleted")

    page = Clerk(root, "memory_auditentry").read("change", entry.pk).content.decode()

    assert f"{fact.pk}, not there any more" in page
    assert at_desk.path("change", fact.pk) not in page


def test_bulk_move_reaches_from_one_owner_to_another(at_desk, fact, bob):
    target = Scope.objects.for_user(bob)

    answer = at_desk.act("move", [fact.pk], apply="yes", scope=target.pk)

    assert said(answer) == ["Moved 1 memory. Visible to now: bob@example.org."]
    with across_owners():
        assert Fact.objects.get(pk=fact.pk).scope == target


def test_memory_that_moves_to_another_owner_no_longer_names_the_conversation(at_desk, alice, bob):
    add_turn(alice, "I prefer tea to coffee.")
    with across_owners():
        fact = Fact.objects.exclude(turn=None).get()

    at_desk.act("move", [fact.pk], apply="yes", scope=Scope.objects.for_user(bob).pk)

    with across_owners():
        assert Fact.objects.get(pk=fact.pk).turn is None


def test_export_of_others_is_noted(at_desk, fact):
    response = at_desk.act("export_facts")

    assert fact.text in b"".join(response.streaming_content).decode()
    assert ("exported", "memory", [str(fact.pk)]) in noted()


def test_conversation_shows_its_turns_to_a_superuser_and_not_to_staff(root, staff, alice):
    add_turn(alice, "The avocet nests", conversation="talk")
    pk = Conversation.objects.get().pk

    page = Clerk(root, "memory_conversation").read("change", pk).content.decode()

    assert "The avocet nests" in page
    assert BANNER in page
    assert Clerk(staff, "memory_conversation").read("change", pk).status_code == 404


def test_conversation_agent_and_account_go_through_their_pages(root, alice):
    quill = agent_of(alice, "quill")
    add_turn(alice, "Hello", conversation="talk")
    conversation = Conversation.objects.get()

    for noun, pk in (
        ("memory_conversation", conversation.pk),
        ("memory_agent", quill.pk),
        ("memory_user", alice.pk),
    ):
        question = Clerk(root, noun).read("delete", pk)
        assert "Nothing brings it back" in question.content.decode()
        Clerk(root, noun).send("delete", pk, post="yes")

    with across_owners():
        assert not Turn.objects.exists()
    assert not Agent.objects.exists()
    assert not User.objects.filter(pk=alice.pk).exists()


def test_own_account_stays_and_the_page_says_why(root):
    answer = Clerk(root, "memory_user").send("delete", root.pk, post="yes")

    assert said(answer) == ["You cannot remove your own account. Ask another superuser."]
    assert User.objects.filter(pk=root.pk).exists()


def test_staff_sees_accounts_and_removes_none(staff, alice):
    at_desk = Clerk(staff, "memory_user")

    assert alice.email in at_desk.read().content.decode()
    assert at_desk.send("delete", alice.pk, post="yes").status_code == 404
    assert User.objects.filter(pk=alice.pk).exists()


def test_tokens_show_no_digest_and_are_revoked(root, alice):
    secret = create_token(alice, name="laptop")
    at_desk = Clerk(root, "memory_apitoken")
    token = alice.tokens.get()

    page = at_desk.read().content.decode()
    answer = at_desk.act("revoke", [token.pk])

    assert "laptop" in page
    assert "may read" in page
    assert secret not in page
    assert bytes(token.digest).hex() not in page
    assert said(answer) == ["Revoked 1 token."]
    assert said(at_desk.act("revoke", [token.pk])) == ["Nothing changed. 1 token was so already."]
    assert alice.tokens.usable().count() == 0


def test_job_of_somebody_else_is_seen_by_a_superuser_only(root, staff, alice):
    run = JobRun.objects.create(kind="read zebrafinch", owner=alice)

    assert Clerk(root, "memory_jobrun").read("change", run.pk).status_code == 200
    assert Clerk(staff, "memory_jobrun").read("change", run.pk).status_code == 404
    assert "zebrafinch" not in Clerk(staff, "memory_jobrun").read().content.decode()


def test_category_is_added_once(root):
    at_desk = Clerk(root, "memory_category")

    at_desk.send("add", name="Recipe")
    again = at_desk.send("add", name="RECIPE")

    assert "There is a category recipe already" in again.content.decode()
    assert "recipe" in at_desk.read().content.decode()


def test_words_of_a_category_are_changed_and_shown(root):
    at_desk = Clerk(root, "memory_category")
    at_desk.send("add", name="Recipe", patterns="Oven\nsourdough starter, 食谱")

    shown = at_desk.read().content.decode()
    form = at_desk.read("change", "recipe").content.decode()
    at_desk.send("change", "recipe", patterns="Dough")

    assert "oven, sourdough starter, 食谱" in shown
    assert "oven\nsourdough starter\n食谱" in form
    assert Category.objects.get(pk="recipe").patterns == ["dough"]


def test_wrong_word_of_a_category_is_named_beside_its_field(root):
    answer = Clerk(root, "memory_category").send("change", "fact", patterns=f"...\n{'x' * 70}")

    (errors,) = answer.context["errors"]
    assert "“...” has no letter or digit to find." in errors
    assert Category.objects.get(pk="fact").patterns == []


def test_category_that_is_configured_gets_words_by_adding_it(root, settings):
    settings.LONGHAND_CATEGORIES = ["travel"]
    at_desk = Clerk(root, "memory_category")

    asked = at_desk.read("add").content.decode()
    at_desk.send("add", name="travel", patterns="flight")

    assert "known by no words yet: travel" in asked
    category = Category.objects.get(pk="travel")
    assert (category.origin, category.patterns) == ("configured", ["flight"])


def test_category_is_deleted_only_when_no_memory_carries_it(root, alice):
    at_desk = Clerk(root, "memory_category")
    at_desk.send("add", name="recipe")
    fact = remember(alice, "Bread rises twice", category="recipe")

    used = at_desk.send("delete", "recipe", post="yes")
    Clerk(root).act("recategorize", [fact.pk], apply="yes", category="other")
    gone = at_desk.send("delete", "recipe", post="yes")
    built_in = at_desk.send("delete", "fact", post="yes")

    assert said(used) == ["1 memory carries the category recipe. Give it another one first."]
    assert said(gone) == ["Deleted the category."]
    assert said(built_in) == ["The category fact is built in; it stays."]
    assert not Category.objects.filter(pk="recipe").exists()
