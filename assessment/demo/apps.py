"""The app of the demo."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """Serves everything on one machine, with a cohort to look at."""

    name = "assessment.demo"
    label = "demo"
