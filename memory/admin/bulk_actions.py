"""Changes of many memories: ask what is needed, do it by batches, say what was refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.template.response import TemplateResponse

from memory.admin.desk import Action, Desk
from memory.admin.forms import BulkForm, CategoryForm, ForgetForm, MoveForm, TagsForm
from memory.admin.sight import StaffRequest, hands_of
from memory.domain.errors import InvalidInput
from memory.services import bulk
from memory.services.bulk import Outcome

SHOWN = 5
Told = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """One change of many memories: how it is named, what it asks, and what does it."""

    name: str
    label: str
    done: str
    form: type[BulkForm]
    act: Callable[[StaffRequest, list[UUID], Told], Outcome]
    is_grave: bool = False


def _recategorize(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    hands = hands_of(request)
    return bulk.recategorize_facts(hands=hands, fact_ids=ids, category=told["category"])


def _retag(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    return bulk.retag_facts(
        hands=hands_of(request),
        fact_ids=ids,
        add=told["add"].split(","),
        remove=told["remove"].split(","),
    )


def _move(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    scope = told["scope"]
    return bulk.move_facts(hands=hands_of(request, scope.pk), fact_ids=ids, scope=scope)


def _forget(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    return bulk.forget_facts(hands=hands_of(request), fact_ids=ids, reason=told["reason"])


def _restore(request: StaffRequest, ids: list[UUID], _: Told) -> Outcome:
    return bulk.restore_facts(hands=hands_of(request), fact_ids=ids)


def _purge(request: StaffRequest, ids: list[UUID], _: Told) -> Outcome:
    return bulk.purge_facts(hands=hands_of(request), fact_ids=ids)


BULKS = [
    Bulk(
        name="recategorize",
        label="Change category",
        done="Changed the category of",
        form=CategoryForm,
        act=_recategorize,
    ),
    Bulk(
        name="retag",
        label="Add and remove tags",
        done="Changed the tags of",
        form=TagsForm,
        act=_retag,
    ),
    Bulk(name="move", label="Move to a scope", done="Moved", form=MoveForm, act=_move),
    Bulk(name="forget", label="Forget", done="Forgot", form=ForgetForm, act=_forget),
    Bulk(name="restore", label="Restore", done="Restored", form=BulkForm, act=_restore),
    Bulk(
        name="purge",
        label="Delete for good",
        done="Deleted",
        form=BulkForm,
        act=_purge,
        is_grave=True,
    ),
]


def _action_of(change: Bulk) -> Callable[..., HttpResponse | None]:
    @admin.action(description=change.label)
    def run(desk: Desk, request: StaffRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        form = change.form(request, request.POST if "apply" in request.POST else None)
        if not form.is_valid():
            return _question(desk, request, queryset, change, form)
        ids = list(queryset.order_by("pk").values_list("pk", flat=True))
        try:
            outcome = change.act(request, ids, form.cleaned_data)
        except InvalidInput as refusal:
            form.add_error(None, str(refusal))
            return _question(desk, request, queryset, change, form)
        desk.note(request, Action.DELETED if change.is_grave else Action.CHANGED, ids)
        _tell(request, change, outcome)
        return None

    run.__name__ = change.name
    return run


def _question(
    desk: Desk, request: StaffRequest, queryset: QuerySet[Any], change: Bulk, form: BulkForm
) -> HttpResponse:
    some = list(queryset[:SHOWN])
    desk.note_others(request, Action.LISTED, some)
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": change.label,
        "nouns": desk.nouns,
        "change": change,
        "form": form,
        "some": some,
        "count": queryset.count(),
        "selected": request.POST.getlist("_selected_action"),
        "select_across": request.POST.get("select_across", "0"),
    }
    return TemplateResponse(request, "admin/bulk.html", context)


def _tell(request: StaffRequest, change: Bulk, outcome: Outcome) -> None:
    noun = "memory" if outcome.done == 1 else "memories"
    if outcome.done or not outcome.refused:
        messages.success(request, f"{change.done} {outcome.done:,} {noun}.")
    if outcome.refused:
        reasons = " ".join(f"{count:,}: {why}" for why, count in outcome.refused.most_common())
        messages.warning(request, f"{outcome.refused.total():,} refused. {reasons}")


BULK_ACTIONS = [_action_of(change) for change in BULKS]
