from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    # Built beside the writes that go on; a concurrent index cannot be made inside a transaction.
    atomic = False
    dependencies = [("memory", "0011_audit_in_words")]
    operations = [
        AddIndexConcurrently(
            "fact",
            models.Index(
                fields=["lang"], condition=Q(("lang", "en"), _negated=True), name="fact_other_language"
            ),
        ),
    ]
