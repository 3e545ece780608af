"""Reading transcripts: every form, times, refusals that name the line, and no word lost."""

import json
import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TURN_CHARACTERS
from memory.domain.text import clean_text
from memory.domain.transcripts import (
    MAX_TRANSCRIPT_TURNS,
    read_transcript,
    speakers_of,
    suggested_person,
)

BERLIN = ZoneInfo("Europe/Berlin")
TODAY = date(2026, 11, 30)


def read(text):
    return read_transcript(text, zone=BERLIN, today=TODAY)


def said(text):
    return [(turn.speaker, turn.text) for turn in read(text).said]


def moments(text):
    return [turn.said_at.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M") for turn in read(text).said]


def refused(text):
    with pytest.raises(InvalidInput) as caught:
        read(text)
    assert caught.value.field == "text"
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Mara: I live in York.\nSince May.\nquill: Noted.",
        "- Mara: I live in York.\n  Since May.\n- quill: Noted.",
        "* Mara: I live in York.\nSince May.\n* quill: Noted.",
        "**Mara:** I live in York.\nSince May.\n\n**quill**: Noted.",
        "# Mara\n\nI live in York.\nSince May.\n\n# quill\nNoted.",
        "### Mara:\nI live in York.\nSince May.\n### quill\nNoted.",
        "[2026-01-15 10:22] Mara: I live in York.\nSince May.\n[2026-01-15 10:23] quill: Noted.",
        "15/01/2026, 10:22 - Mara: I live in York.\nSince May.\n15/01/2026, 10:23 - quill: Noted.",
        "[10:22] <Mara> I live in York.\nSince May.\n[10:23] <quill> Noted.",
        "10:22 Mara: I live in York.\nSince May.\n10:23 quill: Noted.",
        "Mara (10:22): I live in York.\nSince May.\nquill (10:23): Noted.",
        "\ufeffMara: I live in York.\r\nSince May.\r\nquill: Noted.\r\n",
        "Mara\uff1aI live in York.\nSince May.\nquill\uff1aNoted.",
    ],
)
def test_transcript_is_read_in_every_form_of_lines(text):
    assert [(name, " ".join(words.split())) for name, words in said(text)] == [
        ("Mara", "I live in York. Since May."),
        ("quill", "Noted."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user", "content": "Hi"}\n\n{"role": "assistant", "text": "Ho"}\n',
        '[{"role": "user", "content": "Hi"},\n {"role": "assistant", "content": "Ho"}]',
        '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]}',
        (
            '{"role": "user", "content": [{"type": "text", "text": "Hi"}]}\n'
            '{"role": "assistant", "content": {"parts": ["Ho"]}}'
        ),
        '{"author": {"role": "user"}, "content": "Hi"}\n{"speaker": "assistant", "body": "Ho"}',
    ],
)
def test_transcript_is_read_in_every_form_of_json(text):
    transcript = read(text)

    assert said(text) == [("user", "Hi"), ("assistant", "Ho")]
    assert [turn.role for turn in transcript.said] == ["user", "assistant"]


def test_parts_that_are_no_text_are_named_where_they_stood():
    text = {
        "role": "user",
        "content": [{"type": "image_url"}, "Look", {"type": "text", "text": "!"}],
    }

    assert said(json.dumps(text)) == [("user", "[image_url]\nLook\n!")]


def test_messages_without_text_are_left_out_and_counted():
    transcript = read('[{"role": "assistant", "content": null}, {"role": "user", "content": "Hi"}]')

    assert [turn.text for turn in transcript.said] == ["Hi"]
    assert transcript.blank == 1


def test_notes_in_a_message_are_no_speakers():
    text = "Mara: The list\nNote: buy milk\nTo do: nothing\nsee https://example.org\nquill: Fine"

    assert [name for name, _ in said(text)] == ["Mara", "quill"]


def test_headings_inside_an_answer_are_no_speakers():
    text = "# Chat of Monday\n## User\nHi\n## Assistant\n## Summary\nAll is well.\n## User\nThanks"

    assert [turn.role for turn in read(text).said] == ["system", "user", "assistant", "user"]
    assert said(text)[2][1] == "## Summary\nAll is well."


def test_code_and_quotations_stay_inside_their_message():
    text = "Mara: Look:\n```py\nquill: int = 3\n```\n> Ines: never\nquill: ```\nMara: x\n```\nSo."

    assert [name for name, _ in said(text)] == ["Mara", "quill"]
    assert "> Ines: never" in said(text)[0][1]


def test_a_name_with_nothing_said_stays_as_words_of_the_message_before_it():
    assert said("Mara: Hello\nquill:\nMara: Bye") == [("Mara", "Hello\nquill:"), ("Mara", "Bye")]


