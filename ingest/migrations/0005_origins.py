"""The origin of documents that were stored before documents had one: as files that were sent."""

from django.db import migrations

FILL = """
UPDATE ingest_document AS document SET origin = 'upload:' || newest.name
FROM (
    SELECT DISTINCT ON (scope_id, name) id, name FROM ingest_document
    WHERE origin = '' AND parent_id IS NULL
    ORDER BY scope_id, name, id DESC
) AS newest
WHERE document.id = newest.id
  AND lower(newest.name) NOT IN ('untitled', 'blob', 'pasted', 'clipboard')
  AND lower(newest.name) !~ '^(pasted|clipboard|image|pasted[ -]image)\\.[a-z]+$'
"""


class Migration(migrations.Migration):
    dependencies = [("ingest", "0004_families_of_documents")]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
