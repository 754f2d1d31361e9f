"""The given values of one learner, what they predict, and what they are writing."""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class Case(models.Model):
    """The values one learner works on in one version of an exercise.

    ``given`` is the starting state, ``variation`` what changes once the prediction is stored.
    Numbers common to the group repeat the exercise's own; own numbers were drawn by the generator
    named here, so that the draw can be repeated for ever.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.CASCADE, related_name="cases"
    )
    version = models.ForeignKey(
        "exercises.ExerciseVersion", on_delete=models.PROTECT, related_name="cases"
    )
    number = models.PositiveSmallIntegerField(default=0)
    given = models.JSONField(default=dict)
    variation = models.JSONField(default=dict)
    generator = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "version", "number"], name="attempts_case_numbered"
            ),
        ]

    def __str__(self) -> str:
        return f"Case {self.number} of {self.version} for {self.enrolment}"

    @property
    def needs_prediction(self) -> bool:
        """Whether a prediction has to be stored before the changed value is shown (one query)."""
        return bool(self.variation) and not Prediction.objects.filter(case=self).exists()

    def shown(self) -> dict[str, Any]:
        """Return the values the learner has been shown: the change only after the prediction."""
        return dict(self.given if self.needs_prediction else self.given | self.variation)


class Prediction(models.Model):
    """What a learner expects of the change, stored before the change is shown; it never changes."""

    class Direction(models.TextChoices):
        UP = "up", _("it rises")
        SAME = "same", _("it stays the same")
        DOWN = "down", _("it falls")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    case = models.OneToOneField(Case, on_delete=models.CASCADE, related_name="prediction")
    direction = models.CharField(max_length=4, choices=Direction.choices)
    # The number as typed, where the learner dares one.
    value = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=2000, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.get_direction_display()} {self.value}".strip()


class Draft(models.Model):
    """What a learner is writing: saved as they type, never checked."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.CASCADE, related_name="drafts"
    )
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.PROTECT, related_name="drafts"
    )
    answers = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "exercise"], name="attempts_draft_one_per_exercise"
            ),
        ]

    def __str__(self) -> str:
        return f"Draft of {self.enrolment} for {self.exercise}"
