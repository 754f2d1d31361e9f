"""The outbox of scores: what each LMS column should say of each learner, and what was sent."""

from datetime import datetime
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from assessment.grades.models.context import LineItem, LtiUser


class PassbackQuerySet(models.QuerySet["Passback"]):
    """Named questions about the outbox."""

    def due(self, now: datetime) -> Self:
        """Narrow to what is to be sent by now."""
        return self.filter(state=Passback.State.WAITING, next_try_at__lte=now)


class Passback(models.Model):
    """What one learner's cell of one column should say, and whether the LMS has it.

    One row a cell: a newer wish replaces an older one that was not sent yet, so nothing stale
    goes out. ``points`` is empty where no score belongs in the cell. ``stamp`` is the time stated
    to the LMS; it only rises, or the LMS would ignore the message.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting to be sent")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("refused by the LMS")

    class Activity(models.TextChoices):
        INITIALIZED = "Initialized", _("not submitted")
        SUBMITTED = "Submitted", _("submitted")
        COMPLETED = "Completed", _("completed")

    class Grading(models.TextChoices):
        NOT_READY = "NotReady", _("nothing to grade")
        PENDING_MANUAL = "PendingManual", _("waits for a person")
        FULLY_GRADED = "FullyGraded", _("graded")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    line_item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="passbacks")
    person = models.ForeignKey(LtiUser, on_delete=models.CASCADE, related_name="passbacks")
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.CASCADE, related_name="passbacks"
    )
    activity = models.CharField(max_length=12, choices=Activity.choices)
    grading = models.CharField(max_length=14, choices=Grading.choices)
    points = models.DecimalField(max_digits=9, decimal_places=4, null=True, blank=True)
    maximum = models.DecimalField(max_digits=9, decimal_places=4)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # The change of the grade or the attempt that this cell follows; the same one is not sent twice.
    cause = models.CharField(max_length=80)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)
    last_error = models.CharField(max_length=500, blank=True)
    stamp = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)

    objects = PassbackQuerySet.as_manager()

    class Meta:
        ordering = ["line_item", "person"]
        constraints = [
            models.UniqueConstraint(fields=["line_item", "person"], name="grades_passback_once"),
            models.CheckConstraint(
                condition=models.Q(points=None)
                | (models.Q(points__gte=0) & models.Q(points__lte=models.F("maximum"))),
                name="grades_passback_within_maximum",
            ),
        ]
        indexes = [
            # What is to be sent, longest waiting first.
            models.Index(
                fields=["next_try_at"],
                name="grades_passback_due",
                condition=models.Q(state="waiting"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_item}: {self.person} ({self.get_state_display()})"
