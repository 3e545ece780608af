"""Counts requests by route, status and time, when somebody may ask for it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django_prometheus import middleware

BeforeMiddleware = middleware.PrometheusBeforeMiddleware


class AfterMiddleware(middleware.PrometheusAfterMiddleware):  # type: ignore[misc]  # no types
    """django-prometheus's inner half, whose labels a stranger cannot make more of."""

    def label_metric(
        self,
        metric: Any,
        request: HttpRequest,
        response: HttpResponse | None = None,
        **labels: str,
    ) -> Any:
        """The series with these labels; a method that HTTP does not know is one of them all."""
        if "method" in labels:
            labels["method"] = self._method(request)
        return super().label_metric(metric, request, response, **labels)
