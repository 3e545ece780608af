from django.db import migrations

# What it holds lasts minutes, so it is not worth writing to the log that survives a crash.
TABLE = """
CREATE UNLOGGED TABLE shared_cache (
    cache_key varchar(255) PRIMARY KEY,
    value text NOT NULL,
    expires timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX shared_cache_expires ON shared_cache (expires);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_fact_list_index")]
    operations = [migrations.RunSQL(TABLE, "DROP TABLE shared_cache")]
