"""What hangs on an e-mail: each file is given, or says why it is not."""

import base64
from email.message import EmailMessage
from pathlib import Path

import pytest

from ingest.parsers.letters import LAYOUT
from ingest.parsers.mail_parts import ENCRYPTED, SIGNATURE
from tests.ingest.parsers.reading import elements, held, texts
from tests.ingest.parsers.test_eml import HEAD, letter

PICTURE = b"\x89PNG\r\n\x1a\n"


def files(tmp_path: Path, content: bytes) -> dict[str, bytes | str]:
    """What is given, or why it is not, by its name."""
    told: dict[str, bytes | str] = {}
    for each in held(tmp_path / "a", content, "eml"):
        found = next(tmp_path.glob(f"tmp*/{each.file}")) if each.file else None
        told[each.path] = found.read_bytes() if found else each.reason
    return told


def mixed(*parts: str) -> bytes:
    """A mail with these parts, each with its own head."""
    body = "".join(f"--limit\n{part}\n" for part in parts)
    kind = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="limit"\n\n'
    return f"{HEAD}{kind}{body}--limit--\n".encode()


def test_attachments_are_given_with_their_bytes(tmp_path: Path) -> None:
    message = letter()
    message.set_content("see attached")
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="a.pdf")
    message.add_attachment("a;b\n1;2\n", subtype="csv", filename="sums.csv")

    assert files(tmp_path, message.as_bytes()) == {"a.pdf": b"%PDF-1.4", "sums.csv": b"a;b\n1;2\n"}


@pytest.mark.parametrize(
    "stated",
    [
        "Content-Disposition: attachment; filename*=utf-8''Pl%C3%A4n%20%E2%82%AC.txt",
        (
            "Content-Disposition: attachment; filename*0*=utf-8''Pl%C3%A4n%20;\n"
            " filename*1*=%E2%82%AC.txt"
        ),
        'Content-Disposition: attachment; filename="=?utf-8?q?Pl=C3=A4n_=E2=82=AC.txt?="',
        'Content-Type: text/plain; name="=?utf-8?b?UGzDpG4g4oKsLnR4dA==?="',
        'Content-Disposition: attachment; filename="Plän €.txt"',
    ],
)
def test_name_is_decoded_however_it_was_written(stated: str, tmp_path: Path) -> None:
    assert files(tmp_path, mixed(f"{stated}\n\nThe plan.\n")) == {"Plän €.txt": b"The plan.\n"}


def test_file_without_a_name_is_called_by_its_kind(tmp_path: Path) -> None:
    content = mixed("Content-Type: application/pdf\nContent-Disposition: attachment\n\n%PDF-1.4\n")

    assert files(tmp_path, content) == {"unnamed.pdf": b"%PDF-1.4\n"}


def test_small_picture_that_the_page_shows_is_layout_and_others_are_given(tmp_path: Path) -> None:
    message = letter()
    message.set_content("<p>Hello</p><img src='cid:logo'><img src='cid:scan'>", subtype="html")
    for name, size in (("logo", 900), ("scan", 90_000)):
        message.add_related(
            PICTURE + bytes(size), "image", "png", cid=f"<{name}>", filename=f"{name}.png"
        )
    message.make_mixed()
    message.add_attachment(PICTURE, maintype="image", subtype="png", filename="photo.png")

    told = files(tmp_path, message.as_bytes())

    assert told.pop("scan.png") == PICTURE + bytes(90_000)
    assert told == {"logo.png": LAYOUT, "photo.png": PICTURE}


def test_signatures_and_sealed_parts_say_what_they_are(tmp_path: Path) -> None:
    content = mixed(
        'Content-Type: application/pgp-signature; name="a.asc"\n\n-----BEGIN PGP SIGNATURE-----',
        'Content-Type: application/pkcs7-signature; name="smime.p7s"\n\nx',
        'Content-Type: application/pkcs7-mime; name="smime.p7m"\n\nx',
        'Content-Type: application/octet-stream; name="b.asc"\n\n-----BEGIN PGP MESSAGE-----\nx',
    )

    assert files(tmp_path, content) == {
        "a.asc": SIGNATURE,
        "smime.p7s": SIGNATURE,
        "smime.p7m": ENCRYPTED,
        "b.asc": ENCRYPTED,
    }


