"""A try of a part leaves one row for as long as its answer stays the same."""

from datetime import timedelta

from django.utils import timezone

from memory.models import JobRun
from memory.services.health import check_guards, check_parser
from memory.services.probes import (
    FRESH,
    NO_NETWORK,
    NO_SOCKETS,
    OWN_FILES,
    PARSER,
    failing,
    found_everywhere,
    note_probe,
    was_probed,
)

BROKEN = "The parser cannot be started: No space left on device."


def test_probe_keeps_one_row_while_the_answer_is_the_same(db):
    for _ in range(3):
        note_probe(PARSER, "")

    assert JobRun.objects.filter(kind=PARSER, outcome="done").count() == 1
    assert failing(PARSER) == []


def test_failing_probe_makes_documents_degraded_until_it_works_again(db):
    note_probe(PARSER, "")
    note_probe(PARSER, BROKEN)
    broken = check_parser()
    note_probe(PARSER, "")

    assert (broken.name, broken.state, broken.remedy) == ("documents", "degraded", BROKEN)
    assert check_parser().state == "ok"


def test_failing_probe_is_forgotten_when_nobody_tried_for_long(db):
    note_probe(PARSER, BROKEN)
    JobRun.objects.update(finished_at=JobRun.objects.get().finished_at - 2 * FRESH)

    assert failing(PARSER) == []


def test_failing_probe_of_one_host_counts_beside_a_working_one(db):
    note_probe(PARSER, BROKEN)
    JobRun.objects.update(worker="elsewhere")
    note_probe(PARSER, "")

    assert failing(PARSER) == [BROKEN]


def test_part_was_probed_only_by_this_host_and_lately(db):
    minute = timedelta(minutes=1)
    assert not was_probed(PARSER, minute)

    note_probe(PARSER, "")
    is_probed = was_probed(PARSER, minute)
    JobRun.objects.update(worker="elsewhere")

    assert is_probed
    assert not was_probed(PARSER, minute)


def test_weakest_host_decides_what_shuts_parsers_in(db):
    note_probe(PARSER, "", {NO_NETWORK: 1, NO_SOCKETS: 1, OWN_FILES: 1})
    assert "own network namespace" in check_guards().detail
    assert "can reach" not in check_guards().detail
    JobRun.objects.create(
        kind=PARSER, worker="elsewhere", outcome="done", counts={NO_NETWORK: 0, OWN_FILES: 1},
        finished_at=timezone.now(),
    )  # fmt: skip

    assert "refused in Python only" in check_guards().detail
    assert "Landlock" in check_guards().detail
    assert check_guards().state == "ok"


def test_open_sockets_of_a_host_are_told_though_its_network_is_shut(db):
    note_probe(PARSER, "", {NO_NETWORK: 1, NO_SOCKETS: 0, OWN_FILES: 1})

    assert "native code can reach sockets of this host" in check_guards().detail
    assert "operations.md" in check_guards().detail


def test_what_a_try_finds_anew_is_kept_at_once(db):
    note_probe(PARSER, "", {NO_NETWORK: 0, OWN_FILES: 0})
    note_probe(PARSER, "", {NO_NETWORK: 1, OWN_FILES: 0})

    assert found_everywhere(PARSER) == {NO_NETWORK: 1, OWN_FILES: 0}
