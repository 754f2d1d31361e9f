"""The app that writes content."""

from django.apps import AppConfig


class AuthoringConfig(AppConfig):
    """Imports sessions."""

    name = "assessment.authoring"
    label = "authoring"
