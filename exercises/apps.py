"""The app of content."""

from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    """Sessions and exercises."""

    name = "exercises"
