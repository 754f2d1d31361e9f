"""The doors of grades: OneRoster, LTI, files, and the pages about them."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("assessment.grades.clients.urls")),
    path("", include("assessment.grades.oneroster.urls")),
    path("", include("assessment.grades.lti.urls")),
    path("", include("assessment.grades.outbox.urls")),
    path("", include("assessment.grades.csv_files.urls")),
    path("", include("assessment.grades.deadlines.urls")),
    path("", include("assessment.grades.people.urls")),
]
