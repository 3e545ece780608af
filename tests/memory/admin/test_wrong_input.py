"""What is typed wrongly into a form of the admin: refused in plain words beside its field."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.forms import Form
from django_q.models import Schedule

from memory.models import Category, Fact, User, across_owners
from memory.services.schedules import Declaration, sync_schedules
from tests.fixtures import remember
from tests.memory.admin.conftest import Clerk

WRONG = [
    "", " ", "x" * 10_000, "a\0b", "🎉", "-1", "11", "9" * 20, "9999-12-31", "2026-02-30", "a,,b,",
]  # fmt: skip
FAR_OUT = ["x" * 10_000, "11", "9" * 20]
# How a database or a library speaks of what it refuses.
JARGON = re.compile(
    r"constraint|violat|array|did not validate|duplicate key|null value|_[a-z]+_|3276\d"
)


def a_memory(user: User) -> tuple[Any, ...]:
    fact = remember(user, "Ines signs off each release", tags=("one",))
    return "memory_fact", "change", fact.pk


def a_schedule(_: User) -> tuple[Any, ...]:
    sync_schedules([Declaration("count", "memory.tasks.count", 10)])
    return "django_q_schedule", "change", Schedule.objects.get().pk


def a_category(_: User) -> tuple[Any, ...]:
    return "memory_category", "add"


def words_of_a_category(_: User) -> tuple[Any, ...]:
    return "memory_category", "change", "fact"


def sent_by(form: Form) -> dict[str, str]:
    """What a browser sends of the form as it stands, without its boxes to tick."""
    sent = {}
    for bound in form:
        widget = bound.field.widget.get_context(bound.html_name, bound.value(), {})["widget"]
        for part in widget.get("subwidgets", [widget]):
            value = part["value"]
            sent[part["name"]] = value[0] if isinstance(value, list) else value or ""
    return {name: value for name, value in sent.items() if isinstance(value, str)}


@pytest.mark.parametrize("noun", [a_memory, a_schedule, a_category, words_of_a_category])
def test_forms_take_or_refuse_whatever_is_typed_in_plain_words(
    root: User, noun: Callable[[User], tuple[Any, ...]]
) -> None:
    name, page, *pk = noun(root)
    at_desk = Clerk(root, name)
    right = sent_by(at_desk.read(page, *pk).context["adminform"].form)
    assert right

    at_once = [dict.fromkeys(right, wrong) for wrong in WRONG]
    alone = [{field: wrong} for field in right for wrong in FAR_OUT]
    for changes in [*at_once, *alone]:
        answer = at_desk.client.post(at_desk.path(page, *pk), right | changes)

        assert answer.status_code in {200, 302}, changes
        if answer.status_code == 200:
            sentences = [each for errors in answer.context["errors"] for each in errors]
            assert sentences, changes
            assert not JARGON.search(" ".join(sentences)), (changes, sentences)


@pytest.mark.parametrize("importance", ["0", "-1", "11", "32768"])
def test_importance_out_of_range_is_told_the_range(root: User, importance: str) -> None:
    name, page, pk = a_memory(root)
    at_desk = Clerk(root, name)
    right = sent_by(at_desk.read(page, pk).context["adminform"].form)

    answer = at_desk.send(page, pk, **right | {"importance": importance})

    assert list(answer.context["errors"]) == [["Use 1 to 10."]]


@pytest.mark.parametrize("minutes", ["0", "-1", "32001", "99999999"])
def test_minutes_out_of_range_are_told_the_range(root: User, minutes: str) -> None:
    name, page, pk = a_schedule(root)
    at_desk = Clerk(root, name)
    right = sent_by(at_desk.read(page, pk).context["adminform"].form)

    answer = at_desk.send(page, pk, **right | {"minutes": minutes})

    assert list(answer.context["errors"]) == [["Use 1 to 32,000 minutes."]]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("", []), (" , ,", []), ("one, two,", ["one", "two"]), ("b,,a,b", ["b", "a"])],
)
def test_tags_are_taken_with_a_comma_too_many(root: User, typed: str, kept: list[str]) -> None:
    name, page, pk = a_memory(root)
    at_desk = Clerk(root, name)
    right = sent_by(at_desk.read(page, pk).context["adminform"].form)

    at_desk.send(page, pk, **right | {"tags": typed})

    with across_owners():
        assert Fact.objects.get(pk=pk).tags == kept


def test_form_that_is_sent_as_it_stands_changes_no_tags(root: User) -> None:
    name, page, pk = a_memory(root)
    with across_owners():
        Fact.objects.filter(pk=pk).update(tags=["b", "a c"])
    at_desk = Clerk(root, name)

    shown = at_desk.read(page, pk).context["adminform"].form
    again = type(shown)(sent_by(shown), instance=shown.instance)

    assert sent_by(shown)["tags"] == "b, a c"
    assert "tags" not in again.changed_data


@pytest.mark.parametrize("typed", [",", " , ,", ",,,"])
def test_retagging_with_commas_alone_asks_again(root: User, typed: str) -> None:
    name, _, pk = a_memory(root)

    answer = Clerk(root, name).act("retag", [pk], apply="yes", add=typed, remove=typed)

    assert "Name a tag to add or to remove." in answer.content.decode()


def test_retagging_with_a_tag_that_is_too_long_says_that_alone(root: User) -> None:
    name, _, pk = a_memory(root)

    page = Clerk(root, name).act("retag", [pk], apply="yes", add="x" * 65).content.decode()

    assert "A tag has 65 characters; the limit is 64." in page
    assert "Name a tag" not in page


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("name", "", "This field is required."),
        ("name", "rule", "There is a category of this name already."),
        ("name", "Rule", "There is a category rule already."),
        ("name", "my password is hunter2abc", "This holds a secret"),
        ("patterns", "compost\nmy password is hunter2abc", "This holds a secret"),
        ("patterns", "x" * 10_000, "has 10,000 characters; the limit is 64."),
        ("patterns", "\n".join(map(str, range(65))), "There are 65 words; the limit is 64."),
        ("patterns", "(*)", "has no letter or digit to find."),
        ("patterns", "compost\nA", "“A” stands in most messages"),
    ],
)
def test_category_that_is_refused_says_why_at_its_field(
    root: User, field: str, typed: str, sentence: str
) -> None:
    at_desk = Clerk(root, "memory_category")

    answer = at_desk.send("add", **{"name": "garden", "patterns": "compost", field: typed})

    assert sentence in " ".join(answer.context["adminform"].form.errors[field])
    assert not Category.objects.filter(name="garden").exists()


@pytest.mark.parametrize("pattern", ["(unclosed", "(a+)+$", "[a-", ".*compost.*", "\\"])
def test_words_of_a_category_are_no_pattern_that_could_fail_or_take_long(
    root: User, pattern: str
) -> None:
    Clerk(root, "memory_category").send("add", name="garden", patterns=f"{pattern}\nrose")

    remember(root, "a" * 3_000 + "!")
    with across_owners():
        assert Fact.objects.count() == 1
