"""The pages of review."""

from django.urls import URLPattern, URLResolver, path

from assessment.review.views.queue import queue
from assessment.review.views.releasing import release_grade, withdraw_grade
from assessment.review.views.releasing_many import release_grades
from assessment.review.views.scoring import review

urlpatterns: list[URLPattern | URLResolver] = [
    path("review/", queue, name="review-queue"),
    path("review/release/<slug:slug>/", release_grades, name="release-grades"),
    path("review/<uuid:submission_id>/", review, name="review"),
    path("review/<uuid:submission_id>/release/", release_grade, name="release-grade"),
    path("review/<uuid:submission_id>/withdraw/", withdraw_grade, name="withdraw-grade"),
]
