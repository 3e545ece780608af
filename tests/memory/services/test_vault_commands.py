"""`create_vault_key` writes a key once, for its owner alone; `reseal_vault` retires old ones."""

import stat
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from dashboard.project.env import read_vault_keys
from memory.domain.vault_keys import read_vault_key, written_vault_key
from memory.models import Credential, across_owners
from tests.fixtures import add_turn

KEY, OLD_KEY = bytes(range(32)), bytes(range(32, 64))


def made(*args, **options):
    said = StringIO()
    call_command(*args, stdout=said, **options)
    return said.getvalue()


def test_key_is_written_for_its_owner_alone_and_not_told(tmp_path):
    path = tmp_path / "key"

    said = made("create_vault_key", str(path))

    key = path.read_text()
    assert len(read_vault_key(key)) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"LONGHAND_VAULT_KEY_FILE={path}" in said
    assert key.strip() not in said
    assert read_vault_keys({"LONGHAND_VAULT_KEY_FILE": str(path)}).key == read_vault_key(key)


def test_two_keys_are_never_the_same(tmp_path):
    for name in ("one", "two"):
        made("create_vault_key", str(tmp_path / name))

    assert (tmp_path / "one").read_text() != (tmp_path / "two").read_text()


def test_key_lies_in_the_home_by_default(tmp_path, settings):
    settings.LONGHAND_HOME = tmp_path

    made("create_vault_key")

    assert (tmp_path / "vault_key").is_file()


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_key_is_never_written_over_anything(tmp_path, kind):
    path = tmp_path / "key"
    if kind == "file":
        path.write_text("precious")
    else:
        path.symlink_to(tmp_path / "elsewhere")
        if kind == "link":
            (tmp_path / "elsewhere").write_text("precious")

    with pytest.raises(CommandError, match="exists already") as raised:
        made("create_vault_key", str(path))

    assert raised.value.returncode == 2
    assert kind == "dangling link" or path.read_text() == "precious"
    assert kind != "dangling link" or not (tmp_path / "elsewhere").exists()


def test_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        made("create_vault_key", str(tmp_path / "none" / "key"))


def test_old_keys_are_needed_no_more_once_everything_is_sealed_anew(alice, settings):
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": OLD_KEY, "old_keys": ()}
    add_turn(alice, "My wifi password is bluegoose42")
    settings.LONGHAND_CIPHER_OPTIONS = {"key": KEY, "old_keys": (OLD_KEY,)}

    said = made("reseal_vault")

    assert ": 1. LONGHAND_VAULT_OLD_KEYS is needed no more" in said
    settings.LONGHAND_CIPHER_OPTIONS = {"key": KEY, "old_keys": ()}
    assert ": 0. " in made("reseal_vault")
    with across_owners():
        assert Credential.objects.count() == 1


def test_sealing_anew_without_a_vault_says_what_to_set(db):
    with pytest.raises(CommandError, match="LONGHAND_VAULT_KEY_FILE") as raised:
        made("reseal_vault")

    assert raised.value.returncode == 2


def written(tmp_path, mode):
    path = tmp_path / "key"
    path.write_text(written_vault_key(KEY))
    path.chmod(mode)
    return str(path)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_key_file_of_its_owner_alone_is_read(tmp_path, mode):
    keys = read_vault_keys({"LONGHAND_VAULT_KEY_FILE": written(tmp_path, mode)})

    assert keys.key == KEY
    assert str(KEY) not in repr(keys)


@pytest.mark.parametrize("name", ["LONGHAND_VAULT_KEY_FILE", "LONGHAND_VAULT_OLD_KEYS_FILE"])
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o700, 0o666])
def test_key_file_that_others_may_read_is_refused(tmp_path, mode, name):
    settings = {"LONGHAND_VAULT_KEY": KEY.hex(), name: written(tmp_path, mode)}

    with pytest.raises(ImproperlyConfigured, match=f"{name} may be read by others.*chmod 600"):
        read_vault_keys(settings)


@pytest.mark.parametrize("name", ["LONGHAND_VAULT_KEY_FILE", "LONGHAND_VAULT_OLD_KEYS_FILE"])
def test_folder_is_no_key_file_and_its_mode_stays(tmp_path, name):
    tmp_path.chmod(0o755)

    with pytest.raises(ImproperlyConfigured, match=f"{name} is a folder") as raised:
        read_vault_keys({"LONGHAND_VAULT_KEY": KEY.hex(), name: str(tmp_path)})

    assert "chmod" not in str(raised.value)


@pytest.mark.parametrize("name", ["LONGHAND_VAULT_KEY", "LONGHAND_VAULT_OLD_KEYS"])
@pytest.mark.parametrize("written", ["hunter2fake", "ab" * 31])
def test_key_that_is_none_is_refused_in_one_line_and_not_told(name, written):
    with pytest.raises(ImproperlyConfigured) as raised:
        read_vault_keys({"LONGHAND_VAULT_KEY": KEY.hex(), name: written})

    told = str(raised.value)
    assert told.startswith(f"{name} is no key")
    assert "create_vault_key" in told
    assert written not in told
    assert len(told) <= 200


def test_old_keys_are_listed_apart_by_commas_or_lines(tmp_path):
    listed = f"{OLD_KEY.hex()},\n{KEY.hex()}\n"
    keys = read_vault_keys({"LONGHAND_VAULT_KEY": KEY.hex(), "LONGHAND_VAULT_OLD_KEYS": listed})

    assert keys.old_keys == (OLD_KEY, KEY)


def test_old_keys_without_a_key_of_today_are_refused():
    with pytest.raises(ImproperlyConfigured, match="Set the key of today"):
        read_vault_keys({"LONGHAND_VAULT_OLD_KEYS": KEY.hex()})


def test_without_a_key_there_is_no_vault():
    assert read_vault_keys({}).key is None
