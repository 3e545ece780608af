"""Accounts: who they are and how much they hold, never what."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from memory.admin.desk import CHANGE, DELETE, Desk
from memory.admin.filters import RoleFilter
from memory.admin.sight import StaffRequest
from memory.models import User
from memory.services.removal import remove_account


@admin.register(User)
class UserDesk(Desk):
    """Everybody who has an account; a superuser may remove one with all it holds."""

    noun, nouns = "Account", "Accounts"
    about = "Who may sign in, and what goes when somebody leaves. Roles are under People."
    pages = frozenset({CHANGE, DELETE})
    is_shared = True
    goes_along = "Their agents, conversations, documents, memories and tokens go with it, for good."

    list_display = ("address", "name", "role", "state", "last_login")
    list_filter = (RoleFilter,)
    search_fields = ("email", "name")
    ordering = ("email",)
    fields = readonly_fields = (
        "address", "name", "role", "state", "time_zone", "locale", "last_login", "recorded_at",
    )  # fmt: skip

    def person_of(self, row: User) -> User:
        """The person, whose own account it is."""
        return row

    @admin.display(description="E-mail", ordering="email")
    def address(self, user: User) -> str:
        """What they sign in with."""
        return user.email

    @admin.display(description="Role")
    def role(self, user: User) -> str:
        """What they may do."""
        return "superuser" if user.is_superuser else "staff" if user.is_staff else "member"

    @admin.display(description="Account", ordering="is_active")
    def state(self, user: User) -> str:
        """Whether they may sign in."""
        return "open" if user.is_active else "closed"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers."""
        return super().has_delete_permission(request, obj) and request.user.is_superuser

    def delete_model(self, request: StaffRequest, obj: User) -> None:
        """Remove the account with all that hangs off it.

        Raises: InvalidInput for one's own.
        """
        remove_account(principal=request.principal, user_id=obj.pk)
