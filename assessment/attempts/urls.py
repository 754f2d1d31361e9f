"""The pages of learners."""

from django.urls import URLPattern, URLResolver, path

from assessment.attempts.views.drafting import draft
from assessment.attempts.views.exercise import exercise
from assessment.attempts.views.home import home
from assessment.attempts.views.predicting import prediction
from assessment.attempts.views.previewing import preview
from assessment.attempts.views.session import session
from assessment.attempts.views.submission import submission
from assessment.attempts.views.submitting import submission_form

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("sessions/", home, name="sessions"),
    path("sessions/<slug:slug>/", session, name="session"),
    path("exercises/<slug:slug>/", exercise, name="exercise"),
    path("exercises/<slug:slug>/prediction/", prediction, name="predict"),
    path("exercises/<slug:slug>/draft/", draft, name="draft"),
    path("exercises/<slug:slug>/reading/", preview, name="read-as"),
    path("exercises/<slug:slug>/submit/", submission_form, name="submit"),
    path("submissions/<uuid:submission_id>/", submission, name="submission"),
]
