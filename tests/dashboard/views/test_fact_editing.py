"""Changing memories on their pages: edit, forget, restore, undo, and who may."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, FactHistory, Principal, Scope, User, acting_as
from memory.services.facts import correct_fact
from tests.fixtures import forget, remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db


def stored(user: User, fact: Fact) -> Fact:
    with acting_as(Principal(user)):
        found: Fact = Fact.objects.get(pk=fact.pk)
        return found


def last_state_of(user: User, fact: Fact) -> int:
    with acting_as(Principal(user)):
        return int(FactHistory.objects.of(fact.pk).latest("pgh_id").pk)


def edit_form(fact: Fact, **changes: object) -> dict[str, object]:
    names = (
        "text",
        "why",
        "kind",
        "category",
        "importance",
        "decay_class",
        "entity",
        "key",
        "value",
    )
    shown = {name: getattr(fact, name) for name in names}
    return {**shown, "tags": ", ".join(fact.tags), **changes}


def test_fact_edit_corrects_in_place_and_keeps_the_old_wording(
    page: Client, alice: User, fact: Fact
) -> None:
    url = reverse("fact-edit", args=[fact.pk])

    response = page.post(url, edit_form(fact, text="Ines signs off each build."), follow=True)

    assert stored(alice, fact).text == "Ines signs off each build."
    shown = text_of(response)
    assert "<del>" in shown
    assert reverse("fact-undo", args=[fact.pk]) in shown


def test_fact_edit_of_tags_alone_is_told_and_undone(page: Client, alice: User) -> None:
    fact = remember(alice, "The gate is green.", tags=("a", "b"))

    saved = page.post(reverse("fact-edit", args=[fact.pk]), edit_form(fact, tags="a"), follow=True)
    undo = f"{reverse('fact-undo', args=[fact.pk])}?state={last_state_of(alice, fact)}"
    shown = " ".join(re.sub("<[^>]*>", " ", text_of(saved)).split())

    assert text_of(saved).count(f'action="{undo}"') == 2
    assert "You retagged it" in shown
    assert "Tags: a, b → to a" in shown
    assert "The old tags are back." in text_of(page.post(undo, follow=True))
    assert stored(alice, fact).tags == ["a", "b"]


def test_fact_edit_changes_nothing_when_nothing_was_changed(
    page: Client, alice: User, fact: Fact
) -> None:
    page.post(reverse("fact-edit", args=[fact.pk]), edit_form(fact))

    with acting_as(Principal(alice)):
        assert FactHistory.objects.of(fact.pk).count() == 1
    assert stored(alice, fact).importance_source == "perceptor"


def test_fact_edit_names_the_twin_when_another_says_the_same(
    page: Client, alice: User, fact: Fact
) -> None:
    twin = remember(alice, "The demo is on Thursday.")

    response = page.post(reverse("fact-edit", args=[fact.pk]), edit_form(fact, text=twin.text))

    assert response.status_code == 400
    assert str(twin.pk) in text_of(response)


def test_fact_edit_is_refused_for_global_memories_to_others_than_staff(
    client: Client, staff: User, bob: User
) -> None:
    fact = remember(staff, "The office closes at six.", scope=Scope.objects.for_everyone())
    client.force_login(bob)

    response = client.post(
        reverse("fact-edit", args=[fact.pk]), edit_form(fact, text="The office never closes.")
    )

    assert response.status_code == 403
    assert stored(staff, fact).text == "The office closes at six."


def test_fact_forget_archives_and_offers_undo(page: Client, alice: User, fact: Fact) -> None:
    response = page.post(reverse("fact-forget", args=[fact.pk]), follow=True)

    assert stored(alice, fact).status == "archived"
    assert response.redirect_chain == [(reverse("fact-list"), 303)]
    shown = text_of(response)
    assert "Forgot “Ines Okafor" in shown
    undo = f"{reverse('fact-undo', args=[fact.pk])}?state={last_state_of(alice, fact)}"
    assert f'action="{undo}"' in shown
    again = page.post(undo, follow=True)
    assert stored(alice, fact).status == "active"
    assert "It is in use again." in text_of(again)


def test_fact_forget_returns_to_a_page_of_ours_only(page: Client, fact: Fact) -> None:
    url = reverse("fact-forget", args=[fact.pk])

    assert page.post(url, {"next": "/"})["Location"] == "/"
    assert page.post(url, {"next": "https://evil.example/"})["Location"] == reverse("fact-list")


def test_fact_restore_brings_a_forgotten_memory_back(page: Client, alice: User, fact: Fact) -> None:
    forget(alice, fact)

    response = page.post(reverse("fact-restore", args=[fact.pk]))

    assert response["Location"] == fact.get_absolute_url()
    assert stored(alice, fact).status == "active"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"text": "Wrong."}, "The old wording is back."),
        ({"kind": "plan", "importance": 9}, "The old kind and importance are back."),
        (
            {"text": "Wrong.", "kind": "plan", "entity": "Ines"},
            "The old wording, kind and entity are back.",
        ),
    ],
)
def test_fact_undo_puts_back_what_it_says(
    page: Client, alice: User, fact: Fact, changes: dict[str, object], sentence: str
) -> None:
    page.post(reverse("fact-edit", args=[fact.pk]), edit_form(fact, **changes))

    response = page.post(reverse("fact-undo", args=[fact.pk]), follow=True)

    assert sentence in text_of(response)
    now = stored(alice, fact)
    assert (now.text, now.kind, now.entity) == (fact.text, fact.kind, fact.entity)
    assert now.importance == fact.importance


UNDO = re.compile(r'action="([^"]*\?state=\d+)"')


def undo_buttons(page: Client, response: Any) -> list[str]:
    """Where the Undo buttons of the flash, the memory's page and the overview lead."""
    return UNDO.findall(text_of(response)) + UNDO.findall(text_of(page.get(reverse("overview"))))


