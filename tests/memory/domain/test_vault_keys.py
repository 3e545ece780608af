"""Keys of the vault as people write them down."""

import base64
import os

import pytest

from memory.domain.errors import InvalidInput
from memory.domain.vault_keys import read_vault_key, written_vault_key

KEY = bytes(range(200, 232))


@pytest.mark.parametrize(
    "written",
    [
        KEY.hex(),
        KEY.hex().upper(),
        base64.b64encode(KEY).decode(),
        base64.urlsafe_b64encode(KEY).decode(),
        f"  {KEY.hex()}\n",
    ],
)
def test_key_is_read_in_each_form(written):
    assert read_vault_key(written) == KEY


def test_key_that_is_written_is_read_again():
    key = os.urandom(32)

    assert read_vault_key(written_vault_key(key)) == key


@pytest.mark.parametrize(
    "written",
    ["", "hunter2fake", "ab" * 31, "ab" * 33, base64.b64encode(b"short").decode(), "é" * 44],
)
def test_what_is_no_key_is_refused_and_not_told(written):
    with pytest.raises(InvalidInput) as raised:
        read_vault_key(written)

    assert not written or written not in str(raised.value)
