"""The search vector, made inside the INSERT."""

import pytest
from django.db import connection

from memory.db.search import search_vector
from memory.models import Fact
from tests.fixtures import remember


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("texts", "vector"),
    [
        ({"own": "Builds ship"}, "'build':1A 'ship':2A"),
        (
            {"own": "Cat", "context": "Dog", "title": "a.pdf"},
            "'a.pdf':3C 'cat':1A 'dog':2B 'pdf':5C",
        ),
        ({"own": "it's 100% \\ 'safe'"}, "'100':3A 'safe':4A"),
        ({"own": "full\u200bwidth \uff21\uff22"}, "'ab':2A 'fullwidth':1A"),
        ({"own": ""}, ""),
    ],
)
def test_search_vector_weighs_own_text_context_and_title(alice, as_alice, texts, vector):
    fact = remember(alice, "anything")

    Fact.objects.filter(pk=fact.pk).update(search=search_vector(**texts))

    with connection.cursor() as cursor:
        cursor.execute("SELECT search::text FROM memory_fact WHERE id = %s", [fact.pk])
        assert cursor.fetchone()[0] == vector
