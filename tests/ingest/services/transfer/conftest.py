"""Fixtures of what leaves and comes back."""

from tests.furnished import furnished, own_files

__all__ = ["furnished", "own_files"]
