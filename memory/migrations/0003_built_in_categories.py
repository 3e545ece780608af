from django.db import migrations

NAMES = ("preference", "fact", "decision", "entity", "pattern", "rule", "other")


def add(apps, schema_editor):
    category = apps.get_model("memory", "Category")
    rows = [category(name=name, origin="built_in") for name in NAMES]
    category.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_tables")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
