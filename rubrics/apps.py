"""The app of rubrics."""

from django.apps import AppConfig


class RubricsConfig(AppConfig):
    """Rubrics, criteria and scales."""

    name = "rubrics"
