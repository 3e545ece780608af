from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.domain.limits import Limits
from ingest.domain.refusals import NeedsPassword
from ingest.parsers import archive
from ingest.parsers.unpacking import HeldFile
from memory.domain.errors import Permanent
from tests.data import zips
from tests.ingest.parsers.reading import elements, held, texts, unpacking_into

WORDS = b"The gate code is on the fridge."


def given(tmp_path: Path, content: bytes, password: str = "") -> dict[str, str]:
    """What is given, "" for its reason, or why not; by the names inside."""
    return {each.path: each.reason for each in held(tmp_path / "a", content, "zip", password)}


def unpacked(tmp_path: Path, content: bytes, password: str = "") -> list[bytes]:
    """The bytes of the files that are given."""
    names = [each.file for each in held(tmp_path / "a", content, "zip", password) if each.file]
    return [next(tmp_path.glob(f"tmp*/{name}")).read_bytes() for name in names]


def test_each_file_is_given_with_its_bytes_and_all_are_listed(tmp_path: Path) -> None:
    content = zips.zip_of({"a.txt": WORDS, "notes/b.md": b"# B"})

    assert texts(tmp_path / "a", content, "zip") == ["Holds: a.txt, notes/b.md"]
    assert unpacked(tmp_path, content)[-2:] == [WORDS, b"# B"]


def test_long_list_is_told_in_notes_that_can_be_found(tmp_path: Path) -> None:
    names = [f"folder/letter to somebody number {place}.txt" for place in range(100)]

    notes = elements(tmp_path / "a", zips.zip_of(dict.fromkeys(names, WORDS)), "zip")

    assert all(len(each.text) < 1_000 for each in notes)
    assert [name for name in names if name not in " ".join(each.text for each in notes)] == []


def zip_behind_a_program(files: dict[str, bytes]) -> bytes:
    return b"MZ junk" * 99 + zips.zip_of(files)


@pytest.mark.parametrize("write", [zips.zip_streamed, zips.zip_of_64_bits, zip_behind_a_program])
def test_zip_is_read_however_it_was_written(
    write: Callable[[dict[str, bytes]], bytes], tmp_path: Path
) -> None:
    assert unpacked(tmp_path, write({"a.txt": WORDS})) == [WORDS]


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\Users\\a", "a\nb.txt"])
def test_name_that_leads_elsewhere_is_only_a_label(name: str, tmp_path: Path) -> None:
    (only,) = held(tmp_path / "a", zips.zip_of({name: WORDS}), "zip")

    assert only == HeldFile(name.replace("\\", "/"), "held-0")
    assert sorted(each.name for each in tmp_path.rglob("*") if each.is_file()) == ["a", "held-0"]


def test_same_name_twice_is_two_files(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zips.zip_of_entries(("a.txt", b"one", 0), ("a.txt", b"two", 0))

    assert unpacked(tmp_path, content) == [b"one", b"two"]


def test_links_and_devices_are_no_files_and_folders_are_nothing(tmp_path: Path) -> None:
    content = zips.zip_of_entries(
        ("link", b"/etc/passwd", zips.LINK),
        ("device", b"", zips.DEVICE),
        ("pipe", b"", zips.PIPE),
        ("folder", b"", zips.FOLDER),
        ("other/", b"", 0),
        ("a.txt", WORDS, 0o100644),
    )

    assert given(tmp_path, content) == {
        "link": archive.LINK,
        "device": archive.NO_FILE,
        "pipe": archive.NO_FILE,
        "a.txt": "",
    }


def test_what_systems_leave_there_for_themselves_is_passed_over(tmp_path: Path) -> None:
    noise = ("__MACOSX/._a.txt", "b/.DS_Store", "Thumbs.db", "b/desktop.ini", "b/._c.txt")

    content = zips.zip_of({"a.txt": WORDS, **dict.fromkeys(noise, b"x")})

    assert given(tmp_path, content) == {"a.txt": ""}
    assert texts(tmp_path / "a", content, "zip") == ["Holds: a.txt"]


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Prüfbericht Größe.pdf", "cp437"),
        ("Prüfbericht Größe.pdf", "cp1252"),
        ("議事録.txt", "cp932"),
        ("カタログ_A4.txt", "cp932"),
        ("年度报告.txt", "gb18030"),
        ("Отчёт.txt", "cp866"),
        ("Żarówka 電球.txt", "utf-8"),
    ],
)
def test_name_of_no_stated_encoding_is_guessed(name: str, encoding: str, tmp_path: Path) -> None:
    assert given(tmp_path, zips.zip_of_names({name.encode(encoding): WORDS})) == {name: ""}


