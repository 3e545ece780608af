"""A person's API tokens."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts_forms import NewTokenForm
from dashboard.queries.agents import tokens_for
from dashboard.views.access import AuthedRequest, SeeOther, found_or_404, signed_in
from memory.domain.errors import InvalidInput
from memory.services.accounts import create_token, revoke_token


@signed_in
@require_safe
def token_list(request: AuthedRequest) -> HttpResponse:
    """The tokens that open something, and a form for one more."""
    return _page(request, NewTokenForm())


@signed_in
@never_cache
@require_POST
def token_create(request: AuthedRequest) -> HttpResponse:
    """Make a token and show its secret, this once: it is stored nowhere."""
    form = NewTokenForm(request.POST)
    if form.is_valid():
        try:
            secret = create_token(request.user, name=form.cleaned_data["name"])
        except InvalidInput as error:
            form.refuse(error)
        else:
            return _page(request, NewTokenForm(), secret=secret, status=201)
    return _page(request, form, status=400)


@signed_in
@require_POST
def token_revoke(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Have a token open nothing any more."""
    with found_or_404():
        revoke_token(principal=request.principal, token_id=pk)
    return SeeOther(reverse("token-list"))


def _page(
    request: AuthedRequest, form: NewTokenForm, *, secret: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "section": "settings",
        "form": form,
        "secret": secret,
        "tokens": tokens_for(request.principal),
    }
    return render(request, "dashboard/settings/tokens.html", context, status=status)
