"""One attempt of one learner; it never changes once stored, only its state moves on."""

from typing import Self

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from assessment.cohorts.models import Enrolment, User


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Named questions about submissions."""

    def owned_by(self, user: User) -> Self:
        """Narrow to this learner's own."""
        return self.filter(enrolment__user=user)

    def reviewable_by(self, user: User) -> Self:
        """Narrow to those of cohorts where this user is an instructor or an assistant."""
        return self.filter(
            enrolment__cohort__enrolments__in=Enrolment.objects.active().staff().filter(user=user)
        )

    def visible_to(self, user: User) -> Self:
        """Narrow to what this user may see: their own, and those they may review."""
        staffed = Enrolment.objects.active().staff().filter(user=user).values("cohort")
        return self.filter(models.Q(enrolment__user=user) | models.Q(enrolment__cohort__in=staffed))

    def waiting(self) -> Self:
        """Narrow to those still to be checked."""
        return self.filter(state=Submission.State.SUBMITTED)


class Submission(models.Model):
    """One learner's attempt at one version of an exercise.

    ``answers`` maps a field's name to the text exactly as typed (or, for a step of a trace, to
    ``{"data", "operation", "result", "interpretation"}``); ``digest`` is their SHA-256, so that a
    check says which answers it judged.
    """

    class State(models.TextChoices):
        SUBMITTED = "submitted", _("submitted")
        CHECKED = "checked", _("checked")
        UNCHECKABLE = "uncheckable", _("could not be checked")
        REVIEWED = "reviewed", _("reviewed")
        RELEASED = "released", _("released")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.PROTECT, related_name="submissions"
    )
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.PROTECT, related_name="submissions"
    )
    version = models.ForeignKey(
        "exercises.ExerciseVersion", on_delete=models.PROTECT, related_name="submissions"
    )
    case = models.ForeignKey("attempts.Case", on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveSmallIntegerField()
    # Whether it uses up one of the attempts: text nobody can read costs none.
    counts = models.BooleanField(default=True)
    # The values that were on the screen when the learner answered.
    given = models.JSONField(default=dict)
    answers = models.JSONField()
    # Steps that the support track gave away: they earn no proposed points.
    given_steps = models.JSONField(default=list)
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=12, choices=State.choices, default=State.SUBMITTED)
    reason = models.CharField(max_length=500, blank=True)
    submitted_at = models.DateTimeField(default=timezone.now)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (unique where given)
    # The claim of a worker: who checks it, since when, and how often it was tried.
    claim = models.UUIDField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    # The check that holds, copied here for lists.
    current_check = models.ForeignKey(
        "attempts.Check", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-submitted_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "exercise", "number"], name="attempts_submission_numbered"
            ),
            models.UniqueConstraint(
                fields=["enrolment", "exercise", "idempotency_key"],
                name="attempts_submission_once_per_key",
            ),
        ]
        indexes = [
            # The sweep and the batch claim: what waits, by exercise, oldest first.
            models.Index(
                fields=["version", "submitted_at"],
                name="attempts_sub_waiting",
                condition=models.Q(state="submitted"),
            ),
            # The review queue of one exercise, by state.
            models.Index(fields=["exercise", "state", "submitted_at"], name="attempts_sub_queue"),
        ]

    def __str__(self) -> str:
        return f"Attempt {self.number} of {self.enrolment} at {self.exercise}"

    def get_absolute_url(self) -> str:
        """Return the learner's page of this submission."""
        return reverse("submission", args=[self.pk])
