"""The dashboard application."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Registers dashboard with Django."""

    name = "dashboard"
    default_auto_field = "django.db.models.BigAutoField"