@pytest.mark.parametrize("index", [0, 1, 2])
def test_fact_undo_leaves_a_later_change_alone(
    page: Client, alice: User, fact: Fact, index: int
) -> None:
    url = reverse("fact-edit", args=[fact.pk])
    shown = page.post(url, edit_form(fact, text="Second."), follow=True)
    stale = undo_buttons(page, shown)
    assert len(stale) == 3
    page.post(url, edit_form(fact, text="Third."))

    response = page.post(stale[index], follow=True)

    assert stored(alice, fact).text == "Third."
    assert "It was changed again since; nothing was undone." in text_of(response)


def test_fact_kept_by_hand_is_not_forgotten_by_undo_after_a_later_change(
    page: Client, alice: User
) -> None:
    form = {"text": "Fine.", "scope": "user", "kind": "fact", "category": "other"}
    form |= {"decay_class": "normal", "importance": "5"}
    shown = page.post(reverse("fact-create"), form, follow=True)
    (undo, *_) = UNDO.findall(text_of(shown))
    with acting_as(Principal(alice)):
        fact = Fact.objects.get()
    page.post(reverse("fact-edit", args=[fact.pk]), edit_form(fact, text="Better."))

    response = page.post(undo, follow=True)

    assert stored(alice, fact).status == "active"
    assert "nothing was undone" in text_of(response)


@pytest.mark.parametrize("state", ["", "x", "²", "9" * 40, "-1"])
def test_fact_undo_survives_an_address_typed_by_hand(page: Client, fact: Fact, state: str) -> None:
    url = reverse("fact-undo", args=[fact.pk])

    assert page.post(f"{url}?state={state}").status_code == 303


LINES = "First line.\nSecond line."


def shown_form(page: Client, fact: Fact) -> dict[str, object]:
    """What a browser sends when the form is saved as it is."""
    form = page.get(reverse("fact-edit", args=[fact.pk])).context["form"]
    areas = {"text", "why", "value"}
    return {
        field.html_name: str(field.value() or "").replace(
            "\n", "\r\n" if field.name in areas else ""
        )
        for field in form
    }


