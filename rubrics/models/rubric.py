"""A rubric and its criteria."""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from exercises.models import ExerciseVersion


class Rubric(models.Model):
    """What an exercise version is worth; a change is a new row with the next number."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.ForeignKey(ExerciseVersion, on_delete=models.CASCADE, related_name="rubrics")
    number = models.PositiveSmallIntegerField(default=1)
    total = models.DecimalField(max_digits=7, decimal_places=2)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["version", "number"]
        constraints = [
            models.UniqueConstraint(fields=["version", "number"], name="rubrics_rubric_numbered"),
            models.CheckConstraint(
                condition=models.Q(total__gte=0), name="rubrics_rubric_total_gte_0"
            ),
        ]

    def __str__(self) -> str:
        return f"Rubric {self.number} of {self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new rubric; changing a stored one is refused."""
        if not self._state.adding:
            msg = "a stored rubric never changes; make one with the next number"
            raise TypeError(msg)
        super().save(*args, **kwargs)


class Criterion(models.Model):
    """One criterion of a rubric, and what in an answer can earn its points."""

    class Evidence(models.TextChoices):
        TRACE = "trace", _("the checked trace")
        PREDICTION = "prediction", _("a prediction stored before the variation")
        SHAPES = "shapes", _("data and shapes as written")
        INTERPRETATION = "interpretation", _("interpretation as written")
        LIMITATION = "limitation", _("a limitation as written")
        TEXT = "text", _("a written answer")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    rubric = models.ForeignKey(Rubric, on_delete=models.CASCADE, related_name="criteria")
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=300)
    points = models.DecimalField(max_digits=7, decimal_places=2)
    evidence = models.CharField(max_length=14, choices=Evidence.choices, default=Evidence.TEXT)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["rubric", "position"], name="rubrics_criterion_placed_once"
            ),
            models.CheckConstraint(
                condition=models.Q(points__gte=0), name="rubrics_criterion_points_gte_0"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.points}"
