"""Documents that need a password, and the one that was given for the next try."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingest", "0002_tables")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="needs_password",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="document",
            name="sealed_password",
            field=models.TextField(blank=True, default="", editable=False),
        ),
    ]
