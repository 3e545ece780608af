import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_audit_entries")]
    operations = [
        migrations.CreateModel(
            name="ScopeCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.CharField(max_length=80)),
                ("number", models.PositiveBigIntegerField()),
                ("daily", django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), blank=True, default=list, size=None)),
                ("latest_at", models.DateTimeField(blank=True, null=True)),
                ("as_of", models.DateTimeField(default=django.utils.timezone.now)),
                ("scope", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory.scope")),
            ],
        ),
        migrations.AddConstraint(
            model_name="scopecount",
            constraint=models.UniqueConstraint(fields=("scope", "what"), name="scope_count_once_per_sort"),
        ),
    ]
