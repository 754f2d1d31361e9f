"""The pages of deadlines and exemptions."""

from django.urls import path

from assessment.grades.deadlines import views

urlpatterns = [
    path("files/<slug:slug>/deadlines/", views.deadlines, name="deadlines"),
    path("files/<slug:slug>/deadlines/<slug:exercise>/", views.deadline, name="deadline"),
    path("files/<slug:slug>/deadlines/<slug:exercise>/excuse/", views.excuse_one, name="excuse"),
    path("files/exemptions/<uuid:pk>/lift/", views.lift_one, name="lift-exemption"),
]
