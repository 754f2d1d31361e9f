"""An exercise, its versions, and the fields that a learner fills."""

from typing import Any, Self

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from exercises.models.session import Session


class ExerciseQuerySet(models.QuerySet["Exercise"]):
    """Named questions about exercises."""

    def offered(self) -> Self:
        """Leave out those that their session no longer holds."""
        return self.filter(retired_at=None)


class Exercise(models.Model):
    """An exercise of a session; ``current`` is the version that is handed out now.

    ``slug`` is unique among all sessions; ``key`` (``exercise-1``) is its name in checks.yaml.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="exercises")
    number = models.PositiveSmallIntegerField()
    slug = models.SlugField(max_length=160, unique=True)
    key = models.SlugField(max_length=40)
    title = models.CharField(max_length=300)
    current = models.ForeignKey(
        "exercises.ExerciseVersion",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    # Its session no longer holds it: answers stay, and it is handed out no more.
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = ExerciseQuerySet.as_manager()

    class Meta:
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number"], name="exercises_exercise_numbered"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.title}"

    def get_absolute_url(self) -> str:
        """Return the learner's page of this exercise."""
        return reverse("exercise", args=[self.slug])


class ExerciseVersionQuerySet(models.QuerySet["ExerciseVersion"]):
    """Named questions about versions."""

    def for_learners(self) -> Self:
        """Load neither the solution nor the solved variant."""
        return self.defer("solution", "solved_variant")


class ExerciseVersion(models.Model):
    """An exercise as it was at one import; it never changes, and submissions keep theirs.

    ``prompt`` is the whole text, ``prompt_before`` the same without the sentences that are withheld
    until a prediction is stored; both are lists of paragraphs. ``predicted`` is the step
    whose change is predicted. ``solution`` and ``solved_variant`` are the instructor's.
    """

    class Feedback(models.TextChoices):
        AT_ONCE = "at_once", _("at once")
        AFTER_PEERS = "after_peers", _("after peer correction")
        REVEALED = "revealed", _("when revealed")
        AT_RELEASE = "at_release", _("at release")

    class Numbers(models.TextChoices):
        COMMON = "common", _("common to the group")
        OWN = "own", _("each learner's own")

    class Decimal(models.TextChoices):
        AUTO = "auto", _("point or comma")
        POINT = "point", _("point")
        COMMA = "comma", _("comma")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    concept = models.CharField(max_length=200, blank=True)
    prompt = models.JSONField(default=list)
    prompt_before = models.JSONField(default=list)
    items = models.JSONField(default=list)
    deliverable = models.TextField(blank=True)
    solution_title = models.CharField(max_length=200, blank=True)
    solution = models.JSONField(default=list)
    solved_variant = models.TextField(blank=True)
    # The engine's reference, or empty where only written answers are asked.
    reference = models.CharField(max_length=80, blank=True)
    given = models.JSONField(default=dict)
    variation = models.JSONField(default=dict)
    vary = models.JSONField(default=dict)
    predicted = models.CharField(max_length=80, blank=True)
    numbers = models.CharField(max_length=6, choices=Numbers.choices, default=Numbers.COMMON)
    attempts = models.PositiveSmallIntegerField(default=3)
    feedback = models.CharField(max_length=12, choices=Feedback.choices, default=Feedback.AT_ONCE)
    decimal = models.CharField(max_length=5, choices=Decimal.choices, default=Decimal.AUTO)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ExerciseVersionQuerySet.as_manager()

    class Meta:
        ordering = ["exercise", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["exercise", "number"], name="exercises_version_numbered"
            ),
            models.CheckConstraint(
                condition=models.Q(attempts__gte=1), name="exercises_version_attempts_gte_1"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new version; changing a stored one is refused."""
        if not self._state.adding:
            msg = "a stored version never changes; import makes a new one"
            raise TypeError(msg)
        super().save(*args, **kwargs)


class Field(models.Model):
    """One thing a learner fills in: a step of the trace, or a written answer.

    ``name`` is the step's name in the reference, or the answer's own; ``shape`` names its axes
    (``["V"]``), empty for a single number. ``options`` are a choice's or set's names with synonyms.
    ``element`` is what of the general instruction a written answer shows. ``given_on_support``: the
    support track is shown this step, which then earns no proposed points.
    """

    class Kind(models.TextChoices):
        STEP = "step", _("step of the trace")
        CHOICE = "choice", _("choice")
        TEXT = "text", _("written answer")

    class Element(models.TextChoices):
        NONE = "", _("none")
        DATA = "data", _("data")
        TRANSFORMATION = "transformation", _("transformation")
        RESULT = "result", _("result")
        CHECK = "check", _("check")
        LIMITATION = "limitation", _("limitation")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    version = models.ForeignKey(ExerciseVersion, on_delete=models.CASCADE, related_name="fields")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    title = models.CharField(max_length=300)
    hint = models.CharField(max_length=500, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    shape = models.JSONField(default=list)
    tolerance = models.JSONField(default=dict)
    options = models.JSONField(default=dict)
    max_length = models.PositiveIntegerField(default=2000)
    element = models.CharField(max_length=16, choices=Element.choices, blank=True)
    given_on_support = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "name"], name="exercises_field_named_once"),
            models.UniqueConstraint(
                fields=["version", "position"], name="exercises_field_placed_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title
