"""Tags and filters of every template."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.utils import timezone

from ingest.models import Document
from memory.models import Scope


def render(template: str, **context: object) -> str:
    return Template(template).render(Context(context))


def test_ago_holds_the_absolute_time_for_those_without_scripts() -> None:
    moment = datetime(2026, 11, 19, 10, 24, tzinfo=UTC)

    with timezone.override("Europe/Berlin"):
        shown = render("{% ago moment %}", moment=moment)

    assert 'datetime="2026-11-19T11:24:00+01:00"' in shown
    assert 'title="2026-11-19 11:24 CET"' in shown
    assert ">2026-11-19 11:24<" in shown


def test_times_are_dashes_when_unknown() -> None:
    template = "{% ago moment %} {{ moment|day }} {{ moment|day_time }}"

    assert render(template, moment=None) == "— — —"


def test_kind_mark_has_a_shape_and_a_word() -> None:
    shown = render("{% kind_mark kind %}", kind="event")

    assert "#k-event" in shown
    assert shown.endswith("event</span>")


def test_kind_mark_draws_an_extension_as_a_fact_and_escapes_its_name() -> None:
    shown = render("{% kind_mark kind %}", kind="x-<b>")

    assert "#k-fact" in shown
    assert "x-&lt;b&gt;" in shown


@pytest.mark.parametrize(
    ("kind", "word"),
    [("global", "everyone"), ("user", "you"), ("session", "one conversation")],
)
def test_scope_mark_says_who_reads_it(kind: str, word: str) -> None:
    assert f'title="visible to: {word}"' in render("{% scope_mark scope %}", scope=Scope(kind=kind))


@pytest.mark.parametrize("kind", ["global", "user", "agent", "session"])
def test_scope_mark_has_rings_and_a_word(kind: str) -> None:
    shown = render("{% scope_mark scope %}", scope=SimpleNamespace(kind=kind, label="agent <i>"))

    assert f"#s-{kind}" in shown
    assert "agent &lt;i&gt;" in shown


@pytest.mark.parametrize(
    ("tag", "address"),
    [
        ("{% query given kind='plan' %}", "?tag=a%20b&kind=plan"),
        ("{% query given tag='' %}", "?kind=fact"),
        ("{% query given page=3 %}", "?tag=a%20b&kind=fact&page=3"),
    ],
)
def test_query_changes_one_parameter_and_forgets_the_page(tag: str, address: str) -> None:
    given = QueryDict("tag=a%20b&kind=fact&page=2")

    shown = render("{% autoescape off %}" + tag + "{% endautoescape %}", given=given)

    assert QueryDict(shown.lstrip("?")) == QueryDict(address.lstrip("?"))


def test_percent_stays_within_the_bar() -> None:
    template = "{{ 3|percent:4 }} {{ 9|percent:4 }} {{ 1|percent:0 }}"

    assert render(template) == "75.0 100.0 0.0"


def test_shown_cannot_reorder_the_page() -> None:
    assert render("{{ text|shown }}", text="a\u202eb<i>") == "ab&lt;i&gt;"


@pytest.mark.parametrize(
    ("fields", "dots", "word"),
    [
        ({"status": "queued"}, ["now", "", "", ""], "waiting"),
        ({"status": "parsing"}, ["done", "now", "", ""], "reading"),
        ({"status": "embedding"}, ["done"] * 3 + ["now"], "searchable, embedding"),
        ({"status": "done"}, ["done"] * 4, "done"),
        ({"status": "failed"}, ["done", "fail", "", ""], "could not be read"),
        ({"status": "canceled"}, ["done", "", "", ""], "canceled"),
        ({"status": "parsing", "cancel_requested": True}, ["done", "now", "", ""], "canceling"),
    ],
)
def test_stages_show_each_status_of_a_document(
    fields: dict[str, object], dots: list[str], word: str
) -> None:
    document = Document(name="a", size_bytes=1, **fields)

    shown = render(
        "{% with state=document|progress %}{% stages state %}{% endwith %}", document=document
    )

    assert [part.split('"')[0] for part in shown.split('<i class="')[1:]] == dots
    assert f'aria-label="{word}"' in shown


def test_sparkline_is_grey_when_all_values_are_zero() -> None:
    assert "spark zero" in render("{% sparkline values %}", values=[0, 0])
    assert "spark zero" not in render("{% sparkline values %}", values=[0, 1])


@pytest.mark.parametrize(
    "moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_times_at_the_edge_of_the_calendar_are_shown(moment: datetime, zone: str) -> None:
    with timezone.override(zone):
        shown = render("{% ago moment %} {{ moment|day }} {{ moment|day_time }}", moment=moment)

    assert str(moment.year) in shown
