"""The ingest application."""

from django.apps import AppConfig


class IngestConfig(AppConfig):
    """Registers ingest with Django."""

    name = "ingest"
    default_auto_field = "django.db.models.BigAutoField"
