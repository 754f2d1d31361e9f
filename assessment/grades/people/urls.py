"""The pages about who is who, and the one that compares gradebooks."""

from django.urls import path

from assessment.grades.people.id_views import people, person
from assessment.grades.people.views import reconcile

urlpatterns = [
    path("files/<slug:slug>/reconcile/", reconcile, name="reconcile"),
    path("files/<slug:slug>/people/", people, name="people-ids"),
    path("files/<slug:slug>/people/<uuid:pk>/", person, name="person-ids"),
]
