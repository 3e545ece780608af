"""Pages about conversations: the list, the reader, and keeping a transcript."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from dashboard.transcript_form import MAX_TRANSCRIPT_BYTES
from memory.models import Conversation, Fact, Principal, Scope, Turn, User, acting_as
from memory.services import transcripts
from memory.services.facts import forget_fact, purge_fact
from tests.fixtures import add_turn, agent_of
from tests.pages import text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
LIST = reverse("conversation-list")
NEW = reverse("conversation-create")
TALK = "Mara: I live in York.\nquill: Noted."


def send(page: Client, action: str = "preview", **fields: Any) -> Any:
    return page.post(NEW, {"text": TALK, "scope": "user", "action": action, **fields})


def turns_of(user: User) -> list[Turn]:
    with acting_as(Principal(user)):
        return list(Turn.objects.oldest_first().select_related("conversation", "scope"))


def many_turns(user: User, number: int) -> Conversation:
    """A conversation of so many turns that gave nothing."""
    talk = add_turn(user, "Hm").conversation
    began = datetime(2026, 1, 5, tzinfo=UTC)
    with acting_as(Principal(user)):
        own = Scope.objects.for_user(user)
        Turn.objects.bulk_create(
            Turn(
                scope=own,
                conversation=talk,
                role="user",
                text=f"turn number {place}.",
                observed_at=began + timedelta(minutes=place),
                search="",
                skipped="a greeting",
                processed_at=began,
            )
            for place in range(number - 1)
        )
    return talk


def test_conversation_list_teaches_when_there_is_nothing(page: Client) -> None:
    shown = text_of(page.get(LIST))

    assert "No conversations yet" in shown
    assert f'href="{reverse("agent-list")}">Connect an agent</a>' in shown


def test_conversation_list_shows_what_each_gave_the_latest_first(page: Client, alice: User) -> None:
    quill = agent_of(alice, "quill")
    first = add_turn(alice, "I live in York.", conversation="first").conversation
    second = add_turn(alice, "Hello", conversation="second", agent=quill).conversation

    shown = text_of(page.get(LIST))

    assert shown.index(f"conversation-{second.pk}") < shown.index(f"conversation-{first.pk}")
    assert f'<a href="{first.get_absolute_url()}?outcome=gave">1</a>' in shown
    assert '<b id="count-conversations">2</b>' in shown


def test_conversation_list_asks_the_same_questions_however_many_there_are(
    page: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(3):
        add_turn(alice, f"I live in York {number}.", conversation=f"talk {number}")

    with django_assert_max_num_queries(13):
        page.get(f"{LIST}?q=york")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=york", ["home"]),
        ("q=HOME", ["home"]),
        ("q=100%25", []),
        ("agent=none", ["home"]),
        ("agent={quill}", ["work"]),
        ("agent=nonsense", ["home", "work"]),
    ],
)
def test_conversation_list_is_filtered_by_words_and_agent(
    page: Client, alice: User, query: str, found: list[str]
) -> None:
    quill = agent_of(alice, "quill")
    talks = {
        "home": add_turn(alice, "I live in York.", conversation="home").conversation,
        "work": add_turn(alice, "Hello", conversation="work", agent=quill).conversation,
    }

    shown = text_of(page.get(f"{LIST}?{query.format(quill=quill.pk)}", headers=HTMX))

    assert [name for name, talk in talks.items() if f"conversation-{talk.pk}" in shown] == found
    assert ("No conversation matches" in shown) == (not found)


def test_conversation_list_shows_where_the_words_were_said(page: Client, alice: User) -> None:
    turn = add_turn(alice, "When it rains, I take the train to York and back.")

    shown = text_of(page.get(f"{LIST}?q=york"))

    assert "1 turn: user, “When it rains, I take the train to York and back.”" in shown
    assert f"{reverse('conversation-detail', args=[turn.conversation_id])}?q=york" in shown


def test_conversation_list_tells_of_new_turns(page: Client, alice: User) -> None:
    since = datetime.now(UTC).isoformat().replace("+", "%2B")
    add_turn(alice, "Hello")

    shown = text_of(page.get(f"{LIST}?since={since}", headers=HTMX))

    assert "1 conversation with new turns" in shown


def test_conversation_shows_what_each_turn_gave_or_why_nothing(page: Client, alice: User) -> None:
    gave, nothing = add_turn(alice, "I live in York."), add_turn(alice, "Hello")
    again = add_turn(alice, "I live in York.")

    shown = text_of(page.get(gave.conversation.get_absolute_url()))

    with acting_as(Principal(alice)):
        fact = Fact.objects.get()
    assert shown.count(f'href="{fact.get_absolute_url()}"') == 2
    assert 'class="sig sg-identity"' in shown
    assert "Nothing: a greeting." in shown
    assert "known already, made stronger" in shown
    assert all(f'id="turn-{turn.pk}"' in shown for turn in (gave, nothing, again))
    assert "gave something <b>2</b>" in shown
    assert "gave nothing <b>1</b>" in shown


def test_conversation_shows_what_was_not_sure_enough_with_what_becomes_of_it(
    page: Client, alice: User
) -> None:
    turn = add_turn(alice, "We might go. I could paint.")
    doubts = [
        {"text": "We might go.", "start": 0, "end": 12, "confidence": 0.41, "reason": "a guess",
         "keep": None, "outcome": "waits"},
        {"text": "I could paint.", "start": 13, "end": 27, "confidence": 0.3, "reason": "vague",
         "keep": 0.34, "outcome": "below the threshold: 0.34; stays a turn"},
    ]  # fmt: skip
    with acting_as(Principal(alice)):
        Turn.objects.update(doubts=doubts, captured=[], signals=[], skipped="a guess")

    shown = text_of(page.get(turn.conversation.get_absolute_url()))

    assert shown.count('class="sig sg-weak"') == 2
    assert "unsure 0.41</small>" in shown
    assert "unsure 0.34</small>" in shown
    number = '<span class="num">{}</span> sure, says {}: {}.'
    assert number.format("0.41", "a rule", "a guess; waits for a closer look") in shown
    assert number.format("0.34", "the classifier", "vague; stays a turn") in shown
    assert "Nothing:" not in shown


def test_conversation_says_what_a_memory_replaced_and_what_was_odd(
    page: Client, alice: User
) -> None:
    add_turn(alice, "I live in Leeds.")
    turn = add_turn(alice, "I live in York.")
    with acting_as(Principal(alice)):
        (kept,) = Turn.objects.get(pk=turn.pk).captured
        Turn.objects.filter(pk=turn.pk).update(
            captured=[{**kept, "note": "It is odd."}], skipped="a secret was masked"
        )

    shown = text_of(page.get(turn.conversation.get_absolute_url()))

    assert "replaced 1 memory" in shown
    assert "It is odd." in shown
    assert "A secret was masked." in shown


def test_each_turn_leads_to_where_it_can_be_tried(page: Client, alice: User) -> None:
    turn = add_turn(alice, "I live in York.")

    shown = text_of(page.get(turn.conversation.get_absolute_url()))

    assert f'href="{reverse("try-turn", args=[turn.pk])}">Try this message</a>' in shown


def test_preview_shows_what_would_not_be_sure_enough(page: Client) -> None:
    response = send(page, text="Mara: I might bring Tomasz along.\nquill: Noted.")

    unsure = [each for line in response.context["lines"] for each in line.unsure]
    shown = text_of(response)
    assert shown.count("Not sure enough:") == len(unsure)
    for each in unsure:
        assert each.reason in shown


def test_conversation_says_what_became_of_a_memory(page: Client, alice: User) -> None:
    kept, purged = add_turn(alice, "I live in York."), add_turn(alice, "I prefer trains to planes.")
    principal = Principal(alice)
    with acting_as(principal):
        forget_fact(principal=principal, fact_id=kept.captured[0]["fact"], reason="moved on")
        purge_fact(principal=principal, fact_id=purged.captured[0]["fact"])

    shown = text_of(page.get(kept.conversation.get_absolute_url()))

    assert "moved on" in shown
    assert "A memory that was deleted since." in shown


def test_conversation_shows_turns_that_wait_with_the_reason(page: Client, alice: User) -> None:
    turn = add_turn(alice, "Hello")
    with acting_as(Principal(alice)):
        Turn.objects.update(processed_at=None, skipped="Not read yet: the disk is full.")

    shown = text_of(page.get(f"{turn.conversation.get_absolute_url()}?outcome=waiting"))

    assert "waits to be read" in shown
    assert "Not read yet: the disk is full." in shown


def test_conversation_shows_masked_secrets_and_no_markup_of_others(
    page: Client, alice: User
) -> None:
    turn = add_turn(alice, "<b>Key</b> sk-proj-abcdefghijklmnop1234567890 \u202egnihton")

    shown = page.get(turn.conversation.get_absolute_url()).content.decode()

    assert "API key, masked" in shown
    assert "<b>Key</b>" not in shown
    assert "\u202e" not in shown


def test_conversation_is_searched_in_place(page: Client, alice: User) -> None:
    found, other = add_turn(alice, "The train to York."), add_turn(alice, "The bus to Leeds.")

    address = found.conversation.get_absolute_url()
    shown = text_of(page.get(f"{address}?q=york", headers=HTMX))

    assert '<mark class="mark">York</mark>' in shown
    assert f"turn-{other.pk}" not in shown
    assert "No turn matches" in text_of(page.get(f"{address}?q=rome"))


def test_long_conversation_comes_in_pages_and_a_turn_is_found_on_its_own(
    page: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    talk = many_turns(alice, 520)
    wanted = turns_of(alice)[250]

    with django_assert_max_num_queries(14):
        first = text_of(page.get(talk.get_absolute_url()))
    third = text_of(page.get(wanted.get_absolute_url()))

    assert "1 to 100 of 520" in first
    assert "201 to 300 of 520" in third
    assert f'is-wanted" id="turn-{wanted.pk}"' in third


def test_memory_leads_to_the_turn_that_it_was_said_in(page: Client, alice: User) -> None:
    turn = add_turn(alice, "I live in York.")

    shown = text_of(page.get(reverse("fact-detail", args=[turn.captured[0]["fact"]])))

    assert f'href="{turn.get_absolute_url()}"' in shown


def test_conversation_delete_removes_turns_and_keeps_memories_marked(
    page: Client, alice: User
) -> None:
    turn = add_turn(alice, "I live in York.")

    address = reverse("conversation-delete", args=[turn.conversation_id])
    response = page.post(address, follow=True)

    assert "Deleted “talk” and its turns." in text_of(response)
    assert turns_of(alice) == []
    fact = reverse("fact-detail", args=[turn.captured[0]["fact"]])
    assert "that was deleted" in text_of(page.get(fact))


def test_preview_says_what_is_decided_only_when_it_is_kept(
    page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = "Ann: The thing near the corner seemed all right to me on the whole, more or less."
    monkeypatch.setattr(transcripts, "MOST_DECIDED", 0)
    assert "1 turn decided only when you keep it" in text_of(send(page, text=unsure))

    monkeypatch.undo()
    assert "decided only when you keep it" not in text_of(send(page, text=unsure))


def test_transcript_is_previewed_and_nothing_is_stored(page: Client, alice: User) -> None:
    response = send(page, text=f"{TALK}\nMara: My key is sk-proj-abcdefghijklmnop1234567890")

    shown = text_of(response)
    assert response.status_code == 200
    assert "1 secret masked" in shown
    assert "fact, importance" in shown
    assert '<option value="Mara" selected>' in shown
    assert "Mara, quill" in shown
    assert "sure, says the classifier: " in shown
    assert "threshold" not in shown
    assert not Conversation.objects.exists()
    assert turns_of(alice) == []


def test_transcript_is_kept_once(page: Client, alice: User) -> None:
    first = send(page, "keep", title="Moving")

    assert first.status_code == 303
    (talk,) = Conversation.objects.all()
    assert first["Location"] == talk.get_absolute_url()
    assert (talk.title, len(turns_of(alice))) == ("Moving", 2)
    assert "Stored 2 turns, which gave 1 memory." in text_of(page.get(first["Location"]))
    again = page.post(NEW, {"text": TALK, "scope": "user", "action": "keep"}, follow=True)
    assert "stored already" in text_of(again)
    preview = text_of(send(page))
    assert "Keep it" not in preview
    assert talk.get_absolute_url() in preview
    assert Conversation.objects.count() == 1


def test_transcript_is_read_as_the_chosen_person_said_it(page: Client, alice: User) -> None:
    send(page, "keep", person="quill")

    assert [turn.role for turn in turns_of(alice)] == ["assistant", "user"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("talk.txt", TALK.encode()),
        ("talk.md", b"\xef\xbb\xbf" + TALK.encode()),
        ("Talk.TXT", TALK.encode("utf-16")),
        ("talk.json", b'[{"speaker": "Mara", "text": "I live in York."}]'),
    ],
)
def test_transcript_is_read_from_a_file(page: Client, name: str, content: bytes) -> None:
    response = send(page, text="", file=SimpleUploadedFile(name, content))

    assert "I live in York." in text_of(response)
    assert f'value="{name.split(".")[0]}"' in text_of(response)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": ""}, "There is no turn in it."),
        ({"text": '{"role": "user", "content": "Hi"}\n{"role"'}, "Line 2 is no JSON"),
        ({"scope": "agent"}, "Choose the agent that may read it"),
        ({"scope": "global"}, "Select a valid choice"),
        ({"said_on": "0001-01-01"}, "outside the years 100 to 9000"),
        ({"file": SimpleUploadedFile("talk.pdf", b"%PDF")}, "talk.pdf is no transcript"),
        (
            {"file": SimpleUploadedFile("a.txt", b"x" * (MAX_TRANSCRIPT_BYTES + 1))},
            "The transcript has 2,000,001 bytes; the limit is 2,000,000.",
        ),
        ({"text": "\u00e9" * (MAX_TRANSCRIPT_BYTES // 2 + 1)}, "The transcript has"),
    ],
)
@pytest.mark.parametrize("action", ["preview", "keep"])
def test_transcript_that_is_refused_says_why_and_stays_in_the_form(
    page: Client, alice: User, fields: dict[str, Any], sentence: str, action: str
) -> None:
    for value in fields.values():
        if hasattr(value, "seek"):
            value.seek(0)

    response = send(page, action, **fields)

    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert str(fields.get("text", TALK))[:40].replace('"', "&quot;") in response.content.decode()
    assert turns_of(alice) == []


def test_staff_may_keep_a_transcript_for_everyone(client: Client, staff: User) -> None:
    client.force_login(staff)

    send(client, "keep", scope="global")

    assert {turn.scope.kind for turn in turns_of(staff)} == {"global"}


def test_transcript_of_an_agent_is_visible_to_that_agent(page: Client, alice: User) -> None:
    quill = agent_of(alice, "quill")

    send(page, "keep", scope="agent", agent=str(quill.pk))

    assert {turn.scope.agent for turn in turns_of(alice)} == {quill}


def test_long_preview_comes_in_pages(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.views.conversations.TURNS_PER_PAGE", 10)
    text = "\n".join(f"quill: Step {number}." for number in range(15))

    assert "1 to 10 of 15" in text_of(send(page, text=text))
    assert "11 to 15 of 15" in text_of(page.post(NEW, {"text": text, "scope": "user", "page": 2}))


STRANGE = ["%00", "a%00b", "%ED%A0%BD", "%FF%FE", "%E2%80%AE", "%27%22%3C", "9" * 5_000, "%25s{}"]


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_conversations_survive_every_parameter(page: Client, alice: User, value: str) -> None:
    detail = add_turn(alice, "Hello").conversation.get_absolute_url()

    everywhere = "&".join(f"{name}={value}" for name in ("q", "agent", "page", "since", "outcome"))
    for headers in ({}, HTMX):
        assert page.get(f"{LIST}?{everywhere}", headers=headers).status_code == 200
    assert page.get(f"{detail}?{everywhere}&turn={value}").status_code == 200
