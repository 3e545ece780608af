"""What every page of Mission Control shows round its content."""

from django.http import HttpRequest

from dashboard.queries.shell import shell_counts


def shell(request: HttpRequest) -> dict[str, object]:
    """The counts of the side bar; a page for strangers asks the database nothing."""
    principal = getattr(request, "principal", None)
    if principal is None:
        return {}
    return {"shell": shell_counts(principal)}
