"""Errors of libraries, told to a document's owner."""

import zipfile
import zlib

import lxml.etree
import pytest

from ingest.domain.refusals import DAMAGED
from ingest.parsers.damage import told_as_damage
from memory.domain.errors import Permanent


class BrokenError(Exception):
    """What one library raises."""


@pytest.mark.parametrize(
    "error",
    [
        KeyError("secret words"),
        IndexError("secret words"),
        AttributeError("secret words"),
        UnicodeDecodeError("utf-8", b"secret", 0, 1, "words"),
        lxml.etree.XMLSyntaxError("secret words", 1, 1, 1),
        zipfile.BadZipFile("secret words"),
        zlib.error("secret words"),
        OSError("secret words"),
        OSError(22, "Invalid argument: secret words"),
        BrokenError("secret words"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_failure_of_a_library_is_told_without_its_kind_and_its_words(error: Exception) -> None:
    with pytest.raises(Permanent) as caught, told_as_damage(BrokenError):
        raise error

    assert str(caught.value) == DAMAGED


@pytest.mark.parametrize(
    "error", [Permanent("No text."), MemoryError(), RecursionError(), OSError(28, "No space")]
)
def test_failure_that_is_not_the_files_passes(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, told_as_damage():
        raise error

    assert caught.value is error
