"""The app of doors for other systems."""

from django.apps import AppConfig


class GradesConfig(AppConfig):
    """REST, OneRoster, CSV and LTI."""

    name = "assessment.grades"
    label = "grades"

    def ready(self) -> None:
        """Begin to notice what LMSs have to be told."""
        from assessment.grades import noticing  # noqa: F401, PLC0415 (needs the models)
