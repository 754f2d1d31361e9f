"""The REST endpoints of dashboard, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, path

from assessment.dashboard.api.views import CohortBreaks

urlpatterns: list[URLPattern | URLResolver] = [
    path("cohorts/<slug:slug>/breaks/", CohortBreaks.as_view(), name="api-cohort-breaks"),
]
