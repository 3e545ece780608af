"""Every address that Longhand answers."""

from django.contrib import admin
from django.urls import include, path

from dashboard.api.root import api
from dashboard.metrics import metrics

urlpatterns = [
    path("api/v1/", api.urls),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("", include("dashboard.views.urls")),
]

handler400 = "dashboard.views.errors.bad_request"
handler403 = "dashboard.views.errors.forbidden"
handler404 = "dashboard.views.errors.not_found"
handler500 = "dashboard.middleware.server_error"
