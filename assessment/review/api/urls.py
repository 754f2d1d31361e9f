"""The REST endpoints of review, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, path

from assessment.review.api.views import SubmissionQueue, SubmissionReview

urlpatterns: list[URLPattern | URLResolver] = [
    path("submissions/", SubmissionQueue.as_view(), name="api-submissions"),
    path("submissions/<uuid:submission_id>/review/", SubmissionReview.as_view(), name="api-review"),
]
