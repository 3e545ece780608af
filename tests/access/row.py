"""A row of the access matrix."""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Row:
    """One method of one address, and how it answers those who may use it."""

    name: str
    method: str
    status: int
    target: str = ""
    body: Any = None
    # Whether the answer shows alice's rows to her, and so must not show them to others.
    shows: bool = False
    # Recall searches the scope of an agent only when it asks itself, or is named.
    searches: bool = False
    # Where a body names something of alice's: the status for those who cannot see it.
    otherwise: int | None = None
    query: str = field(default="")
    # Parts of the address that are no id of a row.
    words: tuple[str, ...] = ()
    # Who may use it at all; to others it is an unknown address.
    audience: Literal["everybody", "staff", "superusers"] = "everybody"
    # The admin shows everybody's rows to a superuser, and to nobody else.
    superuser_sees: bool = False
    # A conversation that no agent takes part in, so that no agent's token reaches it.
    of_no_agent: bool = False
    # All of the staff may see its target, whoever that is.
    staff_see: bool = False

    @property
    def is_api(self) -> bool:
        return self.name.startswith("api:")

    def __str__(self) -> str:
        return f"{self.method} {self.name} {self.target or self.query}".strip()
