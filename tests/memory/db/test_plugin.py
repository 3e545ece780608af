import socket

import pytest
import pytest_socket
from django.db import connection


@pytest.mark.django_db
def test_database_has_pgvector_when_tests_run() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
        version = cursor.fetchone()[0]

    assert tuple(map(int, version.split(".")[:2])) >= (0, 8)


def test_network_is_refused_when_host_is_not_loopback() -> None:
    with socket.socket() as outside, pytest.raises(pytest_socket.SocketConnectBlockedError):
        outside.connect(("192.0.2.1", 80))
