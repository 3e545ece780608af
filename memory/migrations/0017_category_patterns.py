import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies = [("memory", "0016_credentials")]

    operations = [
        migrations.AddField(
            "category",
            "patterns",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=64), blank=True, default=list, size=None
            ),
        ),
        migrations.AddField(
            "fact",
            "idempotency_key",
            models.CharField(blank=True, default="", max_length=200),
        ),
        migrations.AddIndex(
            "fact",
            models.Index(
                models.F("scope"),
                Lower("entity"),
                Lower("key"),
                condition=models.Q(
                    models.Q(("entity", ""), _negated=True),
                    models.Q(("key", ""), _negated=True),
                    ("document", None),
                ),
                name="fact_claim",
            ),
        ),
        migrations.AddConstraint(
            "fact",
            models.UniqueConstraint(
                condition=models.Q(("idempotency_key", ""), _negated=True),
                fields=("scope", "idempotency_key"),
                name="fact_one_per_client_key",
            ),
        ),
    ]
