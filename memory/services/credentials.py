"""The vault of each person: secrets put away as they are said, told again to their owner alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, count
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memory.backends.cipher.contract import Cipher, Place, Sealed
from memory.backends.cipher.loading import load_cipher
from memory.db.locks import lock_until_commit
from memory.domain import secret_notes
from memory.domain.capture import FactDraft, masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import DecayClass, Shelf, Source
from memory.domain.redaction.together import Secret
from memory.domain.text import clean_text, require_text
from memory.models import AuditEntry, Credential, Fact, Principal, Scope, Turn
from memory.models.credentials import (
    MAX_KIND_CHARACTERS,
    MAX_SERVICE_CHARACTERS,
    CredentialQuerySet,
    plain_service,
)
from memory.services.audit import note_in_audit
from memory.services.changes import draft_with
from memory.services.facts import (
    Remembered,
    correct_fact,
    forget_fact,
    keep_fact,
    remember_fact,
)

log = structlog.get_logger(__name__)

# Worth nothing a minute later, or, on the back of a card, not to be kept by anybody.
PASSING = frozenset({"one-time code"})
LONGEST_NUMBER = 7
# Each takes a dozen queries while everybody else who writes to the scope waits.
MOST_AT_ONCE = 20
MAX_SECRET_CHARACTERS = 32_000
TAG = "credential"
DELETED = "its value was deleted from the vault"


@dataclass(frozen=True, slots=True)
class PutAway:
    """What became of one secret: in words, and the memory that points to it if the vault has it."""

    note: str
    pointer: Remembered | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretDraft:
    """A value that its owner puts into the vault by hand."""

    service: str
    kind: str
    value: str = field(repr=False)
    url: str = ""
    notes: str = ""


def active_cipher() -> Cipher:
    """The cipher that the settings choose.

    Raises: Permanent with the remedy.
    """
    return _loaded(settings.LONGHAND_CIPHER, tuple(settings.LONGHAND_CIPHER_OPTIONS.items()))


@lru_cache(maxsize=4)
def _loaded(dotted: str, options: tuple[tuple[str, Any], ...]) -> Cipher:
    return load_cipher(dotted, **dict(options))


@transaction.atomic
def put_away(
    *, principal: Principal, scope: Scope, secrets: Sequence[Secret], turn: Turn | None = None
) -> list[PutAway]:
    """Put these secrets into the vault of their owner, each if it is not there yet.

    What the vault has already is never overwritten. Without a vault, and where the scope is not
    the principal's own, nothing is kept.
    """
    new = _each_once(each for each in secrets if each.kind not in PASSING)
    has_passing = any(each.kind in PASSING for each in secrets)
    notes = [PutAway(secret_notes.PASSED)] if has_passing else []
    if not new:
        return notes
    if scope.owner != principal.user:
        return [PutAway(secret_notes.NOT_OWN), *notes]
    if not active_cipher().key_id:
        return [PutAway(secret_notes.NO_VAULT), *notes]
    # One at a time for a person, so that what is nameless gets a name of its own.
    lock_until_commit(f"vault:{principal.user.pk}")
    first = new[:MOST_AT_ONCE]
    kept = [_put_away(principal, scope, each, turn) for each in first]
    too_many = [PutAway(secret_notes.TOO_MANY)] if len(new) > len(first) else []
    return [*kept, *too_many, *notes]


@transaction.atomic
def remember_without_secrets(
    *, principal: Principal, scope: Scope, draft: FactDraft, supersedes: UUID | None = None
) -> tuple[Remembered, list[PutAway]]:
    """Keep one statement as `remember_fact` does, and put its secrets away.

    Raises: as `remember_fact`; Permanent where the vault's key cannot be used, with nothing kept.
    """
    kept = remember_fact(principal=principal, scope=scope, draft=draft, supersedes=supersedes)
    return kept, put_away(principal=principal, scope=scope, secrets=draft.secrets())


@transaction.atomic
def correct_without_secrets(
    *, principal: Principal, fact_id: UUID, changes: Mapping[str, object]
) -> tuple[Fact, list[PutAway]]:
    """Change a fact as `correct_fact` does, and put away the secrets that are in it now.

    Raises: as `correct_fact`; Permanent where the vault's key cannot be used.
    """
    fact: Fact = Fact.objects.visible_to(principal).select_related("scope").get(pk=fact_id)
    secrets = draft_with(fact, changes).secrets()
    corrected = correct_fact(principal=principal, fact_id=fact_id, changes=changes)
    return corrected, put_away(principal=principal, scope=fact.scope, secrets=secrets)


@transaction.atomic
def store_credential(*, principal: Principal, draft: SecretDraft) -> Credential:
    """Put a value into the vault on its owner's word; it takes the place of the one before.

    Raises: InvalidInput; Permanent where there is no vault.
    """
    value = require_text(draft.value, field="value", limit=MAX_SECRET_CHARACTERS)
    kind = require_text(draft.kind, field="kind", limit=MAX_KIND_CHARACTERS)
    name = _service_name(draft.service)
    if not name:
        raise InvalidInput("service is blank, or a secret itself. Use a name.", field="service")
    row = _sealed(principal, name, kind, value)
    row.url, row.notes = (masked(clean_text(each)).strip() for each in (draft.url, draft.notes))
    Credential.objects.bulk_create([row], ignore_conflicts=True)
    stored: Credential = _own(principal).named(name, kind).select_related("scope").locked().get()
    if stored.pk != row.pk:
        stored.url, stored.notes, stored.changed_at = row.url, row.notes, timezone.now()
        seal_into(stored, value)
        stored.save()
    return stored


@transaction.atomic
def reveal_credential(*, principal: Principal, credential_id: UUID) -> str:
    """The value of one credential, told to its owner; the audit has that it was.

    Raises: Credential.DoesNotExist; Permanent with the remedy when it does not open.
    """
    own = Credential.objects.visible_to(principal).by_service()
    credential: Credential = own.get(pk=credential_id)
    sealed = Sealed(bytes(credential.ciphertext), credential.key_id)
    value = active_cipher().unseal(sealed, place_of(credential))
    note_in_audit(
        actor=principal.user,
        action=AuditEntry.Action.REVEALED,
        noun="credential",
        rows=[credential.pk],
        owner_id=principal.user.pk,
    )
    log.info("credential.revealed", principal=str(principal), credential=str(credential.pk))
    return value


@transaction.atomic
def delete_credential(*, principal: Principal, credential_id: UUID) -> None:
    """Delete a value from the vault for good, and forget the memory that points to it.

    That is forgotten wherever the owner sees it, also where only staff write: it would be untrue.
    Raises: Credential.DoesNotExist.
    """
    own = Credential.objects.visible_to(principal).locked()
    credential: Credential = own.get(pk=credential_id)
    linked = [credential.fact_id] if credential.fact_id else []
    pointer = Fact.objects.visible_to(principal).filter(pk__in=linked).first()
    if pointer:
        owner = replace(principal, may_write_global=True)
        forget_fact(principal=owner, fact_id=pointer.pk, reason=DELETED)
    credential.delete()


def _each_once(secrets: Iterable[Secret]) -> list[Secret]:
    """Equal values as one, told by the first that says whose it is."""
    new: dict[tuple[str, str], Secret] = {}
    for secret in secrets:
        known = new.setdefault((secret.kind, secret.value), secret)
        if not known.service:
            new[secret.kind, secret.value] = secret
    return list(new.values())


def _put_away(principal: Principal, scope: Scope, found: Secret, turn: Turn | None) -> PutAway:
    digests = active_cipher().digests(found.value, principal.user.pk)
    known: Credential | None = _own(principal).holding(digests, found.kind).first()
    if known:
        return PutAway(secret_notes.known(found.kind, known.service))
    service = _service_name(found.service) or _free_name(
        principal, found.kind, secret_notes.UNNAMED
    )
    taken = _own(principal).named(service, found.kind).first()
    if taken and active_cipher().opens(taken.key_id):
        return PutAway(secret_notes.other(found.kind, taken.service))
    # One whose key is lost may be this very value: nobody can tell, so this one is kept beside it.
    service = _free_name(principal, found.kind, service) if taken else service
    row = _sealed(principal, service, found.kind, found.value)
    Credential.objects.bulk_create([row], ignore_conflicts=True)
    stored: Credential = _own(principal).named(service, found.kind).get()
    if stored.pk != row.pk:
        # Its owner has put one there by hand in this moment.
        return PutAway(secret_notes.other(found.kind, stored.service))
    pointer = keep_fact(principal=principal, scope=scope, draft=_pointer(stored, turn), turn=turn)
    stored.fact = pointer.fact
    stored.save(update_fields=["fact"])
    return PutAway(secret_notes.went(found.kind, service), pointer)


def _own(principal: Principal) -> CredentialQuerySet:
    return Credential.objects.of(principal.user.pk)


def _sealed(principal: Principal, service: str, kind: str, value: str) -> Credential:
    row = Credential(scope=Scope.objects.for_user(principal.user), service=service, kind=kind)
    seal_into(row, value)
    return row


def seal_into(credential: Credential, value: str) -> None:
    """Seal a value in its row with the key of today; the row is not saved."""
    cipher, place = active_cipher(), place_of(credential)
    sealed = cipher.seal(value, place)
    credential.ciphertext, credential.key_id = sealed.ciphertext, sealed.key_id
    credential.digest = cipher.digest(value, place.owner)


def place_of(credential: Credential) -> Place:
    """Where a credential's value belongs."""
    return Place(credential.owner_id, plain_service(credential.service), credential.kind)


def _service_name(given: str) -> str:
    """The service as it is stored; empty where it would tell a secret itself."""
    name = "-".join(clean_text(given).split()).lower()[:MAX_SERVICE_CHARACTERS].strip("-")
    told = secret_notes.pointer("password", name)
    return name if masked(name) == name and masked(told) == told else ""


def _free_name(principal: Principal, kind: str, name: str) -> str:
    taken = _own(principal).filter(kind=kind).values_list("service", flat=True)
    plain = set(map(plain_service, taken))
    stem = name[: MAX_SERVICE_CHARACTERS - LONGEST_NUMBER]
    numbered = (f"{stem}-{number}" for number in count(2))
    return next(each for each in chain((name,), numbered) if plain_service(each) not in plain)


def _pointer(credential: Credential, turn: Turn | None) -> FactDraft:
    return FactDraft(
        text=secret_notes.pointer(credential.kind, credential.service),
        category="entity",
        shelf=Shelf.TECHNICAL,
        entity=credential.service,
        key=credential.kind,
        tags=(TAG,),
        decay_class=DecayClass.PERMANENT,
        source=Source.CONVERSATION if turn else Source.API,
        source_date=turn.observed_at if turn else None,
    )
