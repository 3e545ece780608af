"""What every cipher must do, run against each of them."""

import os
from dataclasses import replace
from uuid import uuid4

import pytest

from memory.backends.cipher.aesgcm import AesGcmCipher
from memory.backends.cipher.contract import Cipher, Place, Sealed
from memory.backends.cipher.loading import load_cipher
from memory.backends.cipher.none import NoCipher
from memory.domain.errors import Permanent

KEY, OLD_KEY = bytes(range(32)), bytes(range(32, 64))
PLACE = Place(uuid4(), "example.org", "password")
VALUES = ["hunter2fake", "", "口令 🦊 \n\ttab", "x" * 32_000]


@pytest.fixture(params=["aesgcm"])
def cipher(request: pytest.FixtureRequest) -> Cipher:
    return {"aesgcm": AesGcmCipher(KEY)}[request.param]


@pytest.mark.parametrize("value", VALUES)
def test_value_opens_in_its_place_as_it_was(cipher: Cipher, value: str) -> None:
    sealed = cipher.seal(value, PLACE)

    assert cipher.unseal(sealed, PLACE) == value
    assert sealed.key_id == cipher.key_id
    assert cipher.opens(sealed.key_id)


@pytest.mark.parametrize("value", [value for value in VALUES if value])
def test_neither_ciphertext_nor_digest_holds_the_value(cipher: Cipher, value: str) -> None:
    sealed = cipher.seal(value, PLACE)

    assert value.encode() not in sealed.ciphertext
    assert value.encode() not in cipher.digest(value, PLACE.owner)


def test_same_value_is_never_sealed_twice_the_same(cipher: Cipher) -> None:
    sealed = {cipher.seal("hunter2fake", PLACE).ciphertext for _ in range(50)}

    assert len(sealed) == 50


@pytest.mark.parametrize(
    "elsewhere",
    [
        replace(PLACE, owner=uuid4()),
        replace(PLACE, service="example.net"),
        replace(PLACE, kind="PIN"),
        Place(PLACE.owner, "example.orgpassword", ""),
    ],
    ids=["owner", "service", "kind", "shifted"],
)
def test_value_opens_in_no_other_place(cipher: Cipher, elsewhere: Place) -> None:
    sealed = cipher.seal("hunter2fake", PLACE)

    with pytest.raises(Permanent, match="changed or moved"):
        cipher.unseal(sealed, elsewhere)


def test_row_that_was_changed_does_not_open(cipher: Cipher) -> None:
    sealed = cipher.seal("hunter2fake", PLACE)

    for place in range(len(sealed.ciphertext)):
        changed = bytearray(sealed.ciphertext)
        changed[place] ^= 1
        with pytest.raises(Permanent, match="changed or moved"):
            cipher.unseal(replace(sealed, ciphertext=bytes(changed)), PLACE)


@pytest.mark.parametrize("kept", [0, 5, 12, 20])
def test_row_that_was_cut_off_does_not_open(cipher: Cipher, kept: int) -> None:
    sealed = cipher.seal("hunter2fake", PLACE)

    with pytest.raises(Permanent, match="changed or moved"):
        cipher.unseal(replace(sealed, ciphertext=sealed.ciphertext[:kept]), PLACE)


def test_value_of_an_unknown_key_names_that_key_and_the_remedy(cipher: Cipher) -> None:
    with pytest.raises(Permanent, match=r"0123abcd.*LONGHAND_VAULT_OLD_KEYS"):
        cipher.unseal(Sealed(os.urandom(40), "0123abcd"), PLACE)
    assert not cipher.opens("0123abcd")


def test_digest_tells_equal_values_of_one_owner_and_of_no_two(cipher: Cipher) -> None:
    one, other = uuid4(), uuid4()

    assert cipher.digest("hunter2fake", one) == cipher.digest("hunter2fake", one)
    assert cipher.digest("hunter2fake", one) != cipher.digest("hunter3fake", one)
    assert cipher.digest("hunter2fake", one) != cipher.digest("hunter2fake", other)


def test_digests_are_those_under_all_keys_that_are_set(cipher: Cipher) -> None:
    owner = PLACE.owner
    both = AesGcmCipher(OLD_KEY, old_keys=[KEY])

    assert cipher.digest("hunter2fake", owner) in cipher.digests("hunter2fake", owner)
    assert set(both.digests("hunter2fake", owner)) == {
        AesGcmCipher(key).digest("hunter2fake", owner) for key in (KEY, OLD_KEY)
    }


def test_repr_tells_nothing_of_the_key(cipher: Cipher) -> None:
    told = repr(cipher)

    assert KEY.hex() not in told
    assert repr(KEY) not in told


def test_old_key_opens_and_never_seals() -> None:
    before, after = AesGcmCipher(OLD_KEY), AesGcmCipher(KEY, old_keys=[OLD_KEY])
    sealed = before.seal("hunter2fake", PLACE)

    assert after.unseal(sealed, PLACE) == "hunter2fake"
    assert after.seal("hunter2fake", PLACE).key_id == AesGcmCipher(KEY).key_id != before.key_id
    with pytest.raises(Permanent, match=before.key_id):
        AesGcmCipher(KEY).unseal(sealed, PLACE)


def test_digest_depends_on_the_key() -> None:
    assert AesGcmCipher(KEY).digest("a", PLACE.owner) != AesGcmCipher(OLD_KEY).digest(
        "a", PLACE.owner
    )


def test_no_cipher_refuses_everything_and_says_what_to_do() -> None:
    none = NoCipher()
    sealed = AesGcmCipher(KEY).seal("hunter2fake", PLACE)

    with pytest.raises(Permanent, match="create_vault_key"):
        none.seal("hunter2fake", PLACE)
    with pytest.raises(Permanent, match="create_vault_key"):
        none.digest("hunter2fake", PLACE.owner)
    with pytest.raises(Permanent, match="create_vault_key"):
        none.digests("hunter2fake", PLACE.owner)
    with pytest.raises(Permanent, match=sealed.key_id):
        none.unseal(sealed, PLACE)
    assert none.key_id == ""
    assert not none.opens(sealed.key_id)


def test_cipher_is_found_by_its_path() -> None:
    cipher = load_cipher("memory.backends.cipher.aesgcm.AesGcmCipher", key=KEY, old_keys=())

    assert cipher.key_id == AesGcmCipher(KEY).key_id


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("memory.backends.cipher.aesgcm.AesGcmCipher", {"key": b"short"}),
        ("memory.backends.cipher.aesgcm.AesGcmCipher", {}),
        ("memory.backends.cipher.nowhere.Cipher", {}),
        ("memory.backends.cipher.contract.Place", {"owner": 1, "service": "", "kind": ""}),
    ],
)
def test_cipher_that_cannot_be_loaded_tells_no_option(
    path: str, options: dict[str, object]
) -> None:
    with pytest.raises(Permanent) as raised:
        load_cipher(path, **options)

    assert "short" not in str(raised.value)
    assert raised.value.__cause__ is None
