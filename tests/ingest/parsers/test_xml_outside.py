"""What XML names outside itself stays there, in every format that is made of XML.

Read in this process: here no namespace stands between a library and what it would fetch.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from memory.domain.errors import Permanent
from tests.data import hostile
from tests.ingest.parsers.reading import texts

XML_KINDS = (*hostile.MAIN_PARTS, *hostile.OPEN_TEXTS)
PARSED_AS = {"svg": "xml"}
SECRET = "the-heron-sleeps"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def outside_file(tmp_path: Path, _port: int) -> tuple[str, str, str]:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    return f"<!ENTITY out SYSTEM '{secret.as_uri()}'>", "", "&out;"


def outside_address(_tmp_path: Path, port: int) -> tuple[str, str, str]:
    return f"<!ENTITY out SYSTEM 'http://127.0.0.1:{port}/x'>", "", "&out;"


def outside_dtd(_tmp_path: Path, port: int) -> tuple[str, str, str]:
    return "", f"SYSTEM 'http://127.0.0.1:{port}/x.dtd'", ""


def outside_parameter(tmp_path: Path, port: int) -> tuple[str, str, str]:
    definition = tmp_path / "x.dtd"
    definition.write_text(f"<!ENTITY out '{SECRET}'>")
    address = f"http://127.0.0.1:{port}/x.dtd"
    subset = (
        f"<!ENTITY % a SYSTEM '{definition.as_uri()}'> %a; <!ENTITY % b SYSTEM '{address}'> %b;"
    )
    return subset, "", "&out;"


@pytest.mark.parametrize("kind", XML_KINDS)
@pytest.mark.parametrize("declare", [outside_file, outside_address, outside_dtd, outside_parameter])
def test_what_xml_names_outside_itself_is_not_fetched(
    tmp_path: Path,
    listener: socket.socket,
    kind: str,
    declare: Callable[[Path, int], tuple[str, str, str]],
) -> None:
    content = hostile.with_entities(kind, *declare(tmp_path, listener.getsockname()[1]))
    read: list[str] = []

    # Whether such a file is read or refused is its format's business.
    with suppress(Permanent):
        read = texts(tmp_path / "document", content, PARSED_AS.get(kind, kind))

    assert SECRET not in "\n".join(read)
    with suppress(BlockingIOError):
        listener.accept()
        pytest.fail("somebody was asked")


@pytest.mark.parametrize("kind", XML_KINDS)
def test_file_without_a_document_type_is_read(tmp_path: Path, kind: str) -> None:
    """The files above are good but for what they declare."""
    content = hostile.with_entities(kind, "", "", "")

    assert texts(tmp_path / "document", content, PARSED_AS.get(kind, kind))
