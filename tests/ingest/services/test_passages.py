"""Passages stay findable by their heading and their document's name."""

from django.core.files.base import ContentFile

from ingest.services.documents import store_document
from ingest.tasks import read_next_document
from memory.models import Fact, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.facts import correct_fact


def test_corrected_passage_is_still_found_by_heading_and_document_name(alice, as_alice):
    upload = ContentFile(b"# Watering\n\nNoor waters the ferns.\n", name="greenhouse.md")
    store_document(principal=as_alice, scope=Scope.objects.for_user(alice), upload=upload)
    read_next_document()
    passage = Fact.objects.passages().get()

    correct_fact(principal=as_alice, fact_id=passage.pk, changes={"text": "Ida does it."})

    for words in ("watering", "greenhouse", "Ida"):
        results = recall(RecallQuery(text=words, mode="keyword"), as_alice.recall_scopes()).results
        assert [each.row.pk for each in results] == [passage.pk], words
