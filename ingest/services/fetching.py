"""Files from web addresses: fetched step by step, within limits, and stored as uploads are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import unquote

import httpcore
from django.conf import settings
from django.core.files.base import File
from django.db import connection
from django.utils.http import parse_header_parameters

from ingest.domain.addresses import WebAddress, next_address, web_address
from ingest.domain.media_types import FILE_ENDINGS, MEDIA_TYPES
from ingest.domain.origins import web_origin
from ingest.services.documents import Stored, require_size_within_limit, store_document
from ingest.services.pinned import (
    Deadline,
    PinnedNetwork,
    UntrustedCertificate,
    trusted_certificates,
)
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TAG_CHARACTERS, MAX_TAGS
from memory.domain.text import clean_tags
from memory.models import Principal, Scope

MAX_REDIRECTS = 5
KEPT_IN_MEMORY_BYTES = 2_500_000
OK = 200
REDIRECTS = {301, 302, 303, 307, 308}
HEADERS = {"User-Agent": "Longhand", "Accept": "*/*", "Accept-Encoding": "identity"}
BY_HAND = "Check the address, or download the file in a browser and upload it."
ENDINGS = {media_type.mime: f".{media_type.id}" for media_type in MEDIA_TYPES.values()}
PAGE_ENDING = ".html"


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of what a server answered."""

    status: int
    headers: dict[str, str]


def store_address(
    *, principal: Principal, scope: Scope, address: str, tags: tuple[str, ...] = ()
) -> Stored:
    """Keep what a web address holds and queue it for reading; its host becomes a tag.

    Raises: AddressNotAllowed before anything is opened; InvalidInput when it cannot be fetched.
    Side effects: asks the server at the address; writes the file; rings for a worker.
    """
    wanted = web_address(address, settings.LONGHAND_FETCH_REACH.ports)
    tags = tuple(clean_tags(tags))
    _give_back_connection()
    with SpooledTemporaryFile(KEPT_IN_MEMORY_BYTES, dir=settings.FILE_UPLOAD_TEMP_DIR) as file:
        last, answer = _fetched(wanted, file)
        upload = File(file, name=_name(last, answer.headers))
        upload.size = file.tell()
        if not upload.size:
            raise _failed(last, "it is empty")
        return store_document(
            principal=principal,
            scope=scope,
            upload=upload,
            tags=_with_host(tags, wanted),
            origin=web_origin(str(wanted)),
        )


def _fetched(address: WebAddress, file: IO[bytes]) -> tuple[WebAddress, Answer]:
    """The address that gave the file, after redirects, and its answer's head."""
    reach = settings.LONGHAND_FETCH_REACH
    network = PinnedNetwork(reach, Deadline(settings.LONGHAND_FETCH_SECONDS))
    with httpcore.ConnectionPool(
        ssl_context=trusted_certificates(), network_backend=network
    ) as pool:
        for _ in range(1 + MAX_REDIRECTS):
            answer = _asked(pool, address, file)
            if answer.status not in REDIRECTS:
                return address, answer
            address = next_address(address, answer.headers.get("location", ""), reach.ports)
    raise _failed(address, f"it leads on more than {MAX_REDIRECTS} times")


def _asked(pool: httpcore.ConnectionPool, address: WebAddress, file: IO[bytes]) -> Answer:
    """One question to one server; a file it answers with is written."""
    url = httpcore.URL(
        scheme=address.scheme, host=address.host, port=address.port, target=address.target
    )
    headers = [*HEADERS.items(), ("Host", address.authority)]
    with _in_words(address), pool.stream("GET", url, headers=headers) as response:
        answer = Answer(response.status, _decoded(response.headers))
        if answer.status not in REDIRECTS:
            _require_file(address, answer)
            for piece in response.iter_stream():
                file.write(piece)
                require_size_within_limit(file.tell())
        return answer


def _require_file(address: WebAddress, answer: Answer) -> None:
    if answer.status in {401, 403}:
        raise _failed(address, f"it wants a sign-in ({answer.status})")
    if answer.status != OK:
        raise _failed(address, f"it answered with {answer.status}")
    if answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise _failed(address, "it sends the file packed, which was not asked for")
    stated = answer.headers.get("content-length", "")
    if stated.isdecimal():
        require_size_within_limit(int(stated))


@contextmanager
def _in_words(address: WebAddress) -> Iterator[None]:
    """Turn what goes wrong on the way into one sentence; what the server said is not in it."""
    try:
        yield
    except httpcore.TimeoutException:
        raise _failed(
            address, f"it did not send all within {settings.LONGHAND_FETCH_SECONDS:g} s"
        ) from None
    except UntrustedCertificate:
        raise _failed(address, "its certificate is not one for this name") from None
    except (httpcore.NetworkError, httpcore.ProtocolError):
        raise _failed(address, "the connection failed or broke off") from None


def _failed(address: WebAddress, why: str) -> InvalidInput:
    return InvalidInput(f"{address.host} gave no file: {why}. {BY_HAND}", field="url")


def _decoded(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): _text(value) for name, value in headers}


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _name(address: WebAddress, headers: dict[str, str]) -> str:
    """The file's name as its server gives it, else the last step of its path, else the host."""
    kind, _ = _parameters(headers.get("content-type", ""))
    _, told = _parameters(headers.get("content-disposition", ""))
    path = PurePosixPath(unquote(address.target.partition("?")[0])).name
    name = str(told.get("filename", "")).strip() or path
    if not name:
        # A host's own ending may be one that says how text is written, such as .org.
        return address.host + ENDINGS.get(kind, PAGE_ENDING)
    is_known = PurePosixPath(name).suffix.lower() in FILE_ENDINGS
    return name if is_known else name + ENDINGS.get(kind, "")


def _parameters(header: str) -> tuple[str, dict[str, Any]]:
    try:
        return parse_header_parameters(header)
    except ValueError:
        return "", {}


def _with_host(tags: tuple[str, ...], address: WebAddress) -> tuple[str, ...]:
    has_room = len(tags) < MAX_TAGS and len(address.host) <= MAX_TAG_CHARACTERS
    return (*tags, address.host) if has_room else tags


def _give_back_connection() -> None:
    """Let other requests have the database while a slow server answers."""
    if not connection.in_atomic_block:
        connection.close()
