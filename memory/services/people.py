"""What staff may do to accounts of others; what is in them stays their own."""

from uuid import UUID

import structlog
from django.core.exceptions import PermissionDenied
from django.db import transaction

from memory.domain.errors import InvalidInput
from memory.models import AuditEntry, User
from memory.services.accounts import create_account, make_sign_in_link
from memory.services.audit import note_in_audit
from memory.services.mail import queue_sign_in_mail
from memory.services.sessions import end_sessions

Action = AuditEntry.Action
log = structlog.get_logger(__name__)

HIGHER = "Only a superuser may do that for somebody on the staff."
ONESELF = "Nobody can do that to their own account. Ask another superuser."
CLOSED = "This account is closed. Reopen it first."


def may_manage(actor: User, person: User) -> bool:
    """Whether the actor may open and close this account, and make links into it."""
    if actor.pk == person.pk or not actor.is_staff:
        return False
    return actor.is_superuser or not (person.is_staff or person.is_superuser)


@transaction.atomic
def invite_person(*, actor: User, email: str) -> tuple[User, str]:
    """A new account and the link that opens it, which is mailed too where mail is set up.

    Raises: PermissionDenied; InvalidInput for no e-mail address or one that is taken.
    """
    if not actor.is_staff:
        raise PermissionDenied(HIGHER)
    person = create_account(email)
    queue_sign_in_mail(person)
    _note(Action.ADDED, actor, person)
    return person, make_sign_in_link(person)


@transaction.atomic
def make_link_for(*, actor: User, person_id: UUID) -> tuple[User, str]:
    """A new link that signs this person in once.

    Raises: User.DoesNotExist, PermissionDenied; InvalidInput for a closed account.
    """
    person = _managed(actor, person_id)
    if not person.is_active:
        raise InvalidInput(CLOSED)
    _note(Action.LINK_MADE, actor, person)
    return person, make_sign_in_link(person)


@transaction.atomic
def close_account(*, actor: User, person_id: UUID) -> User:
    """Shut a person out at once: their sessions end, their tokens and links open nothing.

    Raises: User.DoesNotExist, PermissionDenied.
    """
    person = _managed(actor, person_id)
    _change(person, is_active=False)
    end_sessions(person)
    # Or else one that was made before would open it for a while once it is open again.
    person.sign_in_links.filter(used_at=None).delete()
    _note(Action.CLOSED, actor, person)
    return person


@transaction.atomic
def open_account(*, actor: User, person_id: UUID) -> User:
    """Let a person in again, with the tokens they had.

    Raises: User.DoesNotExist, PermissionDenied.
    """
    person = _managed(actor, person_id)
    _change(person, is_active=True)
    _note(Action.REOPENED, actor, person)
    return person


@transaction.atomic
def set_staff(*, actor: User, person_id: UUID, is_staff: bool) -> User:
    """Grant a person the staff's rights, or take them away.

    Raises: User.DoesNotExist; PermissionDenied for all but superusers, and for oneself.
    """
    person = _managed(actor, person_id)
    if not actor.is_superuser or person.is_superuser:
        raise PermissionDenied(HIGHER)
    _change(person, is_staff=is_staff)
    _note(Action.STAFF_MADE if is_staff else Action.STAFF_UNMADE, actor, person)
    return person


def _managed(actor: User, person_id: UUID) -> User:
    # In one order for all: two superusers who close each other's account at once leave one of them.
    locked = User.objects.select_for_update().order_by("pk")
    found = {user.pk: user for user in locked.filter(pk__in=[actor.pk, person_id])}
    if person_id not in found:
        raise User.DoesNotExist
    person, current = found[person_id], found.get(actor.pk)
    if actor.pk == person_id:
        raise PermissionDenied(ONESELF)
    if current is None or not current.is_active or not may_manage(current, person):
        raise PermissionDenied(HIGHER)
    return person


def _change(person: User, **fields: bool) -> None:
    User.objects.filter(pk=person.pk).update(**fields)
    for name, value in fields.items():
        setattr(person, name, value)


def _note(action: str, actor: User, person: User) -> None:
    note_in_audit(actor=actor, action=action, noun="account", rows=[person.pk], owner_id=person.pk)
    log.info("account.managed", action=str(action), by=str(actor.pk), account=str(person.pk))
