"""What an LMS was shown and when that last changed, where the rows themselves do not say.

Whatever an LMS was shown once must not vanish without a word: what is taken back is kept here. All
times follow the order in which changes are committed, so that a client which asks for what changed
after the last time it saw misses nothing.
"""

from datetime import datetime

from django.db import models
from uuid_utils.compat import uuid7

from assessment.review.models import GradeSequence


class Change(models.Model):
    """When something last changed.

    ``subject`` is the id of a person, a cohort or an exercise: no two rows of any two tables share
    one.
    """

    subject = models.UUIDField(primary_key=True)
    changed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.subject} changed at {self.changed_at}"


class ResultChange(models.Model):
    """When a learner's work at an exercise last changed: opened, handed in, reviewed, excused.

    A grade bears the time of its own changes.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey("cohorts.Enrolment", on_delete=models.CASCADE, related_name="+")
    exercise = models.ForeignKey("exercises.Exercise", on_delete=models.CASCADE, related_name="+")
    changed_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "exercise"], name="grades_result_change_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment} at {self.exercise} changed at {self.changed_at}"


class Offer(models.Model):
    """A session that a cohort has, or had until ``withdrawn_at``.

    ``changed_at`` moves as well when a deadline of the session or the term of the cohort does.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey("cohorts.Cohort", on_delete=models.CASCADE, related_name="offers")
    session = models.ForeignKey(
        "exercises.Session", on_delete=models.CASCADE, related_name="offers"
    )
    changed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["cohort", "session"]
        constraints = [
            models.UniqueConstraint(fields=["cohort", "session"], name="grades_offer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.session} for {self.cohort}"


class FormerTerm(models.Model):
    """A term in which a cohort took place until ``left_at``."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey("cohorts.Cohort", on_delete=models.CASCADE, related_name="+")
    term = models.ForeignKey("grades.Term", on_delete=models.PROTECT, related_name="+")
    left_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cohort", "term"], name="grades_former_term_once"),
        ]

    def __str__(self) -> str:
        return f"{self.cohort} in {self.term} until {self.left_at}"


class Roll(models.Model):
    """What an LMS knows of a place: it is ended, never deleted, once it stands here."""

    enrolment = models.OneToOneField(
        "cohorts.Enrolment", on_delete=models.PROTECT, primary_key=True, related_name="roll"
    )
    # Results were shown for it; they are shown as deleted where the role is another one now.
    was_learner = models.BooleanField(default=False)
    changed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.enrolment} changed at {self.changed_at}"


def now_in_order() -> datetime:
    """Return the time of a change: later than that of every change committed before.

    Call it inside the transaction that uses it: until that ends, the caller holds the row that
    orders all changes, and nobody takes a later time that is seen before this one.
    """
    return GradeSequence.take(0)[1]