def test_invitation_is_given_as_a_file(tmp_path: Path) -> None:
    message = letter()
    message.set_content("Please come.")
    message.add_alternative("<p>Please come.</p>", subtype="html")
    message.add_alternative("BEGIN:VCALENDAR\nSUMMARY:Inspection\n", subtype="calendar")

    assert files(tmp_path, message.as_bytes()) == {
        "invitation.ics": b"BEGIN:VCALENDAR\nSUMMARY:Inspection\n"
    }
    assert texts(tmp_path / "a", message.as_bytes(), "eml")[2:] == [
        "Please come.", "Attached: invitation.ics",
    ]  # fmt: skip


def test_broken_base64_gives_what_can_be_read_of_it(tmp_path: Path) -> None:
    lines = base64.b64encode(b"The plan of the crane.").decode()
    head = 'Content-Type: text/plain; name="a.txt"\nContent-Transfer-Encoding: base64\n\n'

    assert files(tmp_path, mixed(f"{head}{lines[:8]}*!{lines[8:]}")) == {
        "a.txt": b"The plan of the crane."
    }


def test_parts_inside_parts_are_all_found(tmp_path: Path) -> None:
    inner, outer = EmailMessage(), letter()
    inner.set_content("Words of the inner part.")
    inner.add_attachment(b"1", maintype="application", subtype="pdf", filename="deep.pdf")
    outer.set_content("Words of the outer part.")
    outer.make_mixed()
    outer.attach(inner)

    assert files(tmp_path, outer.as_bytes()) == {"deep.pdf": b"1"}
    assert texts(tmp_path / "a", outer.as_bytes(), "eml")[2:] == [
        "Words of the outer part.", "Words of the inner part.", "Attached: deep.pdf",
    ]  # fmt: skip


def test_page_behind_plain_words_is_read_too(tmp_path: Path) -> None:
    content = mixed(
        "Content-Type: text/plain\n\nFirst.", "Content-Type: text/html\n\n<p>Second.</p>"
    )

    assert texts(tmp_path / "a", content, "eml")[2:] == ["First.", "Second."]


def test_mail_that_is_nothing_but_a_file_gives_it(tmp_path: Path) -> None:
    content = HEAD + 'Content-Type: application/pdf; name="scan.pdf"\n\n%PDF-1.4'

    assert files(tmp_path, content.encode()) == {"scan.pdf": b"%PDF-1.4"}


def test_mail_that_lost_its_parts_limits_is_read_as_it_stands(tmp_path: Path) -> None:
    content = HEAD + "Content-Type: multipart/mixed\n\nThe crane is closed."

    assert texts(tmp_path / "a", content.encode(), "eml")[-1] == "The crane is closed."


def test_files_of_a_message_inside_are_told_by_its_subject(tmp_path: Path) -> None:
    inner, outer = letter("Inner"), letter("Outer")
    for message in (inner, outer):
        message.set_content("words")
        name, content = "plan.txt", message["Subject"].encode()
        message.add_attachment(content, maintype="application", subtype="x", filename=name)
    outer.add_attachment(inner)

    assert files(tmp_path, outer.as_bytes()) == {"plan.txt": b"Outer", "Inner/plan.txt": b"Inner"}


def test_message_that_was_encoded_as_a_file_is_given_as_one(tmp_path: Path) -> None:
    inner = letter("Inner")
    inner.set_content("inner words")
    lines = base64.encodebytes(inner.as_bytes()).decode()
    head = (
        'Content-Type: message/rfc822; name="inner.eml"\nContent-Transfer-Encoding: base64\n'
        "Content-Disposition: attachment\n\n"
    )

    assert files(tmp_path, mixed(head + lines)) == {"inner.eml": inner.as_bytes()}


def test_report_of_a_failed_delivery_is_read(tmp_path: Path) -> None:
    content = mixed(
        "Content-Type: text/plain\n\nIt came back.",
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nStatus: 5.1.1\n",
    )

    words = " ".join(each.text for each in elements(tmp_path / "a", content, "eml"))

    assert "It came back." in words
    assert "Status: 5.1.1" in words
