"""The memory application."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Registers memory with Django."""

    name = "memory"
    default_auto_field = "django.db.models.BigAutoField"
