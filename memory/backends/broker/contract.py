"""What every broker promises about the doorbells that it keeps until a worker hears them."""

from datetime import datetime
from typing import Protocol


class Bells(Protocol):
    """The doorbells of all queues; the rows they ring for are kept in the database."""

    def waiting(self, cluster: str) -> int:
        """How many nobody has heard yet.

        Raises: Retryable when the broker does not answer.
        """

    def oldest_at(self, cluster: str) -> datetime | None:
        """When the first of those was rung; None when there is none.

        Raises: Retryable when the broker does not answer.
        """

    def rung(self, task: str, cluster: str) -> int:
        """How many of those are for this task.

        Raises: Retryable when the broker does not answer.
        """

    def is_waiting(self, task: str, cluster: str) -> bool:
        """Whether one for this task waits, or is under way as far as the broker knows.

        Raises: Retryable when the broker does not answer.
        """

    def check(self) -> str:
        """The broker's name, once it has answered.

        Raises: Retryable with the remedy.
        """
