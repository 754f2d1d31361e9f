"""The app of review."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """Reviews, scored criteria and grades."""

    name = "assessment.review"
    label = "review"
