"""Files reach the asynchronous server a piece at a time."""

import asyncio
import io

from dashboard.downloads import Download


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
