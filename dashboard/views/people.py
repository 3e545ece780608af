"""Who may sign in, for the staff: never what is in an account."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts_forms import AddressForm
from dashboard.project.addresses import is_this_machine
from dashboard.queries.people import people_for
from dashboard.views.access import AuthedRequest, SeeOther, found_or_404, signed_in, staff_only
from memory.domain.errors import InvalidInput
from memory.services.people import (
    close_account,
    invite_person,
    make_link_for,
    open_account,
    set_staff,
)


@require_safe
@signed_in
@staff_only
def people_list(request: AuthedRequest) -> HttpResponse:
    """Every account, and a form to invite somebody."""
    return _page(request, AddressForm())


@never_cache
@require_POST
@signed_in
@staff_only
def person_invite(request: AuthedRequest) -> HttpResponse:
    """Make an account and show the link that opens it, this once."""
    form = AddressForm(request.POST)
    if form.is_valid():
        try:
            person, link = invite_person(actor=request.user, email=form.cleaned_data["email"])
        except InvalidInput as error:
            form.refuse(error)
        else:
            context = {"section": "people", "person": person, "link": link, "is_new": True}
            context["is_mailed"] = settings.LONGHAND_HAS_MAIL
            return _link_page(request, context)
    return _page(request, form, status=400)


@never_cache
@require_POST
@signed_in
@staff_only
def person_link(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Make a link into an account and show it, this once."""
    with found_or_404():
        try:
            person, link = make_link_for(actor=request.user, person_id=pk)
        except (InvalidInput, PermissionDenied) as error:
            messages.error(request, str(error))
            return SeeOther(reverse("people-list"))
    context = {"section": "people", "person": person, "link": link}
    return _link_page(request, context)


@require_POST
@signed_in
@staff_only
def person_close(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Shut a person out at once."""
    with found_or_404(), _refusals_shown(request):
        person = close_account(actor=request.user, person_id=pk)
        messages.success(request, f"Closed the account of {person.email}.")
    return SeeOther(reverse("people-list"))


@require_POST
@signed_in
@staff_only
def person_open(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Let a person in again."""
    with found_or_404(), _refusals_shown(request):
        person = open_account(actor=request.user, person_id=pk)
        messages.success(request, f"Reopened the account of {person.email}. They sign in anew.")
    return SeeOther(reverse("people-list"))


@require_POST
@signed_in
@staff_only
def person_role(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Grant or take the staff's rights."""
    is_staff = request.POST.get("role") == "staff"
    with found_or_404(), _refusals_shown(request):
        person = set_staff(actor=request.user, person_id=pk, is_staff=is_staff)
        word = "is staff now" if is_staff else "is staff no more"
        messages.success(request, f"{person.email} {word}.")
    return SeeOther(reverse("people-list"))


@contextmanager
def _refusals_shown(request: AuthedRequest) -> Iterator[None]:
    """Say a service's refusal on the next page."""
    try:
        yield
    except PermissionDenied as error:
        messages.error(request, str(error))


def _link_page(request: AuthedRequest, context: dict[str, object]) -> HttpResponse:
    context |= {"is_for_here_only": is_this_machine(settings.LONGHAND_URL)}
    return render(request, "dashboard/people/link.html", context, status=201)


def _page(request: AuthedRequest, form: AddressForm, *, status: int = 200) -> HttpResponse:
    context = {
        "section": "people",
        "form": form,
        "people": people_for(request.user),
        "has_mail": settings.LONGHAND_HAS_MAIL,
    }
    return render(request, "dashboard/people/list.html", context, status=status)
