"""Notes in Markdown: each point and paragraph is one memory, dated by where it stands."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.capture import FactDraft
from memory.domain.foreign.markdown import memories_in

KNOWN = frozenset({"fact", "rule", "preference", "entity", "other"})


def read(text: str, name: str = "MEMORY.md", zone=UTC) -> list[FactDraft]:
    return [each.draft for each in memories_in(text, name=name, known=KNOWN, zone=zone)]


def texts(text: str, name: str = "MEMORY.md") -> list[str]:
    return [draft.text for draft in read(text, name)]


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("", []),
        ("# Memory\n\n---\n***\n- - -\n", []),
        ("- Likes tea\n- Lives in Graz\n", ["Likes tea", "Lives in Graz"]),
        ("* One\n+ Two\n3. Three\n4) Four", ["One", "Two", "Three", "Four"]),
        ("A paragraph\nover two lines.\n\nAnother.", ["A paragraph\nover two lines.", "Another."]),
        ("- Parent\n  - Child\n    - Third\n- Next", ["Parent\n- Child\n- Third", "Next"]),
        ("- A point\n  that goes on\n", ["A point\nthat goes on"]),
        ("- [ ] Buy milk\n- [x] Sell boat", ["Buy milk", "Sell boat"]),
        ("> Said Nora\n> at noon", ["Said Nora\nat noon"]),
        ("Run this:\n```\n# no heading\n\n- no point\n```\nDone.",
         ["Run this:\n```\n# no heading\n- no point\n```\nDone."]),
        ("<!-- hidden\n- also hidden -->\n- Seen", ["Seen"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |\n| 1 | 2 |"]),
        ("Title\n=====\nPart\n----\nText", ["Text"]),
        ("- One\n-\n- Two\n*\n", ["One", "Two"]),
        ("- **Bold** word", ["Bold word"]),
        ("Windows\r\n\r\nlines\r\n", ["Windows", "lines"]),
        ("2 * 3 = 6\n- -5 degrees", ["2 * 3 = 6", "-5 degrees"]),
    ],
)  # fmt: skip
def test_note_gives_one_memory_for_each_point_and_paragraph(note, found):
    assert texts(note) == found


def test_headings_are_tags_and_lines_are_places():
    note = "# People\n\n## Ines\n- Signs off builds\n\n## Nora #\n- Has the keys\n"

    found = list(memories_in(note, name="MEMORY.md", known=KNOWN, zone=UTC))

    assert [(each.place, each.draft.tags) for each in found] == [
        ("MEMORY.md line 4", ("People", "Ines")),
        ("MEMORY.md line 7", ("People", "Nora")),
    ]


@pytest.mark.parametrize(
    ("name", "note", "day"),
    [
        ("memory/2026-01-31.md", "- x", datetime(2026, 1, 31, tzinfo=ZoneInfo("Europe/Vienna"))),
        ("2026-01-31-standup.md", "- x", datetime(2026, 1, 31, tzinfo=ZoneInfo("Europe/Vienna"))),
        ("log.md", "## 2026-02-01\n- x", datetime(2026, 2, 1, tzinfo=ZoneInfo("Europe/Vienna"))),
        ("log.md", "---\ndate: 2026-02-02\n---\n- x",
         datetime(2026, 2, 2, tzinfo=ZoneInfo("Europe/Vienna"))),
        ("2026-13-45.md", "- x", None),
        ("MEMORY.md", "- x", None),
    ],
)  # fmt: skip
def test_note_of_a_day_dates_its_memories(name, note, day):
    (draft,) = read(note, name, ZoneInfo("Europe/Vienna"))

    assert draft.source_date == day
    assert draft.decay_class == ("normal" if day else "durable")
    assert not any("2026" in tag for tag in draft.tags)


def test_front_matter_labels_every_memory():
    front = "title: House\ncategory: Rule\ntags:\n  - home\n  - 'money'\nimportance: 8"
    note = f"---\n{front}\n---\n\n- Pay on the first\n"

    (found,) = memories_in(note, name="house.md", known=KNOWN, zone=UTC)

    assert found.place == "house.md line 10"
    draft = found.draft
    assert (draft.category, draft.kind, draft.tags) == ("rule", "rule", ("home", "money"))
    assert draft.importance == 8


@pytest.mark.parametrize("told", ["\u00b2", "9" * 5000, "much", "-1"])
def test_importance_that_is_none_is_the_usual_one(told):
    (draft,) = read(f"---\nimportance: {told}\n---\n- Pay on the first")

    assert draft.importance == 5


def test_category_that_is_not_known_becomes_a_tag():
    (draft,) = read("---\ncategory: Recipes\ntags: [soup, quick]\n---\n- Leek soup")

    assert (draft.category, draft.tags) == ("other", ("soup", "quick", "recipes"))


@pytest.mark.parametrize(
    ("point", "key", "value"),
    [
        ("**Birthday:** 4 May", "Birthday", "4 May"),
        ("**Birthday**: 4 May", "Birthday", "4 May"),
        ("**Very** good", "", ""),
        ("Birthday: 4 May", "", ""),
    ],
)
def test_bold_name_and_its_value_are_kept_apart(point, key, value):
    (draft,) = read(f"- {point}")

    assert (draft.key, draft.value) == (key, value)


def test_open_task_is_a_plan_and_a_done_one_is_not():
    assert [draft.kind for draft in read("- [ ] Buy milk\n- [x] Sell boat")] == ["plan", "fact"]


@given(st.text(alphabet="*> `[]x1.\n\tab|_~+", max_size=200))
def test_no_letter_of_a_note_is_lost(note):
    kept = "".join(texts(f"a{note}"))

    assert [kept.count(letter) for letter in "ab"] == [note.count("a") + 1, note.count("b")]
