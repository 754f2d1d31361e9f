"""The REST endpoints of grades, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, path, re_path

from assessment.grades.api.views import GradeList
from assessment.web.problems import no_such_address

urlpatterns: list[URLPattern | URLResolver] = [
    path("grades/", GradeList.as_view(), name="api-grades"),
    # Last of all: what no address of the API fits is answered as a problem document, not a page.
    re_path(r"^[\s\S]*/$", no_such_address),
]
