from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("memory", "0014_fill_history_of_documents")]

    operations = [
        migrations.AddIndex(
            model_name="facthistory",
            index=models.Index(
                condition=models.Q(("document", None)),
                fields=["-pgh_id"],
                name="history_of_memories",
            ),
        ),
    ]