def test_fact_edit_says_that_nothing_changed_though_browsers_send_other_line_ends(
    page: Client, alice: User
) -> None:
    fact = remember(
        alice, LINES, why=LINES, value=LINES, entity="Two\nlines", tags=("a", "b"), kind="x-odd"
    )

    response = page.post(reverse("fact-edit", args=[fact.pk]), shown_form(page, fact), follow=True)

    assert "Nothing changed." in text_of(response)
    assert stored(alice, fact).text == LINES
    assert stored(alice, fact).entity == "Two lines"  # a name has one line


def test_fact_edit_takes_as_many_lines_as_the_memory_may_have(page: Client, alice: User) -> None:
    text = "\n".join(["x" * 9] * 400)
    fact = remember(alice, text)
    url = reverse("fact-edit", args=[fact.pk])

    shown = text_of(page.get(url))
    response = page.post(url, shown_form(page, fact) | {"text": f"{text}!".replace("\n", "\r\n")})

    assert response.status_code == 303
    assert stored(alice, fact).text == f"{text}!"
    assert not re.search(r"<textarea[^>]*maxlength", shown)


def test_fact_edit_shows_what_was_changed_meanwhile_before_it_replaces_it(
    page: Client, alice: User, fact: Fact
) -> None:
    url = reverse("fact-edit", args=[fact.pk])
    other_tab = shown_form(page, fact)
    page.post(url, shown_form(page, fact) | {"text": "Said first.", "importance": "9"})

    response = page.post(url, other_tab | {"text": "Said last."})

    assert response.status_code == 409
    shown = text_of(response)
    assert "It was changed meanwhile" in shown
    assert "Said first." in shown
    assert re.search(r"<textarea[^>]*> ?Said last\.", shown)
    assert stored(alice, fact).text == "Said first."

    seen = {field.html_name: field.value() for field in response.context["form"]}
    assert page.post(url, seen).status_code == 303
    assert stored(alice, fact).text == "Said last."


@pytest.fixture
def office(staff: User) -> Fact:
    """A memory of everyone, which bob may read and only staff may change."""
    return remember(staff, "The office closes at six.", scope=Scope.objects.for_everyone())


def test_fact_detail_offers_to_change_only_what_one_may_change(
    client: Client, staff: User, bob: User, office: Fact
) -> None:
    client.force_login(bob)
    shown = text_of(client.get(office.get_absolute_url()))
    assert "Only staff may change what everyone reads." in shown
    assert reverse("fact-edit", args=[office.pk]) not in shown
    assert reverse("fact-forget", args=[office.pk]) not in shown
    assert client.get(reverse("fact-edit", args=[office.pk])).status_code == 403

    client.force_login(staff)
    shown = text_of(client.get(office.get_absolute_url()))
    assert "Only staff may change" not in shown
    assert reverse("fact-edit", args=[office.pk]) in shown


def test_fact_edit_keeps_what_was_typed_when_it_is_refused(
    client: Client, bob: User, office: Fact
) -> None:
    client.force_login(bob)

    response = client.post(
        reverse("fact-edit", args=[office.pk]), edit_form(office, text="It never closes.")
    )

    assert response.status_code == 403
    assert "It never closes." in text_of(response)
    assert "Only staff may change what everyone reads." in text_of(response)


@pytest.mark.parametrize("name", ["fact-forget", "fact-undo", "fact-restore"])
def test_fact_actions_on_what_everyone_reads_answer_a_page_to_others_than_staff(
    client: Client, staff: User, bob: User, office: Fact, name: str
) -> None:
    changes = {"text": "The office closes at seven."}
    with acting_as(Principal(staff, may_write_global=True)) as principal:
        correct_fact(principal=principal, fact_id=office.pk, changes=changes)
    client.force_login(bob)

    response = client.post(reverse(name, args=[office.pk]))

    assert response.status_code == 403
    assert "That is not allowed" in text_of(response)
    assert stored(staff, office).text == "The office closes at seven."
