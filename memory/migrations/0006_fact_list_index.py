from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import F, OrderBy, Q
from django.db.models.functions import Coalesce


class Migration(migrations.Migration):
    # Built beside the writes that go on; a concurrent index cannot be made inside a transaction.
    atomic = False
    dependencies = [("memory", "0005_scope_counts")]
    operations = [
        AddIndexConcurrently(
            "fact",
            models.Index(
                F("scope"),
                OrderBy(Coalesce("source_date", "recorded_at"), descending=True),
                OrderBy(F("id"), descending=True),
                condition=Q(document=None, status="active"),
                name="fact_list_order",
            ),
        ),
        AddIndexConcurrently(
            "jobrun", models.Index(fields=["-started_at", "-id"], name="job_latest")
        ),
        AddIndexConcurrently(
            "jobrun",
            models.Index(
                fields=["-started_at"],
                condition=Q(outcome__in=["failed", "lost"]),
                name="job_gone_wrong",
            ),
        ),
        AddIndexConcurrently(
            "jobrun",
            models.Index(
                fields=["owner", "-started_at"],
                condition=Q(cost_usd__isnull=False),
                name="job_paid",
            ),
        ),
    ]
