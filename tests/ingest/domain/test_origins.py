"""What makes a file the same thing over time."""

import pytest

from ingest.domain.origins import MAX_ORIGIN_CHARACTERS, file_origin, upload_origin, web_origin


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ("report.docx", "upload:report.docx"),
        ("a/README.md", "upload:a/README.md"),
        ("b/README.md", "upload:b/README.md"),
        ("./a//README.md", "upload:a/README.md"),
        ("/a/../b/x.txt", "upload:a/b/x.txt"),
        ("a\\b\\x.txt", "upload:a/b/x.txt"),
        ("R\u00e9sum\u00e9.docx", "upload:R\u00e9sum\u00e9.docx"),
        ("Re\u0301sume\u0301.docx", "upload:Re\u0301sume\u0301.docx"),
        ("two\nlines.txt", "upload:two lines.txt"),
        ("pictures/image.png", "upload:pictures/image.png"),
    ],
)
def test_origin_of_an_upload_is_its_path_in_one_spelling(path, origin):
    assert upload_origin(path) == origin


@pytest.mark.parametrize(
    "name", ["pasted.txt", "image.png", "Image.PNG", "blob", "untitled", "", "/", "..", "pasted.md"]
)
def test_name_that_a_clipboard_gives_is_no_origin(name):
    assert upload_origin(name) == ""


def test_secret_in_a_name_is_not_kept():
    secret = "sk-" + "a1B2c3D4" * 6

    assert upload_origin(f"{secret}.txt") == ""
    assert file_origin(f"/srv/{secret}/x.txt") == ""


def test_origins_of_different_kinds_never_meet():
    assert len({upload_origin("x"), file_origin("x"), web_origin("x")}) == 3


def test_long_paths_fit_and_stay_apart():
    long = "/srv/" + "folder/" * 400
    first, second = file_origin(long + "a.txt"), file_origin(long + "b.txt")

    assert first != second
    assert len(first) == len(second) == MAX_ORIGIN_CHARACTERS
