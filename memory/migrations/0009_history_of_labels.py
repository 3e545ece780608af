import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0008_wanted_mails'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='fact',
            name='kept_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='fact',
            name='changed_update',
        ),
        migrations.AddField(
            model_name='facthistory',
            name='decay_class',
            field=models.CharField(choices=[('permanent', 'permanent'), ('durable', 'durable'), ('stable', 'stable'), ('active', 'active'), ('normal', 'normal'), ('short', 'short'), ('session', 'session'), ('ephemeral', 'ephemeral'), ('checkpoint', 'checkpoint')], default='normal', max_length=12),
        ),
        migrations.AddField(
            model_name='facthistory',
            name='importance',
            field=models.PositiveSmallIntegerField(default=5),
        ),
        migrations.AddField(
            model_name='facthistory',
            name='pinned',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='facthistory',
            name='shelf',
            field=models.CharField(choices=[('core', 'core'), ('project', 'project'), ('technical', 'technical'), ('transient', 'transient')], default='project', max_length=12),
        ),
        migrations.AddField(
            model_name='facthistory',
            name='tags',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
        ),
        migrations.AddField(
            model_name='facthistory',
            name='why',
            field=models.TextField(blank=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='fact',
            trigger=pgtrigger.compiler.Trigger(name='kept_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "memory_facthistory" ("category", "decay_class", "entity", "importance", "key", "kind", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pinned", "scope_id", "shelf", "status", "tags", "text", "value", "why") VALUES (NEW."category", NEW."decay_class", NEW."entity", NEW."importance", NEW."key", NEW."kind", _pgh_attach_context(), NOW(), \'kept\', NEW."id", NEW."pinned", NEW."scope_id", NEW."shelf", NEW."status", NEW."tags", NEW."text", NEW."value", NEW."why"); RETURN NULL;', hash='ae00691c8214e3f83118a7ad5eb723084334ec17', operation='INSERT', pgid='pgtrigger_kept_insert_06b65', table='memory_fact', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='fact',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."category" IS DISTINCT FROM (NEW."category") OR OLD."decay_class" IS DISTINCT FROM (NEW."decay_class") OR OLD."entity" IS DISTINCT FROM (NEW."entity") OR OLD."importance" IS DISTINCT FROM (NEW."importance") OR OLD."key" IS DISTINCT FROM (NEW."key") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."pinned" IS DISTINCT FROM (NEW."pinned") OR OLD."scope_id" IS DISTINCT FROM (NEW."scope_id") OR OLD."shelf" IS DISTINCT FROM (NEW."shelf") OR OLD."status" IS DISTINCT FROM (NEW."status") OR OLD."tags" IS DISTINCT FROM (NEW."tags") OR OLD."text" IS DISTINCT FROM (NEW."text") OR OLD."value" IS DISTINCT FROM (NEW."value") OR OLD."why" IS DISTINCT FROM (NEW."why"))', func='INSERT INTO "memory_facthistory" ("category", "decay_class", "entity", "importance", "key", "kind", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pinned", "scope_id", "shelf", "status", "tags", "text", "value", "why") VALUES (NEW."category", NEW."decay_class", NEW."entity", NEW."importance", NEW."key", NEW."kind", _pgh_attach_context(), NOW(), \'changed\', NEW."id", NEW."pinned", NEW."scope_id", NEW."shelf", NEW."status", NEW."tags", NEW."text", NEW."value", NEW."why"); RETURN NULL;', hash='2e5618c0f34c90ad95f78c39b3dd9e849a6fa700', operation='UPDATE', pgid='pgtrigger_changed_update_ea41c', table='memory_fact', when='AFTER')),
        ),
    ]
