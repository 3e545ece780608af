"""Documents of a version that knew no origins get one, and have versions from then on."""

from importlib import import_module

from django.db import connection

from ingest.models import Document
from tests.fixtures import add_document

FILL = import_module("ingest.migrations.0005_origins").FILL


def test_new_bytes_of_an_old_document_are_its_second_version(alice, as_alice):
    older, newest, pasted = (
        add_document(alice, name, text=text, origin="")
        for name, text in (("key.txt", "one"), ("key.txt", "two"), ("image.png", "three"))
    )
    with connection.cursor() as cursor:
        cursor.execute(FILL)

    again = add_document(alice, "key.txt", text="four")
    other = add_document(alice, "image.png", text="five")

    assert (again.version, again.replaces_id) == (2, newest.pk)
    assert (other.version, other.replaces_id) == (1, None)
    assert Document.objects.get(pk=older.pk).origin == ""
    assert Document.objects.get(pk=pasted.pk).origin == ""
