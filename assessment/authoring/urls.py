"""The instructors' pages of a session's documents."""

from django.urls import path

from assessment.authoring import views

urlpatterns = [
    path("sessions/<slug:slug>/guide/", views.guide, name="session-guide"),
]
