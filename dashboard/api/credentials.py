"""The vault: what it holds, without values; a value on its owner's word; deletion."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from ninja import Router

from dashboard.api.auth import ApiRequest
from dashboard.api.problems import problem
from dashboard.rates import REVEAL, spend
from memory.models import Credential
from memory.services.credentials import delete_credential, reveal_credential

router = Router(tags=["credentials"])
FIELDS = (
    "id", "service", "kind", "url", "notes", "recorded_at", "changed_at", "expires_at",
)  # fmt: skip


@router.get("", url_name="credential-list")
def list_credentials(request: ApiRequest) -> Any:
    """What the vault holds of the asker's, without any value; nothing through an agent."""
    rows = Credential.objects.visible_to(request.principal).by_service()
    return {"credentials": [credential_json(row) for row in rows]}


@router.post("{uuid:credential_id}/reveal", url_name="credential-reveal")
def reveal(request: ApiRequest, credential_id: UUID) -> HttpResponse:
    """One value, told to its owner and to nobody else, ten times in five minutes at most.

    An agent's token is answered as a stranger's is: what an agent reads may leave this host.
    """
    if wait := spend(REVEAL, str(request.principal.user.pk)):
        return _too_often(wait)
    value = reveal_credential(principal=request.principal, credential_id=credential_id)
    response = JsonResponse({"id": str(credential_id), "value": value})
    response["Cache-Control"] = "no-store"
    return response


@router.delete("{uuid:credential_id}", url_name="credential-detail", response={204: None})
def delete(request: ApiRequest, credential_id: UUID) -> HttpResponse:
    """Delete a value for good, and forget the memory that points to it."""
    delete_credential(principal=request.principal, credential_id=credential_id)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def credential_json(credential: Credential) -> dict[str, Any]:
    """A credential as its owner's clients see it, without its value."""
    return {name: getattr(credential, name) for name in FIELDS} | {"fact": credential.fact_id}


def _too_often(wait: int) -> HttpResponse:
    response = problem(429, f"The vault tells ten values in five minutes. Try again in {wait} s.")
    response["Retry-After"] = str(wait)
    return response
