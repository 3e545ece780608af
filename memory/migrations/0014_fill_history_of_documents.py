from django.db import migrations, transaction

ROWS_AT_ONCE = 20_000
FILL = """
UPDATE memory_facthistory AS state SET document_id = fact.document_id
FROM memory_fact AS fact
WHERE fact.id = state.pgh_obj_id AND fact.document_id IS NOT NULL
  AND state.pgh_id > %s AND state.pgh_id <= %s
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

    dependencies = [("memory", "0013_history_of_documents")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
