"""The REST endpoints of grades, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, path

from assessment.grades.api.views import GradeList

urlpatterns: list[URLPattern | URLResolver] = [
    path("grades/", GradeList.as_view(), name="api-grades"),
]