def test_zip_without_files_says_so(tmp_path: Path) -> None:
    for content in (zips.zip_of({}), zips.zip_of({"folder/": b"", ".DS_Store": b"x"})):
        with pytest.raises(Permanent, match="The zip is empty"):
            given(tmp_path, content)


def test_file_that_is_longer_than_it_says_is_damaged_alone(tmp_path: Path) -> None:
    assert given(tmp_path, zips.zip_that_says(5, WORDS * 100)) == {"a.txt": archive.DAMAGED}


def test_file_that_is_shorter_than_it_says_is_given_as_it_is(tmp_path: Path) -> None:
    assert unpacked(tmp_path, zips.zip_that_says(100_000, WORDS)) == [WORDS]


def test_file_whose_bytes_are_garbled_is_damaged_alone(tmp_path: Path) -> None:
    content = zips.zip_of({"a.txt": WORDS, "b.txt": b"All is well."}, compress=False)

    told = given(tmp_path, content.replace(WORDS, WORDS.upper()))

    assert told == {"a.txt": archive.DAMAGED, "b.txt": ""}


def test_packing_that_is_unknown_is_told_of_the_file(tmp_path: Path) -> None:
    content = bytearray(zips.zip_of({"a.txt": WORDS}))
    place = content.find(b"PK\x01\x02")
    content[8:10] = content[place + 10 : place + 12] = (93).to_bytes(2, "little")

    assert given(tmp_path, bytes(content)) == {"a.txt": archive.OTHER_PACKING}


LOCKED = {
    "new": zips.zip_locked_by_aes({"a.txt": WORDS, "b.txt": WORDS}, "heron-7"),
    "old": zips.zip_locked_as_of_old("a.txt", WORDS, b"heron-7"),
}


@pytest.mark.parametrize("lock", LOCKED)
def test_locked_zip_asks_for_its_password_and_opens_with_it(lock: str, tmp_path: Path) -> None:
    with pytest.raises(NeedsPassword, match="protected by a password"):
        given(tmp_path, LOCKED[lock])
    with pytest.raises(NeedsPassword, match="The password is wrong"):
        given(tmp_path, LOCKED[lock], "Heron-7")

    assert set(unpacked(tmp_path, LOCKED[lock], "heron-7")) == {WORDS}


def test_wrong_password_is_wrong_even_if_its_first_bytes_fit(tmp_path: Path) -> None:
    """The old lock lets every 256th password begin."""
    for place in range(300):
        with pytest.raises(NeedsPassword, match="The password is wrong"):
            given(tmp_path, LOCKED["old"], f"other-{place}")


@pytest.mark.parametrize("encoding", ["utf-8", "cp437", "cp1252"])
def test_password_with_accents_opens_in_the_encoding_of_its_program(
    encoding: str, tmp_path: Path
) -> None:
    content = zips.zip_locked_as_of_old("a.txt", WORDS, "Größe".encode(encoding))

    assert unpacked(tmp_path, content, "Größe") == [WORDS]


def test_password_is_no_obstacle_where_nothing_is_locked(tmp_path: Path) -> None:
    assert given(tmp_path, zips.zip_of({"a.txt": WORDS}), "heron-7") == {"a.txt": ""}


def test_files_beyond_the_limit_are_told_of_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(zips.zip_of({f"{place}.txt": WORDS for place in range(5)}))
    unpacking = unpacking_into(tmp_path, Limits(max_members=2))

    found = list(archive.parse_container(path, unpacking, ""))

    files = [each for each in found if isinstance(each, HeldFile)]
    assert [(each.path, bool(each.file)) for each in files] == [
        ("0.txt", True), ("1.txt", True), ("2.txt and 2 more", False),
    ]  # fmt: skip
    assert "LONGHAND_MAX_MEMBERS" in files[-1].reason
