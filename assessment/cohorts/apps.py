"""The app of people and access."""

from django.apps import AppConfig


class CohortsConfig(AppConfig):
    """Users, cohorts, enrolments, clients and tokens."""

    name = "assessment.cohorts"
    label = "cohorts"
