"""The app of doors for other systems."""

from django.apps import AppConfig


class GradesConfig(AppConfig):
    """REST, OneRoster, CSV and LTI."""

    name = "assessment.grades"
    label = "grades"
