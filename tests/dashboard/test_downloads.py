"""Files reach the asynchronous server a piece at a time."""

import asyncio
import io
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection

from dashboard.downloads import Download
from memory.streaming import InPieces


class Counting(io.BytesIO):
    """A file that counts how often it was read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        return super().read(size)


def test_download_reads_a_piece_only_when_the_one_before_was_taken() -> None:
    file = Counting(b"a" * Download.block_size * 20)
    response = Download(file, as_attachment=True, filename="a.txt")

    async def first() -> bytes:
        async for piece in response:
            return piece
        return b""

    assert asyncio.run(first()) == b"a" * Download.block_size
    assert file.reads == 1


def test_download_gives_all_of_the_file() -> None:
    content = bytes(range(256)) * 4_000
    response = Download(io.BytesIO(content), as_attachment=True, filename="a.bin")

    async def whole() -> bytes:
        return b"".join([piece async for piece in response])

    assert asyncio.run(whole()) == content
    assert response["Content-Length"] == str(len(content))


def test_piece_that_is_empty_is_not_the_end() -> None:
    response = InPieces([b"first", b"", b"last"])

    async def whole() -> list[bytes]:
        return [piece async for piece in response]

    assert asyncio.run(whole()) == [b"first", b"", b"last"]


@pytest.mark.django_db(transaction=True)
def test_slow_reader_holds_no_connection_to_the_database(monkeypatch: Any) -> None:
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)  # as in the web process
    connection.close()

    def pieces() -> Iterator[bytes]:
        for _ in range(2):
            connection.ensure_connection()
            yield b"piece"

    async def held() -> list[bool]:
        is_held = sync_to_async(lambda: connection.connection is not None)
        return [await is_held() async for _ in InPieces(pieces())]

    assert async_to_sync(held)() == [False, False]
