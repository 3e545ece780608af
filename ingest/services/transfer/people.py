"""Whose rows an export holds, and whose they become."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction

from ingest.services.transfer.exporting import EVERYONE, PROFILE
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text
from memory.models import User
from memory.services.accounts import create_account
from memory.services.transfer.opening import Archive


@dataclass(frozen=True, slots=True)
class Folder:
    """One person's part of an export; without an e-mail address, what everyone reads.

    Shape: `profile` are the columns of an account that is made for it.
    """

    folder: str
    email: str | None
    profile: dict[str, str] = field(default_factory=dict)


def folders_in(archive: Archive) -> list[Folder]:
    """The parts of an export, people first.

    Raises: InvalidInput when its manifest names none.
    """
    told = archive.about.get("people")
    try:
        found = [Folder(str(each["folder"]), each["email"], _profile(each)) for each in told or []]
    except (TypeError, KeyError):
        found = []
    is_sound = all(_is_sound(each) for each in found)
    if not found or not is_sound:
        raise InvalidInput(f"{archive.path} is damaged: its manifest names no people.")
    return sorted(found, key=lambda each: each.email is None)


def _is_sound(part: Folder) -> bool:
    if part.email is None:
        return part.folder == EVERYONE
    is_text = isinstance(part.email, str) and clean_text(part.email) == part.email
    return is_text and part.folder != EVERYONE


def only_folder(archive: Archive) -> str:
    """The folder of an export that holds one person's rows.

    Raises: InvalidInput when it holds more, or what everyone reads.
    """
    found = folders_in(archive)
    if len(found) > 1 or found[0].email is None:
        raise InvalidInput(
            f"{archive.path} holds {len(found)} parts, not one person's. Say --all to import each "
            "to the account of its own e-mail address."
        )
    return found[0].folder


@contextmanager
def account_of(part: Folder, *, dry_run: bool) -> Iterator[User | None]:
    """The account of a part's e-mail address, made when there is none; not kept in a dry run."""
    if part.email is None:
        yield None
        return
    with transaction.atomic():
        known = User.objects.filter(email=part.email.strip().lower()).first()
        yield known or _new_account(part.email, part.profile)
        transaction.set_rollback(dry_run)


def _profile(told: dict[str, object]) -> dict[str, str]:
    return {name: str(told[name]) for name in PROFILE if told.get(name)}


def _new_account(email: str, profile: dict[str, str]) -> User:
    user = create_account(email)
    for name, value in profile.items():
        setattr(user, name, clean_text(value))
    try:
        user.clean_fields()
    except ValidationError as error:
        raise InvalidInput(f"The account of {email}: {' '.join(error.messages)}") from None
    user.save(update_fields=list(profile))
    return user
