"""The pages of dashboard."""

from django.urls import URLPattern, URLResolver, path

from assessment.dashboard.views import breaks, cohort_breaks

urlpatterns: list[URLPattern | URLResolver] = [
    path("breaks/", breaks, name="breaks"),
    path("breaks/<slug:slug>/", cohort_breaks, name="cohort-breaks"),
]
