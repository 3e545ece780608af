"""Reading a child's two pipes without ever waiting longer than asked."""

import os
import selectors
from types import TracebackType
from typing import IO, Self

_READ_BYTES = 65_536
_LOG_BYTES = 4_096


class ChildPipes:
    """The lines a child writes to stdout, and the end of what it writes to stderr."""

    def __init__(self, stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.received_bytes = 0
        self.is_at_end = False
        self._stdout = stdout
        self._stderr = stderr
        self._unfinished = bytearray()
        self._log = b""
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        for stream in (self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._selector.close()
        self._stdout.close()
        self._stderr.close()

    @property
    def log(self) -> str:
        """The last 4 kB that the child wrote to stderr."""
        return self._log.decode(errors="replace")

    def read_lines(self, timeout_seconds: float) -> list[bytes]:
        """The whole lines that have come, waiting for the first bytes at most so long."""
        lines: list[bytes] = []
        # A process that has nothing left to say would otherwise be asked in a tight loop.
        for key, _ in self._selector.select(timeout_seconds):
            received = os.read(key.fd, _READ_BYTES)
            if not received:
                self._selector.unregister(key.fileobj)
                self.is_at_end |= key.fileobj is self._stdout
            elif key.fileobj is self._stdout:
                lines += self._split(received)
            else:
                self._log = (self._log + received)[-_LOG_BYTES:]
        return lines

    def _split(self, received: bytes) -> list[bytes]:
        self.received_bytes += len(received)
        self._unfinished += received
        if b"\n" not in received:
            return []
        *lines, rest = bytes(self._unfinished).split(b"\n")
        self._unfinished = bytearray(rest)
        return lines
