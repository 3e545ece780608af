"""Files of every format, cut short or filled with something else: one plain sentence, or words."""

import io
import re
import zipfile
from pathlib import Path

import pytest

from ingest.domain.elements import Element
from ingest.domain.limits import Limits, check_file
from ingest.domain.media_types import MEDIA_TYPES, sniff_file
from ingest.domain.refusals import DAMAGED
from memory.domain.errors import Permanent
from memory.domain.text import is_blank
from tests.data.office_documents import packed
from tests.ingest.parsers.reading import found
from tests.ingest.parsers.test_formats import TEXTS, sample

PACKED = ["docx", "pptx", "xlsx", "odt", "ods", "odp", "epub"]
# Formats whose end says that they are whole; of the others nobody can tell.
CLOSED = [*PACKED, "ipynb", "json", "xml"]
OPEN = ["txt", "md", "html", "csv", "tsv", "rst", "org"]
NOTHING = "No text found in the file."
# A name of a class or a module, a place on the disk, or how a program tells of its errors.
TECHNICAL = re.compile(r"[a-z][A-Z]|\b\w+\.\w+\(|/\w+/|Error|Exception|Traceback|None|0x|<")
BOMB = "".join(f"<!ENTITY e{at} '{f'&e{at - 1};' * 10}'>" for at in range(1, 12))
BOMB = f"<!DOCTYPE a [<!ENTITY e0 'multiplied'>{BOMB}]>"


def outcome(folder: Path, content: bytes, name: str) -> tuple[list[str], str]:
    """The words that are found, or the reason why none are."""
    path = folder / "upload"
    path.write_bytes(content)
    try:
        media_type = sniff_file(path, name)
        check_file(path, media_type, Limits())
        items = found(path, content, media_type.id)
    except Permanent as error:
        return [], str(error)
    texts = [each.text for each in items if isinstance(each, Element) and not is_blank(each.text)]
    return texts, "" if texts else NOTHING


def is_plain(reason: str) -> bool:
    words = reason.replace("OpenDocument", "").replace("LibreOffice", "")
    return reason.endswith(".") and len(reason) < 200 and TECHNICAL.search(words) is None


def is_inside(reason: str) -> bool:
    """Whether it says what is wrong and what to do."""
    return reason == DAMAGED or ("damaged" in reason and " anew" in reason)


@pytest.mark.parametrize("kind", CLOSED)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_file_that_is_cut_says_so_in_one_plain_sentence(
    kind: str, share: float, tmp_path: Path
) -> None:
    content = sample(kind)

    texts, reason = outcome(tmp_path, content[: int(len(content) * share)], f"a.{kind}")

    assert texts == []
    assert is_inside(reason), reason
    assert is_plain(reason)


@pytest.mark.parametrize("kind", OPEN)
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_text_that_is_cut_is_read_as_far_as_it_goes(
    kind: str, share: float, tmp_path: Path
) -> None:
    content = sample(kind) if kind not in TEXTS else f"{TEXTS[kind]}\n\nword word\n".encode() * 3

    texts, _ = outcome(tmp_path, content[: int(len(content) * share)], f"a.{kind}")

    assert texts


@pytest.mark.parametrize("kind", sorted(MEDIA_TYPES))
@pytest.mark.parametrize("content", [b"", b" \n\t \n", "\u00a0\u200b".encode()])
def test_file_of_nothing_says_so(content: bytes, kind: str, tmp_path: Path) -> None:
    texts, reason = outcome(tmp_path, content, f"a.{kind}")

    assert texts == []
    assert reason in {NOTHING, "The file is empty."}


@pytest.mark.parametrize("kind", sorted(MEDIA_TYPES))
def test_bytes_of_nothing_known_are_refused_whatever_their_name(kind: str, tmp_path: Path) -> None:
    texts, reason = outcome(tmp_path, bytes(range(256)) * 8, f"a.{kind}")

    assert texts == []
    assert "not read" in reason
    assert is_plain(reason)


@pytest.mark.parametrize("kind", PACKED)
def test_container_with_any_part_missing_or_cut_is_read_or_told_plainly(
    kind: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(sample(kind))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    for name, content in parts.items():
        for others in ({}, {name: content[: len(content) // 2]}, {name: b""}, {name: b"<a/>"}):
            rest = {each: part for each, part in parts.items() if each != name} | others

            texts, reason = outcome(tmp_path, packed(rest), f"a.{kind}")

            assert texts or is_plain(reason), (name, reason)


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("declaration", [BOMB, "<!DOCTYPE a [<!ENTITY e11 SYSTEM '{}'>]>"])
def test_entities_in_a_part_are_neither_multiplied_nor_fetched(
    kind: str, declaration: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("must stay unread")
    head = declaration.format(secret.as_uri()).encode()
    with zipfile.ZipFile(io.BytesIO(sample(kind))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    texts_of = {name for name in parts if name.endswith((".xml", ".opf", ".rels", ".xhtml"))}
    assert texts_of
    for name, content in parts.items():
        if name in texts_of:
            start, _, rest = content.rpartition(b"</")
            prolog, mark, body = start.partition(b"?>")
            whole = prolog + mark + head + body if mark else head + start
            changed = packed(parts | {name: whole + b"&e11;</" + rest})

            texts, reason = outcome(tmp_path, changed, f"a.{kind}")

            assert "must stay unread" not in "\n".join(texts)
            assert "\n".join(texts).count("multiplied") <= 1
            assert texts or is_plain(reason), (name, reason)
