from email.message import EmailMessage
from pathlib import Path

import pytest

from memory.domain.errors import Permanent
from tests.ingest.parsers.reading import elements, texts

HEAD = "From: Ada <ada@example.org>\nTo: bo@example.org\nSubject: Crane\n"


def letter(subject: str = "Crane") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = (
        "ada@example.org",
        "bo@example.org",
        subject,
    )
    return message


def test_head_stands_once_under_the_subject(tmp_path: Path) -> None:
    content = (
        HEAD + "Cc: =?utf-8?q?J=C3=BCrgen_M=C3=B6=C3=9Fner?= <jm@example.org>\n"
        "Date: Mon, 3 Mar 2031 09:15:00 +0100\n\nHello Bo,\n\nthe crane is closed.\n"
    )

    items = elements(tmp_path / "a", content.encode(), "eml")

    assert [(each.kind.value, each.text) for each in items] == [
        ("title", "Crane"),
        (
            "note",
            (
                "From: Ada <ada@example.org>\nTo: bo@example.org\n"
                "Cc: Jürgen Mößner <jm@example.org>\nDate: 2031-03-03 09:15 +01:00"
            ),
        ),
        ("text", "Hello Bo,"),
        ("text", "the crane is closed."),
    ]
    assert {each.heading_path for each in items} == {("Crane",)}


def test_plain_words_are_preferred_and_read_once(tmp_path: Path) -> None:
    message = letter()
    message.set_content("plain words")
    message.add_alternative("<p>words of the page</p>", subtype="html")

    assert texts(tmp_path / "a", message.as_bytes(), "eml")[2:] == ["plain words"]


def test_page_is_read_where_the_plain_words_are_blank(tmp_path: Path) -> None:
    message = letter()
    message.set_content(" \n")
    message.add_alternative("<h1>Top</h1><p>words of the page</p>", subtype="html")

    *_, last = elements(tmp_path / "a", message.as_bytes(), "eml")

    assert (last.heading_path, last.text) == (("Crane", "Top"), "words of the page")


@pytest.mark.parametrize("charset", ["us-ascii", "iso-8859-1", "windows-1252", "klingon"])
def test_words_survive_a_charset_that_does_not_fit(charset: str, tmp_path: Path) -> None:
    head = f"{HEAD}Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"

    content = head.encode() + "Kühlung für 1.950 €".encode("cp1252")

    assert texts(tmp_path / "a", content, "eml")[-1] == "Kühlung für 1.950 €"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_subject_that_states_no_encoding_is_guessed(encoding: str, tmp_path: Path) -> None:
    content = b"From: a@example.org\nSubject: " + "Prüfung".encode(encoding) + b"\n\nx"

    assert texts(tmp_path / "a", content, "eml")[0] == "Prüfung"


def test_attachments_are_named(tmp_path: Path) -> None:
    message = letter()
    message.set_content("see attached")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Plän.pdf")
    message.add_attachment(b"x", maintype="image", subtype="png")

    items = texts(tmp_path / "a", message.as_bytes(), "eml")

    assert items[-1] == "Attached: Plän.pdf, unnamed.png"


def test_words_behind_a_picture_are_read(tmp_path: Path) -> None:
    message = letter()
    message.set_content("before the picture")
    message.add_attachment(b"x", maintype="image", subtype="png", disposition="inline")
    message.add_attachment("behind the picture", disposition="inline")

    items = texts(tmp_path / "a", message.as_bytes(), "eml")

    assert items[2:] == [
        "before the picture",
        "behind the picture",
        "Attached: unnamed.png",
    ]


def test_message_that_hangs_on_another_is_read_below_it(tmp_path: Path) -> None:
    inner, outer = letter("Inner"), letter("Outer")
    inner.set_content("inner words")
    outer.set_content("outer words")
    outer.add_attachment(inner)

    *_, last = elements(tmp_path / "a", outer.as_bytes(), "eml")

    assert (last.heading_path, last.text) == (("Outer", "Inner"), "inner words")


def test_messages_without_end_are_told_as_damage(tmp_path: Path) -> None:
    content = b"Subject: x\nContent-Type: message/rfc822\n\n" * 30

    with pytest.raises(Permanent, match="nested too deeply"):
        texts(tmp_path / "a", content, "eml")


@pytest.mark.parametrize("date", ["yesterday", "Mon, 99 Foo 2031 09:15", ""])
def test_date_that_is_none_stays_as_written(date: str, tmp_path: Path) -> None:
    items = texts(tmp_path / "a", f"{HEAD}Date: {date}\n\nx".encode(), "eml")

    assert items[1].partition("\nDate: ")[2] == date


def test_message_without_subject_is_headed_as_such(tmp_path: Path) -> None:
    assert texts(tmp_path / "a", b"From: a@example.org\n\nx", "eml")[0] == "No subject"


@pytest.mark.parametrize("sender", ["/':1;*0]=?1attachment/.", '*1*1@["(;'])
def test_header_that_breaks_the_standards_parser_is_shown_as_it_is(
    sender: str, tmp_path: Path
) -> None:
    content = f"From: {sender}\nSubject: Crane\n\nclosed"

    assert texts(tmp_path / "a", content.encode(), "eml") == ["Crane", f"From: {sender}", "closed"]
