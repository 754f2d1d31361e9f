"""The instructors' pages of a session's documents."""

from django.urls import path

from assessment.authoring import views

_SOLUTION = "sessions/<slug:slug>/guide/exercises/<slug:exercise>/solution"

urlpatterns = [
    path("sessions/<slug:slug>/guide/", views.guide, name="session-guide"),
    path(f"{_SOLUTION}/publish/", views.publish_solution, name="publish-solution"),
    path(f"{_SOLUTION}/unpublish/", views.unpublish_solution, name="unpublish-solution"),
]
