"""All addresses of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from assessment.config.health import health
from assessment.web.problems import no_such_address

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
    path(
        "api/docs/",
        # A page has nothing to tell OPTIONS, which could not be rendered as one either.
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", metadata_class=None),
        name="api-docs",
    ),
    # What no address of the API fits is answered as a problem document, not as a page.
    re_path(r"^api(?:/[\s\S]*)?$", no_such_address),
    path("health/", health, name="health"),
    # The one page that changes passwords also counts tries; the admin's own would not.
    path("admin/password_change/", RedirectView.as_view(pattern_name="change-password")),
    path("admin/", admin.site.urls),
]

handler400 = "assessment.web.problems.bad_request"
handler500 = "assessment.web.problems.server_error"
