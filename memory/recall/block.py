"""The text that an agent puts into its prompt."""

from collections.abc import Sequence

from memory.domain.text import display_text
from memory.models import Fact, Turn

CHARACTERS_PER_TOKEN = 4
MOST_OF_A_NAME = 120


def block_of(rows: Sequence[Fact | Turn], budget_tokens: int | None) -> str:
    """One line a result, the best first, as many as the budget holds.

    Units: a token is taken as four characters.
    """
    lines: list[str] = []
    left = budget_tokens * CHARACTERS_PER_TOKEN if budget_tokens is not None else None
    for row in rows:
        line = _line(row)
        if left is not None:
            left -= len(line) + 1
            if left < 0:
                break
        lines.append(line)
    return "\n".join(lines)


def _line(row: Fact | Turn) -> str:
    text = " ".join(display_text(row.text).split())
    if isinstance(row, Turn):
        return f"- {row.observed_at:%Y-%m-%d} {row.speaker or row.role}: {text}"
    return f"- {row.happened_at:%Y-%m-%d} {row.kind}{_place(row)}: {text}"


def _place(row: Fact) -> str:
    """Where a passage stands, as " (survey.pdf, page 3)", pages 3–4; nothing for a memory."""  # noqa: RUF002 - a range
    if row.document is None:
        return ""
    name = " ".join(display_text(row.document.name).split())[:MOST_OF_A_NAME]
    page, last = row.locator.get("page"), row.locator.get("last_page")
    if page and last:
        return f" ({name}, pages {page}–{last})"  # noqa: RUF001 - a range
    return f" ({name}, page {page})" if page else f" ({name})"
