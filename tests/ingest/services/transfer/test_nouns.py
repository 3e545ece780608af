"""Which tables an export holds."""

from django.apps import apps

from ingest.services.transfer.nouns import CREDENTIALS, NOUNS

# Each with the reason why it stays.
LEFT_OUT = {
    "Credential": "told without its value, which is the vault's alone",
    "Embedding": "made again from the text",
    "ScopeCount": "counted again",
    "WatchedFolder": "names a folder of this host, which on another is somebody else's",
    "WatchedFile": "names a file of this host",
}


def test_every_row_that_belongs_to_a_scope_travels_or_is_left_out_for_a_reason():
    scoped = {
        model.__name__
        for model in apps.get_models()
        if any(field.name == "scope" for field in model._meta.concrete_fields)
    }

    assert scoped == {noun.model.__name__ for noun in NOUNS if _has_scope(noun)} | LEFT_OUT.keys()


def test_column_that_is_left_out_exists():
    for noun in (*NOUNS, CREDENTIALS):
        columns = {field.name for field in noun.model._meta.concrete_fields}
        assert set(noun.left_out) | set(noun.renamed) <= columns


def test_nothing_of_a_credential_travels_that_holds_its_value():
    assert {"ciphertext", "digest", "key_id"} <= set(CREDENTIALS.left_out)
    assert set(CREDENTIALS.columns()) == {
        "id", "service", "kind", "url", "notes", "recorded_at", "changed_at", "expires_at", "fact",
    }  # fmt: skip


def _has_scope(noun) -> bool:
    return any(field.name == "scope" for field in noun.model._meta.concrete_fields)
