"""Addresses of the frame itself."""

from django.conf import settings
from django.urls import URLPattern, path

from assessment.web import views

app_name = "web"

urlpatterns: list[URLPattern] = [
    path("theme/", views.theme, name="theme"),
    path("signed-in-as/", views.signed_in_as, name="signed-in-as"),
]

if settings.DEMO:
    urlpatterns.append(path("design/", views.design, name="design"))
