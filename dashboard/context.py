"""What every page of Mission Control shows round its content."""

from django.http import HttpRequest

from dashboard.queries.shell import shell_counts

# The admin has a side bar of its own.
ADMIN_ROOT = "/admin/"


def shell(request: HttpRequest) -> dict[str, object]:
    """The counts of the side bar; a page for strangers asks the database nothing."""
    principal = getattr(request, "principal", None)
    if principal is None or request.path.startswith(ADMIN_ROOT):
        return {}
    return {"shell": shell_counts(principal)}
