"""The site at /admin/: for staff only, on the record, behind the same sign-in as all pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from csp.constants import UNSAFE_EVAL
from csp.decorators import csp_update
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from unfold.sites import UnfoldAdminSite

from dashboard.admin_look import groups
from dashboard.queries.scopes import scope_totals

View = Callable[..., HttpResponse]


class LonghandAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # the theme's base has no types
    """Desks of Longhand's own nouns; what other packages register has no page here."""

    index_title = "Admin"
    final_catch_all_view = False

    def __init__(self, name: str = "admin") -> None:
        """Offer no action that deletes past the services; each desk names its own."""
        super().__init__(name)
        self.disable_action("delete_selected")

    def register(
        self, model_or_iterable: Any, admin_class: type | None = None, **options: Any
    ) -> None:
        """Take a desk; pages that no service of ours stands behind stay away."""
        if getattr(admin_class, "is_desk", False):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff."""
        return request.user.is_active and request.user.is_staff

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - Django's
        """The view for staff: a stranger is sent to sign in, to anybody else it is not there."""

        @wraps(view)
        @never_cache
        # The theme's scripts put functions together from attributes; only these pages let them.
        @csp_update({"script-src": [UNSAFE_EVAL]})
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise Http404
            return view(request, *args, **kwargs)

        return cast("View", guarded)

    def get_urls(self) -> list[URLPattern]:
        """The front page, the words of the date pickers, and the pages of each desk."""
        desks = [
            path(f"{model._meta.app_label}/{model._meta.model_name}/{url.pattern}", url.callback,
                 name=url.name)
            for model, desk in self._registry.items()
            for url in desk.get_urls()
        ]  # fmt: skip
        return [
            path("", self.admin_view(require_safe(self.index)), name="index"),
            path("jsi18n/", self.admin_view(require_safe(self.i18n_javascript)), name="jsi18n"),
            *desks,
        ]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Nothing: the side bar and the front page are put together by noun."""
        return []

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What every page gets; the colors come from a stylesheet and not from a style element."""
        return {**super().each_context(request), "colors": None}

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What there is, by noun, and how much of it each person has."""
        context = {"groups": groups(request), "totals": scope_totals(), **(extra_context or {})}
        return super().index(request, context)  # type: ignore[no-any-return]