def test_times_are_of_the_given_zone_unless_they_name_their_own():
    transcript = read("[2026-01-15 10:22] Mara: Hi\n[2026-01-15T10:22:00Z] quill: Ho")

    assert [turn.said_at for turn in transcript.said] == [
        datetime(2026, 1, 15, 9, 22, tzinfo=UTC),
        datetime(2026, 1, 15, 10, 22, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("stamps", "expected"),
    [
        (("3/4/2026, 10:22", "15/4/2026, 10:22"), ("2026-04-03 10:22", "2026-04-15 10:22")),
        (("3/4/26, 10:22", "3/15/26, 10:22"), ("2026-03-04 10:22", "2026-03-15 10:22")),
        (("3/4/26, 9:22\u202fPM", "3/4/26, 12:05 AM"), ("2026-03-04 21:22", "2026-03-04 00:05")),
        (("2026-03-04", "2026-03-05 08:00"), ("2026-03-04 12:00", "2026-03-05 08:00")),
        (("23:50", "00:10"), ("2026-11-29 23:50", "2026-11-30 00:10")),
        (("2026-03-04 23:50", "00:10"), ("2026-03-04 23:50", "2026-03-05 00:10")),
        (("09:00", "2026-03-04 10:00"), ("2026-03-04 09:00", "2026-03-04 10:00")),
    ],
)
def test_times_are_read_as_chats_write_them(stamps, expected):
    first, second = stamps

    assert moments(f"[{first}] Mara: Hi\n[{second}] quill: Ho") == list(expected)


def test_what_an_export_tells_without_a_speaker_is_of_the_system():
    text = "[15/01/2026, 10:22:33] Mara added you\n[15/01/2026, 10:23:00] Mara: Hi"

    assert [(turn.speaker, turn.role) for turn in read(text).said] == [("", "system"), ("Mara", "")]
    assert speakers_of(read(text)) == ["Mara"]


@pytest.mark.parametrize("time", ["1768468920", 1768468920, 1768468920000, "2026-01-15T09:22:00Z"])
def test_times_in_json_may_be_seconds_thousandths_or_words(time):
    (turn,) = read(json.dumps({"role": "user", "text": "Hi", "timestamp": time})).said

    assert turn.said_at == datetime(2026, 1, 15, 9, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Assistant: Hi\nUser: Ho", "User"),
        ("Assistant: Hi\nMara: Ho", "Mara"),
        ("Mara: Hi\nInes: Ho", "Mara"),
        ('{"role": "assistant", "content": "Hi"}', "assistant"),
    ],
)
def test_the_person_is_the_user_or_who_is_no_program(text, person):
    assert suggested_person(read(text)) == person


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ('{"role": "user", "content": "Hi"}\n\n{"role": "user"', "Line 3 is no JSON: "),
        ('[{"role": "user", "content": "Hi"},\n{"role" 1}]', "Line 2 is no JSON: "),
        ('[{"role": "user", "content": "Hi"}] more', "Line 1: there is more after the end"),
        ('{"role": "user", "content": "Hi"}\n{"role": "user"}', "Line 2 has no text."),
        ('{"content": "Hi"}', "Line 1 names no speaker."),
        ('{"messages": ["Hi"]}', "Line 1, message 1 is no message."),
        ('{"role": "user", "content": "Hi", "time": "noon"}', "Line 1: the time “noon”"),
        ('{"role": "user", "content": "Hi", "time": 1e300}', "Line 1: the time “1e+300”"),
        ("[{" + "[" * 100_000, "Line 1 is no JSON: "),
        ('[{"a": ' + "[" * 100_000, "Line 1 is no JSON: it is nested too deeply."),
        ("Just some words.", "No line begins with a speaker."),
        ("Mara:\nquill:", "No line begins with a speaker."),
        (" \n\u200b", "There is no turn in it."),
        ("[]", "There is no turn in it."),
        (f"A: x\nMara: {'x' * MAX_TURN_CHARACTERS}y", "The turn at line 2 has 100,001"),
        (json.dumps({"role": "x" * 121, "text": "Hi"}), "The speaker at line 1 has a name of 121"),
        ("Mara: Hi\n" * (MAX_TRANSCRIPT_TURNS + 1), "It has 5,001 turns; the limit is 5,000."),
    ],
)
def test_refusal_names_the_line_or_the_limit(text, start):
    assert refused(text).startswith(start)


def test_copies_of_a_text_have_one_digest_on_every_day_and_in_every_zone():
    text = "[10:22] Mara: I live in York.\n[10:23] quill: Noted."
    copy = "\ufeff" + text.replace("\n", "\r\n") + "\r\n"

    other = read_transcript(copy, zone=UTC, today=date(2026, 12, 24))

    assert other.digest == read(text).digest
    assert read(text.replace("York", "Leeds")).digest != other.digest


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp"]), max_size=30
)
NAMES = st.sampled_from(
    ["Mara", "quill", "User", "Ines Okafor-Dahl", "Note", "+44 20", "a b c d e"]
)
STAMPS = st.sampled_from(
    ["", "[10:22] ", "[2026-01-15 10:22] ", "15/01/2026, 10:22 - ", "[99:99] "]
)
MARKS = st.sampled_from(
    ["{}: ", "**{}:** ", "**{}**: ", "## {}\n", "- {}: ", "<{}> ", "> {}: ", "{}"]
)
LINES = st.builds(
    lambda *parts: parts[0] + parts[1].format(parts[2]) + parts[3], STAMPS, MARKS, NAMES, WORDS
)
PIECES = st.sampled_from([*'[]{}",:\\\n \x00', '{"role":', '"user"', '"content":', "1e999", "null"])


def words_of(text):
    """The words of a text, without the figures and letters of which times are made."""
    return sorted(word for word in re.findall(r"\w+", text) if not re.fullmatch(r"[\dTZ]+", word))


@given(st.lists(LINES, min_size=1, max_size=8).map("\n".join))
def test_no_word_of_a_transcript_is_lost(text):
    try:
        transcript = read(text)
    except InvalidInput:
        return

    kept = " ".join(f"{turn.speaker} {turn.text}" for turn in transcript.said)
    assert words_of(kept) == words_of(clean_text(text))


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join)))
def test_any_text_is_read_or_refused(text):
    try:
        transcript = read(text)
    except InvalidInput as error:
        assert str(error).endswith(".")
    else:
        assert all(turn.text.strip() for turn in transcript.said)
