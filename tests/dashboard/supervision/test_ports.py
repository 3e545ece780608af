import socket
import threading
import time

import pytest

from dashboard.supervision.failures import StartFailed
from dashboard.supervision.ports import check_port, open_listener


def test_connection_is_taken_when_listener_is_open() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        caller = socket.create_connection(listener.getsockname(), timeout=1)
        accepted, address = listener.accept()

        assert address == caller.getsockname()
        accepted.close()
        caller.close()


def test_port_is_refused_by_name_when_it_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(StartFailed, match=f"LONGHAND_PORT {port} is in use"):
            check_port("127.0.0.1", port, patience_seconds=0.0)


def test_port_is_accepted_when_its_last_user_leaves_in_time() -> None:
    other = socket.create_server(("127.0.0.1", 0))
    threading.Timer(0.3, other.close).start()
    began = time.monotonic()

    check_port("127.0.0.1", other.getsockname()[1], patience_seconds=5.0)

    assert 0.2 < time.monotonic() - began < 4.0


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
def test_host_is_refused_by_name_when_it_is_not_of_this_machine(host: str) -> None:
    with pytest.raises(StartFailed, match="LONGHAND_HOST"):
        open_listener(host, 0)
