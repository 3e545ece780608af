from datetime import UTC, datetime
from pathlib import Path

from tests.data.compound_file import message
from tests.ingest.parsers.reading import texts

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
        "Attached, not read: plan.pdf, b.txt",
    ]


def test_page_is_read_in_its_own_encoding_where_there_are_no_words(tmp_path: Path) -> None:
    content = message({HEADERS: "To: a@example.org\r\nCc: b@example.org"},
                      html="<p>Kühlraum – 5 €</p>".encode("cp1252"))  # fmt: skip

    assert texts(tmp_path / "a", content, "msg") == [
        "No subject", "To: a@example.org\nCc: b@example.org", "Kühlraum – 5 €",
    ]  # fmt: skip
