import django.db.models.deletion
import django.utils.timezone
import memory.models.identifiers
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0003_built_in_categories'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.UUIDField(default=memory.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('action', models.CharField(choices=[('listed', 'Listed'), ('viewed', 'Viewed'), ('exported', 'Exported'), ('added', 'Added'), ('changed', 'Changed'), ('deleted', 'Deleted'), ('link made', 'Link Made')], max_length=12)),
                ('noun', models.CharField(max_length=40)),
                ('rows', models.JSONField(default=list)),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
            },
        ),
    ]
