"""Keys to the API: who holds one and when it was last used, never what opens the door."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet

from memory.admin.desk import Action, Desk
from memory.admin.sight import StaffRequest
from memory.models import ApiToken, Principal, User
from memory.services.accounts import revoke_token


@admin.register(ApiToken)
class TokenDesk(Desk):
    """Tokens of everybody. They are made in Settings, where the secret is shown once."""

    noun, nouns = "Token", "Tokens"
    about = "Keys to the API, when each was last used; revoke one that got lost."
    actions: ClassVar[list[Any]] = ["revoke"]

    list_display = (
        "start", "name", "user", "agent", "reach", "recorded_at", "last_used_at",
        "revoked_at",
    )  # fmt: skip
    list_display_links = None
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    search_fields = ("name", "start", "user__email", "agent__name")
    ordering = ("-pk",)

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With user and agent, without the digest."""
        return rows.select_related("user", "agent").defer("digest")

    def owner_of(self, row: ApiToken) -> User:
        """The person whom it lets in."""
        return row.user

    @admin.display(description="For everyone", ordering="may_write_global")
    def reach(self, token: ApiToken) -> str:
        """Whether it may write what everyone reads; in a word, for a red mark is a failure."""
        return "may write" if token.may_write_global else "may read"

    @admin.action(description="Revoke")
    def revoke(self, request: StaffRequest, queryset: QuerySet[Any]) -> None:
        """Have these tokens open nothing from now on."""
        chosen = list(queryset)
        tokens = [token for token in chosen if token.revoked_at is None]
        for token in tokens:
            revoke_token(principal=Principal(token.user), token_id=token.pk)
        self.note(request, Action.REVOKED, tokens)
        noun = "token" if len(tokens) == 1 else "tokens"
        if tokens:
            messages.success(request, f"Revoked {len(tokens):,} {noun}.")
        if was := len(chosen) - len(tokens):
            were = "1 token was" if was == 1 else f"{was:,} tokens were"
            messages.info(request, f"{'' if tokens else 'Nothing changed. '}{were} so already.")
