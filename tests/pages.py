"""What a test reads off a page that was answered."""

from typing import Any


def text_of(response: Any) -> str:
    """All that was answered, with one blank wherever there are several."""
    return " ".join(response.content.decode().split())


def part_of(shown: str, start: str, end: str = "</section>") -> str:
    """What stands on a page between two marks, of which the first has to be there."""
    assert start in shown
    return shown.partition(start)[2].partition(end)[0]
