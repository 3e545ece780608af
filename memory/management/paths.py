"""Paths as they are given to a command."""

from argparse import ArgumentTypeError
from pathlib import Path


def given_path(text: str) -> Path:
    """The path that was given; an empty one, as of a variable that is not set, is none.

    Raises: ArgumentTypeError.
    """
    # Path would take it for the current folder.
    if not text.strip():
        raise ArgumentTypeError("the path is empty. Write . for the current folder.")
    return Path(text)
