"""The page that compares gradebooks."""

from django.urls import path

from assessment.grades.people.views import reconcile

urlpatterns = [path("files/<slug:slug>/reconcile/", reconcile, name="reconcile")]
