"""The app of content."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExercisesConfig(AppConfig):
    """Sessions and exercises."""

    name = "exercises"
    verbose_name = _("Exercises")
