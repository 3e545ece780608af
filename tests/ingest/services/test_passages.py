"""Passages stay findable, and go all at once."""

import threading
import time

import pytest
from django.core.files.base import ContentFile
from django.db import connection, connections

from ingest.services.documents import delete_document, store_document
from ingest.services.leases import claim_next
from ingest.services.reading import parse_document
from ingest.tasks import read_next_document
from memory.models import (
    Embedding,
    Fact,
    Principal,
    Scope,
    across_owners,
    acting_as,
    active_model,
    facts_without_vector,
    within_scopes,
)
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.embeddings import embed_rows
from memory.services.facts import correct_fact
from tests.fixtures import add_document


def test_corrected_passage_is_still_found_by_heading_and_document_name(alice, as_alice):
    upload = ContentFile(b"# Watering\n\nNoor waters the ferns.\n", name="greenhouse.md")
    store_document(principal=as_alice, scope=Scope.objects.for_user(alice), upload=upload)
    read_next_document()
    passage = Fact.objects.passages().get()

    correct_fact(principal=as_alice, fact_id=passage.pk, changes={"text": "Ida does it."})

    for words in ("watering", "greenhouse", "Ida"):
        results = recall(RecallQuery(text=words, mode="keyword"), as_alice.recall_scopes()).results
        assert [each.row.pk for each in results] == [passage.pk], words


@pytest.mark.django_db(transaction=True)
def test_document_is_deleted_whole_while_its_passages_are_embedded(alice):
    text = "\n\n".join(f"Passage number {number} tells of kestrels. " * 12 for number in range(30))
    document = add_document(alice, "long.txt", text=text)
    claim = claim_next()
    with within_scopes([document.scope_id]):
        parse_document(claim)
    embedder = Embedder(document)

    with acting_as(Principal(alice)) as principal, connection.execute_wrapper(embedder.join_in):
        delete_document(principal=principal, document_id=document.pk)
    embedder.thread.join(20)

    assert not embedder.thread.is_alive()
    with across_owners():
        assert Fact.objects.count() == Embedding.objects.count() == 0


class Embedder:
    """A worker that starts to store vectors when the passages are about to go."""

    def __init__(self, document):
        self.document = document
        self.thread = threading.Thread(target=self.embed)

    def join_in(self, execute, sql, params, many, context):
        if sql.startswith('DELETE FROM "memory_embedding"') and not self.thread.ident:
            self.thread.start()
            time.sleep(0.3)
        return execute(sql, params, many, context)

    def embed(self):
        try:
            with within_scopes([self.document.scope_id]):
                model = active_model()
                waiting = facts_without_vector(model).filter(document=self.document)
                embed_rows(model, list(waiting[:8]), "fact")
        finally:
            connections.close_all()
