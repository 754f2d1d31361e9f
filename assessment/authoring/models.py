"""What instructors decided about content for their cohorts."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7


class Publication(models.Model):
    """From when the learners of one cohort read an exercise's worked solution."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.CASCADE, related_name="publications"
    )
    cohort = models.ForeignKey(
        "cohorts.Cohort", on_delete=models.CASCADE, related_name="publications"
    )
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="publications"
    )
    published_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["exercise", "cohort"], name="authoring_publication_once_per_cohort"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exercise} in {self.cohort}"
