"""A person's agents: connect one, see what it brought, rename or remove it."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts_forms import NewAgentForm
from dashboard.queries.agents import agents_for
from dashboard.views.access import AuthedRequest, SeeOther, found_or_404, signed_in
from memory.domain.errors import InvalidInput
from memory.services.accounts import create_token
from memory.services.agents import rename_agent
from memory.services.removal import remove_agent


@signed_in
@require_safe
def agent_list(request: AuthedRequest) -> HttpResponse:
    """The agents with what each has brought."""
    context = {"section": "agents", "agents": agents_for(request.principal)}
    return render(request, "dashboard/agents/list.html", context)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def agent_create(request: AuthedRequest) -> HttpResponse:
    """Name an agent; then show its token, this once, and how to use it."""
    form = NewAgentForm(request.POST if request.method == "POST" else None)
    context = {"section": "agents", "form": form}
    if form.is_bound and form.is_valid():
        name = form.cleaned_data["agent"]
        try:
            secret = create_token(request.user, agent=name)
        except InvalidInput as error:
            form.refuse(error)
        else:
            context |= {"name": name, "secret": secret, "url": settings.LONGHAND_URL}
            return render(request, "dashboard/agents/made.html", context, status=201)
    status = 400 if form.is_bound else 200
    return render(request, "dashboard/agents/create.html", context, status=status)


@signed_in
@require_POST
def agent_rename(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Give an agent another name."""
    with found_or_404():
        try:
            rename_agent(
                principal=request.principal, agent_id=pk, name=request.POST.get("name", "")
            )
        except InvalidInput as error:
            messages.error(request, str(error))
    return SeeOther(reverse("agent-list"))


@signed_in
@require_POST
def agent_remove(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Delete an agent with its tokens, conversations and own memories."""
    with found_or_404():
        remove_agent(principal=request.principal, agent_id=pk)
    return SeeOther(reverse("agent-list"))
