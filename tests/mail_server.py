"""A mail server that takes everything and keeps it."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


class _Server(ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.mails: list[str] = []


class _Talk(StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        """Say yes to all of it."""
        self._say("220 here")
        for line in self.rfile:
            word = line.strip().upper()
            if word == b"DATA":
                self._say("354 go on")
                body = iter(self.rfile.readline, b".\r\n")
                self.server.mails.append(b"".join(body).decode())
            self._say("221 bye" if word == b"QUIT" else "250 yes")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@contextmanager
def mail_server() -> Iterator[tuple[str, list[str]]]:
    """Its address and the mails it was given, until the end of the block."""
    with _Server() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"smtp://127.0.0.1:{server.server_address[1]}", server.mails
        finally:
            server.shutdown()
