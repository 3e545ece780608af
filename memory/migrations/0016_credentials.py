import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models.functions import Lower, Replace

import memory.models.identifiers

ACTIONS = [
    ("listed", "Saw in a list"),
    ("viewed", "Opened"),
    ("exported", "Exported"),
    ("added", "Added"),
    ("changed", "Changed"),
    ("recategorized", "Changed the category"),
    ("retagged", "Changed the tags"),
    ("moved", "Moved to another scope"),
    ("forgot", "Forgot"),
    ("restored", "Restored"),
    ("deleted", "Deleted for good"),
    ("revoked", "Revoked"),
    ("read again", "Had read again"),
    ("link made", "Made a sign-in link"),
    ("closed", "Closed"),
    ("reopened", "Opened again"),
    ("staff made", "Made staff"),
    ("staff unmade", "Took staff rights from"),
    ("revealed", "Had the vault tell a value of"),
]
PLAIN_SERVICE = Replace(Lower(models.F("service")), models.Value("_"), models.Value("-"))


class Migration(migrations.Migration):
    dependencies = [("memory", "0015_history_of_memories_index")]

    operations = [
        migrations.AlterField(
            model_name="auditentry",
            name="action",
            field=models.CharField(choices=ACTIONS, max_length=20, verbose_name="what was done"),
        ),
        migrations.CreateModel(
            name="Credential",
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
                ("service", models.CharField(max_length=50)),
                ("kind", models.CharField(max_length=32)),
                ("ciphertext", models.BinaryField()),
                ("key_id", models.CharField(max_length=32)),
                ("digest", models.BinaryField(max_length=32)),
                ("url", models.TextField(blank=True)),
                ("notes", models.TextField(blank=True)),
                (
                    "recorded_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memory.fact",
                    ),
                ),
                (
                    "scope",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory.scope",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("scope"),
                        PLAIN_SERVICE,
                        models.F("kind"),
                        name="credential_one_per_service_and_kind",
                    ),
                    models.CheckConstraint(
                        condition=~models.Q(ciphertext=b"") & ~models.Q(key_id=""),
                        name="credential_is_sealed",
                    ),
                ],
            },
        ),
    ]
