"""All addresses of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from assessment.config.health import health

api = [
    path("", include("assessment.attempts.api.urls")),
    path("", include("assessment.review.api.urls")),
    path("", include("assessment.dashboard.api.urls")),
    path("", include("assessment.grades.api.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("assessment.web.urls")),
    path("", include("assessment.cohorts.urls")),
    path("", include("assessment.authoring.urls")),
    path("", include("assessment.attempts.urls")),
    path("", include("assessment.review.urls")),
    path("", include("assessment.dashboard.urls")),
    path("", include("assessment.grades.urls")),
    path("api/v1/", include(api)),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
]
