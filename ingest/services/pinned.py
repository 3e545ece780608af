"""Connections to checked addresses only: a name is looked up once, and what was checked is used."""

import socket
import ssl
import time
from collections.abc import Iterable
from functools import cache
from ipaddress import ip_address
from typing import Any

import httpcore

from ingest.domain.addresses import AddressNotAllowed, IPAddress, Reach

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 15.0


class UntrustedCertificate(httpcore.ConnectError):
    """The server shows no certificate for its name that is trusted here."""


class Deadline:
    """A moment after which nothing goes on, however often a little arrives."""

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds

    def left(self, most: float) -> float:
        """The seconds that the next step may take.

        Raises: httpcore.ReadTimeout when none are left.
        """
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout
        return min(left, most)


class PinnedNetwork(httpcore.NetworkBackend):
    """Opens a connection only to an address that was looked up and checked in the same step."""

    def __init__(self, reach: Reach, deadline: Deadline) -> None:
        self._reach = reach
        self._deadline = deadline
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to this name.

        Raises: AddressNotAllowed; httpcore.ConnectError when none of its addresses answers.
        """
        failure: Exception = httpcore.ConnectError()
        for address in _checked(host, port, self._reach):
            left = self._deadline.left(CONNECT_SECONDS)
            try:
                stream = self._sockets.connect_tcp(
                    str(address), port, left, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return TimedStream(stream, self._deadline)
        raise failure


class TimedStream(httpcore.NetworkStream):
    """A connection on which each step ends with the deadline at the latest."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What came in."""
        return self._stream.read(max_bytes, self._deadline.left(SILENCE_SECONDS))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send this."""
        self._stream.write(buffer, self._deadline.left(SILENCE_SECONDS))

    def close(self) -> None:
        """End the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted, with the certificate checked for the name.

        Raises: UntrustedCertificate.
        """
        left = self._deadline.left(CONNECT_SECONDS)
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, left)
        except httpcore.ConnectError as error:
            if isinstance(error.__cause__, ssl.SSLCertVerificationError):
                raise UntrustedCertificate from None
            raise
        return TimedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the connection below says of itself."""
        return self._stream.get_extra_info(info)


@cache
def trusted_certificates() -> ssl.SSLContext:
    """The authorities that this host trusts, and those that browsers do; as of the first use."""
    context = httpcore.default_ssl_context()
    context.load_default_certs()
    return context


def _checked(host: str, port: int, reach: Reach) -> list[IPAddress]:
    """The addresses of this name, of which each may be reached.

    Raises: AddressNotAllowed, the same for a name that is unknown and for one that leads inside,
        so that nobody learns which names there are inside.
    """
    found = _looked_up(host, port)
    if found and all(reach.allows(address) for address in found):
        return found
    raise AddressNotAllowed(
        f"“{host}” leads to no place on the public internet. Check its spelling, or download the "
        "file and upload it. Whoever runs Longhand can open inside addresses with "
        "LONGHAND_FETCH_ALLOWED."
    )


def _looked_up(host: str, port: int) -> list[IPAddress]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(ip_address(each[4][0]) for each in found))
