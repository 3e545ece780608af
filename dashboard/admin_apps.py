"""Django's admin, with Longhand's site in place of its own."""

from django.contrib.admin.apps import AdminConfig


class LonghandAdminConfig(AdminConfig):
    """Finds the desks of every part and hands them to the site."""

    default_site = "dashboard.admin_site.LonghandAdminSite"
