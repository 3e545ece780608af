import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0010_fill_history_of_labels'),
    ]

    operations = [
        migrations.AddField(
            model_name='auditentry',
            name='owner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('listed', 'Saw in a list'), ('viewed', 'Opened'), ('exported', 'Exported'), ('added', 'Added'), ('changed', 'Changed'), ('recategorized', 'Changed the category'), ('retagged', 'Changed the tags'), ('moved', 'Moved to another scope'), ('forgot', 'Forgot'), ('restored', 'Restored'), ('deleted', 'Deleted for good'), ('revoked', 'Revoked'), ('read again', 'Had read again'), ('link made', 'Made a sign-in link'), ('closed', 'Closed'), ('reopened', 'Opened again'), ('staff made', 'Made staff'), ('staff unmade', 'Took staff rights from')], max_length=20, verbose_name='what was done'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='noun',
            field=models.CharField(max_length=40, verbose_name='to what'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='recorded_at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='when'),
        ),
    ]
