import django.db.models.deletion
import django.utils.timezone
import memory.models.identifiers
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0007_cache_table"),
    ]

    operations = [
        migrations.CreateModel(
            name="WantedMail",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memory.models.identifiers.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "recorded_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["due_at", "id"], name="wanted_mail_due")],
            },
        ),
    ]
