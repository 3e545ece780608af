"""Passages are written while the parser goes on, and count for nothing until it is at its end."""

import pytest

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.sandbox import ParserDied
from ingest.services.reading import WRITTEN_AT_ONCE
from ingest.tasks import read_next_document
from memory.domain.errors import Permanent, Retryable
from memory.models import Fact
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from tests.fixtures import add_document

ENDS = [ParserDied("The parser was killed (SIGKILL)."), Permanent("Too long."), Retryable("Later.")]
SENTENCE = "The keeper lights lamp{:05d} before the gate is locked for the night."


@pytest.fixture
def parser(monkeypatch):
    """Reads on and on, and can be given an end; `written` is how many passages it saw meanwhile."""

    class Parser:
        end: Exception | None = None
        written = 0

        def __call__(self, *_args, **_named):
            for number in range(12 * WRITTEN_AT_ONCE * 2):
                yield Element(ElementKind.TEXT, SENTENCE.format(number), 1, ())
            self.written = Fact.objects.passages().count()
            if self.end:
                raise self.end

    made = Parser()
    monkeypatch.setattr("ingest.services.reading.parse_in_child", made)
    return made


def found(principal) -> int:
    return len(
        recall(RecallQuery(text="lamp00000", mode="keyword"), principal.recall_scopes()).results
    )


def test_passages_are_written_while_the_parser_goes_on(alice, as_alice, parser):
    document = add_document(alice, "log.txt")

    read_next_document()

    document.refresh_from_db()
    assert parser.written >= WRITTEN_AT_ONCE
    assert document.status == "done"
    assert document.passages == Fact.objects.passages().count() > parser.written
    ordinals = Fact.objects.passages().order_by("ordinal").values_list("ordinal", flat=True)
    assert list(ordinals) == list(range(document.passages))


@pytest.mark.parametrize("end", ENDS, ids=lambda end: type(end).__name__)
def test_nothing_is_left_of_what_a_parser_gave_that_came_to_no_good_end(
    alice, as_alice, parser, end
):
    document = add_document(alice, "log.txt")
    parser.end = end

    read_next_document()

    document.refresh_from_db()
    assert parser.written >= WRITTEN_AT_ONCE
    assert document.status == ("failed" if isinstance(end, Permanent) else "queued")
    assert Fact.objects.passages().count() == document.passages == found(as_alice) == 0


def test_document_is_read_from_its_start_after_its_parser_died(alice, as_alice, parser):
    document = add_document(alice, "log.txt")
    parser.end = ENDS[0]
    read_next_document()
    parser.end = None
    type(document).objects.filter(pk=document.pk).update(retry_at=None)

    read_next_document()

    document.refresh_from_db()
    assert (document.status, document.attempts) == ("done", 2)
    assert document.passages == Fact.objects.passages().count()
    assert found(as_alice)
