"""The pages of the outbox."""

from django.urls import path

from assessment.grades.outbox import views

urlpatterns = [
    path("lms/", views.own_passbacks, name="own-passbacks"),
    path("lms/cells/<uuid:pk>/send/", views.send_again, name="send-again"),
    path("lms/courses/<uuid:pk>/roster/", views.follow_roster, name="follow-roster"),
    path("lms/cohorts/<slug:slug>/", views.passbacks, name="passbacks"),
]
