"""Old Office documents on their way: converted, canceled in the middle, or told what is missing."""

from pathlib import Path
from shutil import copyfile
from time import time

import pytest
from django.core.files.base import ContentFile

from ingest.models import Document
from ingest.parsers.conversion import find_program
from ingest.services.documents import retry_document, store_document
from ingest.services.leases import Claim, claim_next
from ingest.services.reading import parse_document, read_document
from ingest.tasks import read_next_document
from memory.domain.errors import Permanent
from memory.models import Fact, Scope
from memory.services.jobs import Canceled
from tests.ingest.parsers.test_conversion import HANG
from tests.ingest.parsers.test_documents import DOCUMENTS
from tests.ingest.parsers.test_sandbox import eventually

TO_TARGET = 'while [ "$1" != --outdir ]; do shift; done'
needs_libreoffice = pytest.mark.skipif(
    find_program("") is None, reason="LibreOffice is not installed"
)


@pytest.fixture
def stored(alice, as_alice, settings, tmp_path):
    """An old Word document of alice's, under the name of another format."""
    settings.LONGHAND_HOME = tmp_path
    content = (DOCUMENTS / "plain.doc").read_bytes()
    upload = ContentFile(content, name="trip.pdf")
    scope = Scope.objects.for_user(alice)
    return store_document(principal=as_alice, scope=scope, upload=upload).document


@pytest.fixture
def program(settings, tmp_path):
    """Has this stand in for LibreOffice."""

    def installed(script: str) -> Path:
        path = tmp_path / "office" / "program" / "soffice"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o700)
        settings.LONGHAND_LIBREOFFICE = str(path)
        return path

    return installed


@needs_libreoffice
@pytest.mark.slow
def test_old_document_is_converted_found_and_told_by_its_own_kind(stored):
    read_next_document()

    stored.refresh_from_db()
    assert (stored.status, stored.reason) == ("done", "")
    assert stored.media_type == "application/msword"
    assert stored.note == "Named .pdf, but it is an old Word document (doc); it was read as one."
    assert "The coach to Bremen" in Fact.objects.get(document=stored).text


def test_missing_program_is_told_and_a_retry_finds_it(stored, as_alice, settings, program):
    settings.LONGHAND_LIBREOFFICE = "/nowhere/soffice"

    read_next_document()

    stored.refresh_from_db()
    assert stored.status == "failed"
    assert "need LibreOffice. Install libreoffice-writer-nogui" in stored.reason
    installed = program(f'{TO_TARGET}; cp "${{0%/*}}/plain.docx" "$2/document.docx"')
    copyfile(DOCUMENTS / "plain.docx", installed.with_name("plain.docx"))
    retry_document(principal=as_alice, document_id=stored.pk)
    read_next_document()
    stored.refresh_from_db()
    assert (stored.status, stored.reason) == ("done", "")


def test_result_that_is_no_document_fails_as_any_other_would(stored, program):
    program(f'{TO_TARGET}; echo > "$2/document.docx" PK')

    read_next_document()

    stored.refresh_from_db()
    assert stored.status == "failed"
    assert "LibreOffice cannot read it" in stored.reason
    assert Fact.objects.count() == 0


class Canceling(Claim):
    """A claim whose document is canceled as soon as the program is there."""

    root: Path
    pid = 0
    at = 0.0

    def renew(self, **changes):
        super().renew(**changes)
        for sign in self.root.rglob("soffice.pid"):
            self.pid, self.at = int(sign.read_text()), sign.stat().st_mtime
            Document.objects.filter(pk=self.document.pk).update(cancel_requested=True)


def test_cancel_ends_the_program_within_seconds(stored, as_alice, program, tmp_path):
    program(HANG)
    claim = claim_next()
    canceling = Canceling(claim.document, claim.token)
    canceling.root = tmp_path / "tmp"

    with pytest.raises(Canceled):
        read_document(canceling)

    assert time() - canceling.at < 10
    stored.refresh_from_db()
    assert stored.status == "canceled"
    assert eventually(lambda: not Path(f"/proc/{canceling.pid}").exists())
    assert list((tmp_path / "tmp").iterdir()) == []


def test_whoever_waits_is_told_that_it_is_being_converted(stored, program):
    seen = []

    class Watching(Claim):
        def renew(self, **changes):
            super().renew(**changes)
            seen.append(changes.get("reason"))

    program("exit 1")
    claim = claim_next()
    with pytest.raises(Permanent, match="LibreOffice cannot read it"):
        parse_document(Watching(claim.document, claim.token))

    assert "LibreOffice converts it." in seen
