"""The app of people and access."""

from importlib import import_module

from django.apps import AppConfig


class CohortsConfig(AppConfig):
    """Users, cohorts, enrolments, clients and tokens."""

    name = "assessment.cohorts"
    label = "cohorts"

    def ready(self) -> None:
        """Tell the OpenAPI description how callers sign in."""
        import_module("assessment.cohorts.openapi")
