"""Web servers whose every byte a test decides: one stands for the internet, one for the inside."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

# Both on this host: what is open on all addresses of the machine answers on either.
OUTSIDE, INSIDE = "127.0.0.2", "127.0.0.1"
# Bytes to send at once, or what sends them piece by piece.
Reply = bytes | Callable[[Callable[[bytes], Any]], None]


def reply(body: bytes = b"", status: int = 200, **headers: object) -> bytes:
    """One whole answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = {"Content-Length": len(body), **named, "Connection": "close"}
    lines = [f"{name}: {value}" for name, value in given.items()]
    return "\r\n".join([f"HTTP/1.1 {status} So", *lines, "", ""]).encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    return reply(b"go on", status, Location=location)


class WebServer(ThreadingTCPServer):
    """Gives what stands under each path, and keeps who asked for what."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, host: str, port: int = 0, context: ssl.SSLContext | None = None) -> None:
        super().__init__((host, port), _Talk)
        self.replies: dict[str, Reply] = {}
        self.heads: list[str] = []
        self.connections = 0
        self.context = context

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self.context:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return  # whoever asked does not trust the certificate
        super().finish_request(request, client_address)

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        self.connections += 1
        return connection, address

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Talk(StreamRequestHandler):
    server: WebServer

    def handle(self) -> None:
        head = b"".join(iter(self.rfile.readline, b"\r\n")).decode()
        if not head:
            return
        self.server.heads.append(head)
        answer = self.server.replies.get(head.split()[1], reply(b"nothing here", 404))
        with suppress(OSError):  # whoever asked may have gone
            self.wfile.write(answer) if isinstance(answer, bytes) else answer(self.wfile.write)


@contextmanager
def serving(host: str, port: int = 0, context: ssl.SSLContext | None = None) -> Iterator[WebServer]:
    """A server on this address until the end of the block."""
    with WebServer(host, port, context) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


@dataclass
class Web:
    """The two servers on one port, and what each name is known as, look-up by look-up."""

    outside: WebServer
    inside: WebServer
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    lookups: list[str] = field(default_factory=list)

    def address(self, path: str = "/", host: str = "books.example") -> str:
        """Where the server outside has this path."""
        return f"http://{host}:{self.outside.port}{path}"

    def look_up(self, host: str, port: int, *rest: Any, **options: Any) -> Any:
        """In place of the system's own: names that are known here, and written addresses."""
        is_known = host == "localhost" or ":" in host or host.replace(".", "").isdecimal()
        if host not in self.names:
            if is_known:
                return _look_up(host, port, *rest, **options)
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        self.lookups.append(host)
        answers = self.names[host]
        known = answers.pop(0) if len(answers) > 1 else answers[0]
        return [each for ip in known for each in _look_up(ip, port, type=socket.SOCK_STREAM)]


_look_up = socket.getaddrinfo


@contextmanager
def web_of_two(context: ssl.SSLContext | None = None) -> Iterator[Web]:
    """A web in which books.example is outside and wiki.example inside."""
    with serving(OUTSIDE, context=context) as outside, serving(INSIDE, outside.port) as inside:
        web = Web(outside, inside)
        web.names = {"books.example": [[OUTSIDE]], "wiki.example": [[INSIDE]]}
        yield web
