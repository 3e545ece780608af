"""The address the web process listens on."""

import errno
import socket
import time

from dashboard.supervision.failures import StartFailed

BACKLOG = 2048
POLL_SECONDS = 0.1


def open_listener(host: str, port: int) -> socket.socket:
    """A socket on which connections already wait.

    Raises: StartFailed naming the setting and the remedy.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise StartFailed(f"LONGHAND_HOST {host!r} is not an address. Use 127.0.0.1.") from None
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise StartFailed(_reason(error, host, port)) from error
    return listener


def check_port(host: str, port: int, *, patience_seconds: float) -> None:
    """Make sure that the web process will be able to listen.

    The patience is for the previous run's web process, which may be answering its last requests.
    Raises: StartFailed naming the setting and the remedy.
    """
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            open_listener(host, port).close()
        except StartFailed as error:
            if not _is_taken(error.__cause__) or time.monotonic() > deadline:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return


def _is_taken(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EADDRINUSE


def _reason(error: OSError, host: str, port: int) -> str:
    if _is_taken(error):
        return f"LONGHAND_PORT {port} is in use on {host}. Stop what uses it or set another port."
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"LONGHAND_PORT {port} needs more rights. Set a port above 1023."
    return f"LONGHAND_HOST {host} with port {port}: {error.strerror}. Set an address of this host."
