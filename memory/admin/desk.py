"""What all pages of the admin share: who may do what, on the record, and only through services."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import Model, QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_http_methods
from unfold.admin import ModelAdmin

from memory.admin.sight import StaffRequest, is_of_another, rows_for, seeing
from memory.domain.errors import InvalidInput, Permanent
from memory.models import AuditEntry, User
from memory.services.audit import note_owned_in_audit

READ = ["GET", "HEAD"]
WRITE = [*READ, "POST"]
LIST, ADD, CHANGE, DELETE = "changelist", "add", "change", "delete"
# All that the links of Django's own filters ask.
LOOKUPS = frozenset({"", "exact", "gte", "lt", "isnull", "isempty"})
Action = AuditEntry.Action


class Desk(ModelAdmin):  # type: ignore[misc]  # the theme's base has no types
    """The pages of one noun. Staff see own and shared rows, a superuser all, on the record."""

    # The site takes what says so, and leaves what other packages register.
    is_desk = True
    noun = ""
    nouns = ""
    about = ""
    goes_along = ""
    # Beside the list, the pages that there are; what is not named has no address.
    pages: ClassVar[frozenset[str]] = frozenset()
    is_readonly = True
    is_shared = False
    superusers_only = False

    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    view_on_site = False
    empty_value_display = "—"
    # Counting what each filter would find takes as many queries as there are choices.
    show_facets = ShowFacets.NEVER
    compressed_fields = True

    def owner_of(self, row: Any) -> User | None:
        """Whose private row this is; None for what is shared."""
        return None

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows with what the list shows, in as few queries as that takes."""
        return rows

    # Who may do what.

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Staff work here."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Staff see the page, or superusers alone."""
        is_staff = request.user.is_active and request.user.is_staff
        return is_staff and (request.user.is_superuser or not self.superusers_only)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether there is a page to add one."""
        return ADD in self.pages and self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Whether the fields can be changed here, or rows in bulk."""
        return not self.is_readonly and self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Whether there is a page to delete one."""
        return DELETE in self.pages and self.has_view_permission(request)

    # Addresses.

    def get_urls(self) -> list[URLPattern]:
        """Only the pages that this desk has, each with the methods that it takes."""
        meta = self.opts
        views = {
            ADD: ("add/", self.add_view, WRITE),
            DELETE: ("<str:object_id>/delete/", self.delete_view, WRITE),
            CHANGE: ("<str:object_id>/change/", self.change_view, self._methods_of_form()),
        }
        listing = ("", self.changelist_view, WRITE if self.actions else READ)
        routes = {LIST: listing, **{page: views[page] for page in sorted(self.pages)}}
        return [
            path(
                route,
                self._guarded(page, view, methods),
                name=f"{meta.app_label}_{meta.model_name}_{page}",
            )
            for page, (route, view, methods) in routes.items()
        ]

    def _methods_of_form(self) -> list[str]:
        return READ if self.is_readonly else WRITE

    def _guarded(
        self, page: str, view: Callable[..., HttpResponse], methods: list[str]
    ) -> Callable[..., HttpResponse]:
        may_open = self.has_delete_permission if page == DELETE else self.has_view_permission

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not may_open(request):
                raise Http404
            return view(request, *args, **kwargs)

        guard: Callable[..., HttpResponse] = self.admin_site.admin_view(
            require_http_methods(methods)(guarded)
        )
        return guard

    # What is seen.

    def get_queryset(self, request: StaffRequest) -> QuerySet[Any]:
        """The rows that this reader sees."""
        with seeing(request):
            if self.is_shared:
                return self.dressed(self.model._default_manager.all())
            return self.dressed(rows_for(request, self.model))

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        """Whether a filter of this list asks so; asking for other columns could guess at them."""
        name, _, how = lookup.partition("__")
        offered = (each[0] if isinstance(each, tuple) else each for each in self.list_filter)
        names = {getattr(each, "parameter_name", each) for each in offered}
        return name in names and how in LOOKUPS and "\0" not in str(value)

    def get_object(
        self, request: StaffRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """The row, whose sight is noted where it is somebody else's."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            self.note_others(request, Action.VIEWED, [row], is_written=request.method != "POST")
        return row

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, *_: object) -> HttpResponse:
        raise Http404

    def changelist_view(
        self, request: StaffRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, whose sight is noted where it shows rows of others."""
        context: dict[str, Any] = {
            "title": self.nouns,
            "subtitle": None,
            "module_name": self.nouns.lower(),
        }
        context |= extra_context or {}
        response: HttpResponse = super().changelist_view(request, context)
        listing = getattr(response, "context_data", {}).get("cl")
        if listing is not None:
            self.note_others(request, Action.LISTED, list(listing.result_list))
        return response

    def response_action(self, request: StaffRequest, queryset: QuerySet[Any]) -> Any:
        """The answer to an action.

        Raises: BadRequest for ids that are none.
        """
        try:
            return super().response_action(request, queryset)
        except ValidationError as error:
            raise BadRequest(*error.messages) from None

    def changeform_view(
        self,
        request: StaffRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The form; what a service refuses stands in it, beside what was typed."""
        title = self.noun if object_id else f"Add a {self.noun.lower()}"
        context = {"title": title, "subtitle": None, **(extra_context or {})}
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        answer: HttpResponse
        try:
            answer = super().changeform_view(request, object_id, form_url, dict(context))
        except Permanent as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]  # read by RefusableForm
            answer = super().changeform_view(request, object_id, form_url, dict(context))
        return answer

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's
        **kwargs: Any,
    ) -> Any:
        """The form, told what a service has refused."""
        form = super().get_form(request, obj, change=change, **kwargs)
        form.refusal = getattr(request, "refusal", None)
        return form

    def note_others(
        self, request: StaffRequest, action: str, rows: Sequence[Any], *, is_written: bool = True
    ) -> None:
        """Show the banner over rows of others, and note that they were seen."""
        others = [row for row in rows if is_of_another(request, self.owner_of(row))]
        if others:
            request.shows_others = True
            if is_written:
                self.note(request, action, others)

    # What is done.

    def save_model(self, request: StaffRequest, obj: Any, form: Form, change: bool) -> None:  # noqa: FBT001 - Django's
        """Write through this desk's service.

        Raises: Permanent, which the form shows.
        """
        raise NotImplementedError

    def save_related(self, request: HttpRequest, form: Form, formsets: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Nothing: a service has written all there is."""

    def delete_model(self, request: StaffRequest, obj: Any) -> None:
        """Delete through this desk's service.

        Raises: InvalidInput with the sentence to show.
        """
        raise NotImplementedError

    def delete_view(
        self, request: StaffRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask, then delete; a refusal leads back to the list."""
        title = f"Delete {self.noun.lower()}"
        context = {"title": title, "subtitle": None, "goes_along": self.goes_along}
        try:
            return super().delete_view(request, object_id, context)  # type: ignore[no-any-return]
        except InvalidInput as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(self._list_url())

    def get_deleted_objects(
        self, objs: Sequence[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Nothing by name: what goes along is told in words, and may be a hundred thousand rows."""
        return [], {}, set(), []

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Back to the list."""
        messages.success(request, f"Added the {self.noun.lower()}.")
        return HttpResponseRedirect(self._list_url())

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: str) -> HttpResponse:
        """Back to the list."""
        messages.success(request, f"Deleted the {self.noun.lower()}.")
        return HttpResponseRedirect(self._list_url())

    def _list_url(self) -> str:
        meta = self.opts
        return reverse(f"{self.admin_site.name}:{meta.app_label}_{meta.model_name}_changelist")

    def message_user(
        self, request: HttpRequest, message: str, level: int = messages.INFO, *args: Any
    ) -> None:
        """Say it in a word where Django would quote the row."""
        messages.add_message(request, level, "Saved." if level == messages.SUCCESS else message)

    # The record: ids, and never what a row says.

    def note(self, request: StaffRequest, action: str, rows: Sequence[Any]) -> None:
        """Note in the audit what was done to these rows, and whose they are."""
        people = {row.pk: self.person_of(row) for row in rows}
        owners = {pk: person.pk if person else None for pk, person in people.items()}
        self.note_owned(request, action, owners)

    def note_owned(
        self, request: StaffRequest, action: str, owners: Mapping[object, UUID | None]
    ) -> None:
        """Note in the audit what was done to the rows with these ids, each with its owner's."""
        note_owned_in_audit(
            actor=request.user, action=action, noun=self.noun.lower(), owners=owners
        )

    def person_of(self, row: Any) -> User | None:
        """Whose row this is to the audit."""
        return self.owner_of(row)

    def log_addition(self, request: StaffRequest, obj: Model, message: object) -> None:
        """Note it in the audit."""
        self.note(request, Action.ADDED, [obj])

    def log_change(self, request: StaffRequest, obj: Model, message: object) -> None:
        """Note it in the audit."""
        self.note(request, Action.CHANGED, [obj])

    def log_deletions(self, request: StaffRequest, queryset: Sequence[Model]) -> None:
        """Note it in the audit."""
        self.note(request, Action.DELETED, list(queryset))
