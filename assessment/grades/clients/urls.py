"""The pages of clients."""

from django.urls import URLPattern, URLResolver, path

from assessment.grades.clients.views import clients, revoke

urlpatterns: list[URLPattern | URLResolver] = [
    path("lms/clients/", clients, name="lms-clients"),
    path("lms/clients/<uuid:client_id>/revoke/", revoke, name="revoke-lms-client"),
]
