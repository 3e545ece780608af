"""Trying a message: what would be kept of it and why, with nothing stored."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.message_form import EXAMPLES
from memory.domain.classifier.decision import too_little
from memory.domain.errors import Permanent
from memory.domain.perceptor import Doubt, Perception, perceive
from memory.models import Credential, Principal, Turn, User, acting_as
from memory.services import perceptions
from memory.services.categories import add_category
from tests.fixtures import add_turn
from tests.furnished import every_row
from tests.pages import part_of, text_of

pytestmark = pytest.mark.django_db

TRY = reverse("try-message")
HTMX = {"HX-Request": "true"}
API_KEY = "sk-proj-abcdefghijklmnop1234567890"
KEPT = 'id="would-be-kept"'


@pytest.fixture
def vault(settings: Any) -> None:
    """A vault with a key of its own."""
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": b"k" * 32, "old_keys": ()}


def tried(page: Client, text: str, **fields: Any) -> str:
    return text_of(page.post(TRY, {"text": text, **fields}))


def test_page_teaches_when_nothing_was_tried(page: Client) -> None:
    shown = text_of(page.get(TRY))

    assert "Nothing tried yet" in shown
    assert "Nothing is stored." in shown
    assert 'aria-current="page" data-hotkey="g t"' in shown
    assert 'data-hotkey="Control+Enter"' in shown


def test_message_is_shown_with_its_signals_and_what_would_be_kept(page: Client) -> None:
    shown = tried(page, "I live in Leeds. Does penicillin go off?")

    assert 'class="sig sg-identity"' in shown
    kept = part_of(shown, KEPT)
    assert "1 memory" in kept
    assert "I live in Leeds." in kept
    assert "penicillin" not in kept
    for label in ("Kind", "Category", "Importance", "Confidence", "Heard", "About", "Lifetime"):
        assert f"<dt>{label}</dt>" in kept


def test_every_reason_of_every_record_is_told(page: Client) -> None:
    response = page.post(TRY, {"text": "I moved to Leeds. Never call me before nine."})

    shown = text_of(response)
    records = response.context["tried"].examined.perception.records
    assert records
    for record in records:
        for reason in (*record.reasons.values(), *(each.reason for each in record.signals)):
            assert _escaped(reason) in shown


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("'", "&#x27;").replace('"', "&quot;")


def test_message_that_gives_nothing_says_why_in_a_sentence(page: Client) -> None:
    kept = part_of(tried(page, "Does penicillin go off?"), KEPT)

    assert "0 memories" in kept
    assert "Nothing: a question, not a statement." in kept


def test_what_is_not_sure_enough_is_told_with_how_sure_and_why(
    page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "I might bring Tomasz along."
    doubt = Doubt(text, 0, len(text), 0.41, (), f"a guess; {too_little(0.41)}")
    nothing = Perception((), (), "nothing in it looked worth keeping", (doubt,))
    monkeypatch.setattr(perceptions, "decide", lambda *_given: nothing)

    shown = tried(page, text)

    assert 'class="sig sg-weak"' in shown
    assert "Nothing in it looked worth keeping." in part_of(shown, KEPT)
    unsure = part_of(shown, 'id="unsure"')
    assert f"“{text}”" in unsure
    assert '<span class="num">0.41</span> sure, says the classifier: a guess.' in unsure


def test_doubt_of_the_rules_alone_is_told_as_theirs(
    page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(*_given: object) -> Perception:
        raise Permanent("The classifier's file is missing. Restore it.")

    text = "I might bring Tomasz along."
    (doubt,) = perceive(text).doubts
    monkeypatch.setattr(perceptions, "decide", decide)

    unsure = part_of(tried(page, text), 'id="unsure"')

    assert f'<span class="num">{doubt.confidence:.2f}</span> sure, says a rule:' in unsure


def test_rules_that_decide_alone_say_why(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(*_given: object) -> Perception:
        raise Permanent("The classifier's file is missing. Restore it.")

    monkeypatch.setattr(perceptions, "decide", decide)

    shown = tried(page, "I live in Leeds.")

    assert "The rules decided alone. The classifier&#x27;s file is missing. Restore it." in shown
    assert "I live in Leeds." in part_of(shown, KEPT)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
def test_nothing_is_stored_of_what_is_tried(page: Client, headers: dict[str, str]) -> None:
    page.get(TRY)
    before = every_row()

    page.post(TRY, {"text": f"I live in Leeds. My key is {API_KEY}"}, headers=headers)

    assert every_row() == before


def test_fragment_holds_the_answer_alone(page: Client) -> None:
    shown = text_of(page.post(TRY, {"text": "I live in Leeds."}, headers=HTMX))

    assert KEPT in shown
    assert "<html" not in shown
    assert "<textarea" not in shown


def test_what_would_be_replaced_is_led_to(page: Client, alice: User) -> None:
    old = add_turn(alice, "I live in Leeds.").captured[0]["fact"]

    kept = part_of(tried(page, "I live in York now."), KEPT)

    assert "<dt>Replaces</dt>" in kept
    assert f'href="{reverse("fact-detail", args=[old])}">I live in Leeds.</a>' in kept


def test_what_is_known_already_is_led_to(page: Client, alice: User) -> None:
    old = add_turn(alice, "I live in Leeds.").captured[0]["fact"]

    kept = part_of(tried(page, "I live in Leeds."), KEPT)

    assert "<dt>Known already</dt>" in kept
    assert reverse("fact-detail", args=[old]) in kept


def test_memory_of_somebody_else_is_neither_known_nor_replaced(page: Client, bob: User) -> None:
    add_turn(bob, "I live in Leeds.")

    for text in ("I live in Leeds.", "I live in York now."):
        kept = part_of(tried(page, text), KEPT)
        assert "<dt>Known already</dt>" not in kept
        assert "<dt>Replaces</dt>" not in kept


def test_category_with_a_word_of_the_message_is_told(page: Client) -> None:
    add_category("travel", ["ferry"])

    assert "<dt>Category</dt><dd>travel, shelf " in tried(page, "I prefer the ferry to the plane.")


def test_page_asks_few_questions_however_many_memories_there_would_be(
    page: Client, django_assert_max_num_queries: Any
) -> None:
    text = "I live in Leeds. Never call me before nine. I prefer trains to planes."
    tried(page, text)

    with django_assert_max_num_queries(24):
        tried(page, text)


def test_secret_is_shown_as_its_mask_and_its_kind_is_told(page: Client) -> None:
    shown = text_of(page.post(TRY, {"text": f"My api key is {API_KEY}"}, headers=HTMX))

    assert "API key, masked" in shown
    assert "Masked before anything else reads it: API key. Nothing keeps it." in shown
    assert API_KEY not in shown


def test_secret_that_the_vault_would_take_says_so(page: Client, alice: User, vault: None) -> None:
    text = f"My api key is {API_KEY}"

    shown = text_of(page.post(TRY, {"text": text}, headers=HTMX))
    by_a_tool = text_of(page.post(TRY, {"text": text, "role": "tool"}, headers=HTMX))

    assert "API key. Your vault would take it." in shown
    assert "API key. Nothing keeps it." in by_a_tool
    with acting_as(Principal(alice)):
        assert not Credential.objects.exists()


def test_message_is_escaped_wherever_it_is_shown(page: Client) -> None:
    text = "<b>I live</b> in <script>alert(1)</script> Leeds \u202emoc.live"

    shown = page.post(TRY, {"text": text}, headers=HTMX).content.decode()

    assert "&lt;script&gt;" in shown
    assert "<script>alert" not in shown
    assert "<b>I live" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": ""}, "There is nothing to try yet."),
        ({"text": " \u200b\n"}, "There is nothing to try yet."),
        ({"text": "x" * 100_001}, "The message has 100,001 characters; the limit is 100,000."),
        ({"role": "robot"}, "“Said by” is one of "),
        ({"said_at": "soon"}, "“Said at” is no date and time, such as 2026-05-04 09:30."),
        ({"said_at": "0001-01-01T00:00"}, "Said at is outside the years 100 to 9000."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
def test_message_that_is_refused_says_why(
    page: Client, fields: dict[str, str], sentence: str, headers: dict[str, str]
) -> None:
    response = page.post(TRY, {"text": "I live in Leeds.", **fields}, headers=headers)

    assert response.status_code == 400
    assert 'role="alert"><svg' in text_of(response)
    assert sentence in text_of(response)


def test_page_without_scripts_keeps_what_was_typed(page: Client) -> None:
    given = {"text": "I live in\nLeeds.", "role": "assistant", "said_at": "2026-11-19T10:42"}

    shown = page.post(TRY, given).content.decode()

    assert "I live in\nLeeds.</textarea>" in shown
    assert '<option value="assistant" selected>' in shown
    assert 'value="2026-11-19T10:42"' in shown


def test_day_is_reckoned_from_when_it_is_said_in_the_viewers_zone(
    page: Client, alice: User
) -> None:
    alice.time_zone = "Pacific/Auckland"
    alice.save()

    shown = tried(page, "I'll send the report to Ines tomorrow.", said_at="2026-11-20T09:00")

    assert "Fades from</dt><dd>21 November 2026</dd>" in shown


def test_assistants_words_count_less_than_a_persons(page: Client) -> None:
    assert "Nothing: a system prompt." in tried(page, "I live in Leeds.", role="system")


@pytest.mark.parametrize("number", range(1, len(EXAMPLES) + 1))
def test_example_fills_the_field_and_is_answered(page: Client, number: int) -> None:
    response = page.get(TRY, {"example": number})

    example = EXAMPLES[number - 1]
    assert response.status_code == 200
    assert response.context["form"]["text"].value() == example.text
    assert response.context["tried"].examined.perception
    assert f'<a class="facet" lang="{example.lang}"' in text_of(response)


@pytest.mark.parametrize("number", ["0", "99", "x", "%00", "9" * 5_000, "-1", ""])
def test_example_that_is_none_is_an_empty_page(page: Client, number: str) -> None:
    response = page.get(f"{TRY}?example={number}")

    assert response.status_code == 200
    assert "Nothing tried yet" in text_of(response)


def test_turn_fills_the_field_with_what_was_said_by_whom_and_when(
    page: Client, alice: User
) -> None:
    turn = add_turn(alice, "I live in Leeds.")
    with acting_as(Principal(alice)):
        said_at = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        Turn.objects.filter(pk=turn.pk).update(role="assistant", observed_at=said_at)
    alice.time_zone = "Europe/Berlin"  # 02:30 comes twice in this night
    alice.save()

    response = page.get(reverse("try-turn", args=[turn.pk]))

    shown = response.content.decode()
    assert response.status_code == 200
    assert "I live in Leeds.</textarea>" in shown
    assert '<option value="assistant" selected>' in shown
    assert 'value="2026-10-25T02:30"' in shown
    assert KEPT in shown


def test_turn_of_somebody_else_fills_nothing(page: Client, bob: User) -> None:
    turn = add_turn(bob, "I live in Quillhaven.")

    response = page.get(reverse("try-turn", args=[turn.pk]))

    assert response.status_code == 404
    assert "Quillhaven" not in text_of(response)


def test_button_of_a_preview_brings_the_text_in_its_body_and_the_rest_in_its_address(
    page: Client,
) -> None:
    preview = page.post(
        reverse("conversation-create"),
        {"text": "Mara: I live in York.\nquill: Noted.", "scope": "user", "action": "preview"},
    ).content.decode()

    assert 'name="text" value="I live in York."' in preview
    address = part_of(preview, 'formaction="', '"').replace("&amp;", "&")
    assert "York" not in address
    shown = text_of(page.post(address, {"text": "I live in York."}))
    assert KEPT in shown
    assert '<option value="user" selected>' in shown


STRANGE = ["%00a", "%ED%A0%BD", "%FF%FE", "%E2%80%AE", "a%CC%81" * 50, "[secret: API key]", "{{x}}"]


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_message_survives_whatever_is_sent(page: Client, text: str, role: str) -> None:
    body = f"text={text}&role={role}"

    response = page.post(TRY, body, content_type="application/x-www-form-urlencoded")

    assert response.status_code in {200, 400}
