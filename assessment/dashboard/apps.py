"""The app of figures."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Figures and charts of a cohort; no tables of its own."""

    name = "assessment.dashboard"
    label = "dashboard"
