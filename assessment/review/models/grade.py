"""The grade that left: frozen at release, a tombstone after withdrawal."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from assessment.cohorts.models import Enrolment, User


class GradeSequence(models.Model):
    """The one row whose counter orders changes of grades by commit.

    A release takes the next numbers inside its transaction and so holds this row until it
    commits: numbers become visible in their own order, and a reader who has seen n misses none
    below it.
    ``last_at`` makes the times of changes follow the same order, whatever the clock does; no two
    changes bear the same time.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    last = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="review_sequence_one_row")
        ]

    def __str__(self) -> str:
        return str(self.last)

    @classmethod
    def take(cls, count: int = 1) -> tuple[int, datetime]:
        """Return the first of ``count`` fresh numbers and the time of the change.

        Call it inside the transaction that uses them.
        """
        row, _created = cls.objects.select_for_update().get_or_create(pk=1)
        first = row.last + 1
        row.last += count
        row.last_at = max(row.last_at + timedelta.resolution, timezone.now())
        row.save(update_fields=["last", "last_at"])
        return first, row.last_at


class GradeQuerySet(models.QuerySet["Grade"]):
    """Named questions about grades."""

    def released(self) -> Self:
        """Leave out the tombstones."""
        return self.filter(status=Grade.Status.RELEASED)

    def visible_to(self, user: User) -> Self:
        """Narrow to a learner's own released grades and those of cohorts this user teaches."""
        staffed = Enrolment.objects.active().staff().filter(user=user).values("cohort")
        own = models.Q(enrolment__user=user, status=Grade.Status.RELEASED)
        return self.filter(own | models.Q(enrolment__cohort__in=staffed))


class Grade(models.Model):
    """What one learner has earned in one exercise, as released.

    ``points`` and ``maximum`` are copied from the review at release and stay as they are until the
    grade is withdrawn; ``sequence`` orders all changes of all grades by commit.
    """

    class Status(models.TextChoices):
        RELEASED = "released", _("released")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.PROTECT, related_name="grades"
    )
    # The enrolment's cohort, copied: pages of one cohort are read along one index.
    cohort = models.ForeignKey("cohorts.Cohort", on_delete=models.PROTECT, related_name="grades")
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.PROTECT, related_name="grades"
    )
    submission = models.ForeignKey(
        "attempts.Submission", on_delete=models.PROTECT, related_name="grades"
    )
    review = models.ForeignKey("review.Review", on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.RELEASED)
    points = models.DecimalField(max_digits=9, decimal_places=4)
    maximum = models.DecimalField(max_digits=9, decimal_places=4)
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    released_at = models.DateTimeField()
    updated_at = models.DateTimeField(default=timezone.now)
    sequence = models.PositiveBigIntegerField(unique=True)

    objects = GradeQuerySet.as_manager()

    class Meta:
        ordering = ["sequence"]
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "exercise"], name="review_grade_one_per_exercise"
            ),
            models.CheckConstraint(
                condition=models.Q(points__gte=0) & models.Q(points__lte=models.F("maximum")),
                name="review_grade_within_maximum",
            ),
        ]
        indexes = [
            # The pages of one cohort, in the order of change.
            models.Index(fields=["cohort", "sequence"], name="review_grade_by_change"),
            # Where a pull that names a time begins.
            models.Index(fields=["updated_at", "sequence"], name="review_grade_since"),
        ]

    def __str__(self) -> str:
        return f"{self.points}/{self.maximum} for {self.enrolment} in {self.exercise}"
