"""Which documents are files with a password, for good; those that wait for theirs are known."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingest", "0006_newer_version_index")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="has_password",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunSQL(
            "UPDATE ingest_document SET has_password = true WHERE needs_password",
            migrations.RunSQL.noop,
        ),
    ]
