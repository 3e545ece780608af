from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0017_category_patterns")]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="attempts",
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="turn",
            name="claim_token",
            field=models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="claimed_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="doubts",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="turn",
            name="in_doubt",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="turn",
            name="last_error",
            field=models.TextField(blank=True, editable=False),
        ),
        migrations.AddField(
            model_name="turn",
            name="utc_offset_seconds",
            field=models.IntegerField(default=0, editable=False),
        ),
        # No turn is in doubt yet, so the index is empty and building it is one look at the table.
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("in_doubt", True)), fields=["scope"], name="turn_in_doubt"
            ),
        ),
    ]
