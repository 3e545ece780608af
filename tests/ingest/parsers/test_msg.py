from datetime import UTC, datetime
from pathlib import Path

from ingest.parsers.letters import LAYOUT
from ingest.parsers.msg import NOT_INSIDE
from tests.data.compound_file import message
from tests.ingest.parsers.reading import held, texts

SUBJECT, HEADERS, SENDER, ADDRESS, BODY = 0x0037, 0x007D, 0x0C1A, 0x0C1F, 0x1000


def test_head_words_and_attachments_of_a_message_are_read_once(tmp_path: Path) -> None:
    content = message(
        {SUBJECT: "Kran", SENDER: "Ada", ADDRESS: "ada@example.org", BODY: "Zu.\r\n\r\nAda"},
        sent_at=datetime(2031, 3, 4, 9, 30, tzinfo=UTC),
        html=b"<p>Zu. Ada</p>",
        recipients=(("Bo", "bo@example.org"), ("", "cy@example.org")),
        attachments=("plan.pdf", "b.txt"),
    )

    assert texts(tmp_path / "a", content, "msg") == [
        "Kran",
        (
            'From: "Ada" <ada@example.org>\nTo: Bo <bo@example.org>, cy@example.org\n'
            "Date: 2031-03-04 09:30 +00:00"
        ),
        "Zu.",
        "Ada",
        "Attached: plan.pdf, b.txt",
    ]


def test_attachments_of_a_message_are_given_but_for_its_logo(tmp_path: Path) -> None:
    content = message(
        {SUBJECT: "Kran", BODY: "Zu."},
        html=b"<p>Zu.</p><img src='cid:logo@1'>",
        attachments=("kept elsewhere",),
        files=(("plan.txt", b"The plan.", ""), ("logo.png", b"\x89PNG", "logo@1")),
    )

    files = held(tmp_path / "a", content, "msg")

    assert [(each.path, each.reason) for each in files] == [
        ("kept elsewhere", NOT_INSIDE),
        ("plan.txt", ""),
        ("logo.png", LAYOUT),
    ]
    assert next(tmp_path.glob(f"tmp*/{files[1].file}")).read_bytes() == b"The plan."


def test_page_is_read_in_its_own_encoding_where_there_are_no_words(tmp_path: Path) -> None:
    content = message({HEADERS: "To: a@example.org\r\nCc: b@example.org"},
                      html="<p>Kühlraum – 5 €</p>".encode("cp1252"))  # fmt: skip

    assert texts(tmp_path / "a", content, "msg") == [
        "No subject", "To: a@example.org\nCc: b@example.org", "Kühlraum – 5 €",
    ]  # fmt: skip
