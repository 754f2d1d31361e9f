"""The app of answers."""

from django.apps import AppConfig


class AttemptsConfig(AppConfig):
    """Cases, drafts, predictions, submissions and checks."""

    name = "assessment.attempts"
    label = "attempts"
