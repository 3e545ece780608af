"""SEC-07 inside a zip: the names of what is packed are labels, and nothing is written by them."""

import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.models import Document, Member
from ingest.services.documents import store_document
from ingest.tasks import read_next_document
from memory.models import Scope
from tests.cases.test_sec_07 import NAMES, TEXT, outside

pytestmark = pytest.mark.django_db
__all__ = ["outside"]


def zip_of_all_names() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for place, name in enumerate(NAMES):
            # The library would cut a name at its NUL and turn separators round.
            entry = zipfile.ZipInfo("stand-in")
            entry.filename = entry.orig_filename = name
            container.writestr(entry, TEXT % place)
    return target.getvalue()


def test_names_inside_a_zip_are_only_shown(alice, as_alice, outside: set[Path]):
    upload = ContentFile(zip_of_all_names(), name="../../papers.zip")
    scope = Scope.objects.for_user(alice)
    container = store_document(principal=as_alice, scope=scope, upload=upload).document

    read_next_document()

    container.refresh_from_db()
    assert (container.status, container.reason) == ("done", "")
    folders = sum(name.endswith(("/", "\\")) for name in NAMES)
    children = Document.objects.filter(parent=container)
    assert children.count() == Member.objects.exclude(document=None).count() == len(NAMES) - folders
    for child in children:
        assert child.name
        assert len(child.name) <= 255
        assert not set(child.name) & set("/\0\r\n")
        stored = Path(default_storage.path(child.file))
        assert stored.parent == Path(default_storage.path("documents"))
    assert not any(set(each.path) & set("\0\r\n") for each in Member.objects.all())
