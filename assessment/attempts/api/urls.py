"""The REST endpoints of attempts, below ``/api/v1/``."""

from django.urls import URLPattern, URLResolver, path

from assessment.attempts.api.views import (
    ExerciseDetail,
    SessionDetail,
    SessionList,
    SubmissionCreate,
    SubmissionDetail,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("sessions/", SessionList.as_view(), name="api-sessions"),
    path("sessions/<slug:slug>/", SessionDetail.as_view(), name="api-session"),
    path("exercises/<slug:slug>/", ExerciseDetail.as_view(), name="api-exercise"),
    path(
        "exercises/<slug:slug>/submissions/", SubmissionCreate.as_view(), name="api-submission-new"
    ),
    path("submissions/<uuid:submission_id>/", SubmissionDetail.as_view(), name="api-submission"),
]
