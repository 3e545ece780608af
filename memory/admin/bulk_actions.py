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
from memory.admin.words import scope_words
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
    noted: Action
    is_grave: bool = False


def _recategorize(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    hands = hands_of(request)
    return bulk.recategorize_facts(hands=hands, fact_ids=ids, category=told["category"])


def _retag(request: StaffRequest, ids: list[UUID], told: Told) -> Outcome:
    hands = hands_of(request)
    return bulk.retag_facts(hands=hands, fact_ids=ids, add=told["add"], remove=told["remove"])


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
        noted=Action.RECATEGORIZED,
    ),
    Bulk(
        name="retag",
        label="Add and remove tags",
        done="Changed the tags of",
        form=TagsForm,
        act=_retag,
        noted=Action.RETAGGED,
    ),
    Bulk(
        name="move",
        label="Change who sees them",
        done="Moved",
        form=MoveForm,
        act=_move,
        noted=Action.MOVED,
    ),
    Bulk(
        name="forget",
        label="Forget",
        done="Forgot",
        form=ForgetForm,
        act=_forget,
        noted=Action.FORGOT,
    ),
    Bulk(
        name="restore",
        label="Restore",
        done="Restored",
        form=BulkForm,
        act=_restore,
        noted=Action.RESTORED,
    ),
    Bulk(
        name="purge",
        label="Delete for good",
        done="Deleted",
        form=BulkForm,
        act=_purge,
        noted=Action.DELETED,
        is_grave=True,
    ),
]


def _action_of(change: Bulk) -> Callable[..., HttpResponse | None]:
    @admin.action(description=change.label)
    def run(desk: Desk, request: StaffRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        form = change.form(request, request.POST if "apply" in request.POST else None)
        if not form.is_valid():
            return _question(desk, request, queryset, change, form)
        # Before the change: a moved memory was another's, and a deleted one is nobody's.
        owners = queryset.owners()  # type: ignore[attr-defined]  # a FactQuerySet
        try:
            outcome = change.act(request, list(owners), form.cleaned_data)
        except InvalidInput as refusal:
            form.add_error(None, str(refusal))
            return _question(desk, request, queryset, change, form)
        desk.note_owned(request, change.noted, owners)
        _tell(request, change, outcome, form.cleaned_data)
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
        "noun": desk.noun,
        "nouns": desk.nouns,
        "change": change,
        "form": form,
        "some": some,
        "count": queryset.count(),
        "selected": request.POST.getlist("_selected_action"),
        "select_across": request.POST.get("select_across", "0"),
    }
    return TemplateResponse(request, "admin/bulk.html", context)


def _tell(request: StaffRequest, change: Bulk, outcome: Outcome, told: Told) -> None:
    if outcome.done:
        target = f" Visible to now: {scope_words(told['scope'])}." if "scope" in told else ""
        messages.success(request, f"{change.done} {_number(outcome.done)}.{target}")
    if outcome.unchanged:
        nothing = "" if outcome.done or outcome.refused else "Nothing changed. "
        were = "was" if outcome.unchanged == 1 else "were"
        messages.info(request, f"{nothing}{_number(outcome.unchanged)} {were} so already.")
    if outcome.refused:
        reasons = " ".join(f"{count:,}: {why}" for why, count in outcome.refused.most_common())
        messages.warning(request, f"{outcome.refused.total():,} refused. {reasons}")


def _number(memories: int) -> str:
    return f"{memories:,} {'memory' if memories == 1 else 'memories'}"


BULK_ACTIONS = [_action_of(change) for change in BULKS]
