"""The pages of files."""

from django.urls import path

from assessment.grades.csv_files import views

urlpatterns = [
    path("files/", views.cohorts, name="grade-cohorts"),
    path("files/points/<uuid:pk>/", views.points_file, name="points-file"),
    path("files/points/<uuid:pk>/discard/", views.discard, name="discard-points"),
    path("files/points/<uuid:pk>/take-back/", views.take_back, name="take-points-back"),
    path("files/<slug:slug>/", views.files, name="grade-files"),
    path("files/<slug:slug>/<slug:name>.csv", views.export, name="grade-file"),
]
