"""Where and when a cohort takes place, as the OneRoster standard wants to know it."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from assessment.cohorts.models import User


class School(models.Model):
    """The school that classes belong to."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=200)
    # The school's public number, where it has one.
    identifier = models.CharField(max_length=100, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Term(models.Model):
    """A term; ``ends_on`` is the first day after it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    school = models.ForeignKey(School, on_delete=models.PROTECT, related_name="terms")
    title = models.CharField(max_length=200)
    starts_on = models.DateField()
    ends_on = models.DateField()
    # The calendar year in which the school year ends.
    school_year = models.PositiveSmallIntegerField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["starts_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gt=models.F("starts_on")), name="grades_term_ends_later"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Placement(models.Model):
    """The term in which a cohort takes place; a cohort without one is placed in the open term."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.OneToOneField(
        "cohorts.Cohort", on_delete=models.CASCADE, related_name="placement"
    )
    term = models.ForeignKey(Term, on_delete=models.PROTECT, related_name="placements")

    def __str__(self) -> str:
        return f"{self.cohort} in {self.term}"


class Assignment(models.Model):
    """When a cohort was given an exercise, and by when it is due."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey(
        "cohorts.Cohort", on_delete=models.CASCADE, related_name="assignments"
    )
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.CASCADE, related_name="assignments"
    )
    assigned_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["cohort", "exercise"]
        constraints = [
            models.UniqueConstraint(
                fields=["cohort", "exercise"], name="grades_assignment_one_per_exercise"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exercise} for {self.cohort}"


class Exemption(models.Model):
    """A learner who is excused from an exercise; lifting it keeps the row, so that it is seen."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.CASCADE, related_name="exemptions"
    )
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.CASCADE, related_name="exemptions"
    )
    granted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField(default=timezone.now)
    lifted_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["enrolment", "exercise"]
        constraints = [
            models.UniqueConstraint(
                fields=["enrolment", "exercise"], name="grades_exemption_one_per_exercise"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment} excused from {self.exercise}"
