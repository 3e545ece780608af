from django.db import migrations, transaction

ROWS_AT_ONCE = 20_000
# What a memory was before this was tracked is not known; empty, its next change of wording would
# seem to have set its tags too.
FILL = """
UPDATE memory_facthistory AS state SET
    why = fact.why, tags = fact.tags, shelf = fact.shelf, importance = fact.importance,
    decay_class = fact.decay_class, pinned = fact.pinned
FROM memory_fact AS fact
WHERE fact.id = state.pgh_obj_id AND state.pgh_id > %s AND state.pgh_id <= %s
"""


def fill(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(pgh_id), 0) FROM memory_facthistory")
        last = cursor.fetchone()[0]
        for start in range(0, last, ROWS_AT_ONCE):
            with transaction.atomic(using=connection.alias):
                cursor.execute(FILL, [start, start + ROWS_AT_ONCE])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memory", "0009_history_of_labels")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
