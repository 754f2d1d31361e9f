"""Sets when an exercise is given and due, excuses learners, and lifts that again."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.deadlines.history import note
from assessment.grades.models import Assignment, Exemption
from exercises.models import Exercise


class MovedMeanwhileError(Exception):
    """Someone else saved other dates since the form was shown."""


def version_of(assignment: Assignment | None) -> str:
    """Return what tells one state of the dates from another."""
    return assignment.updated_at.isoformat() if assignment else ""


@transaction.atomic
def set_dates(
    cohort: Cohort,
    exercise: Exercise,
    by: User,
    *,
    assigned_at: datetime,
    due_at: datetime | None,
    seen: str,
) -> bool:
    """Save the dates; return whether they were others before.

    Raises
    ------
    MovedMeanwhileError
        ``seen`` is not the state that holds.
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)
    found = Assignment.objects.filter(cohort=cohort, exercise=exercise).first()
    if version_of(found) != seen:
        raise MovedMeanwhileError
    assignment = found or Assignment(cohort=cohort, exercise=exercise)
    if found and (found.assigned_at, found.due_at) == (assigned_at, due_at):
        return False
    assignment.assigned_at, assignment.due_at = assigned_at, due_at
    assignment.save()
    note(by, assignment, is_new=found is None)
    return True


@transaction.atomic
def excuse(enrolment: Enrolment, exercise: Exercise, by: User, *, reason: str) -> Exemption:
    """Excuse a learner from an exercise; excused already, the reason becomes the new one."""
    Cohort.objects.select_for_update().get(pk=enrolment.cohort_id)
    found = Exemption.objects.filter(enrolment=enrolment, exercise=exercise).first()
    exemption = found or Exemption(enrolment=enrolment, exercise=exercise)
    if found is None or found.lifted_at:
        exemption.granted_at = timezone.now()
    exemption.granted_by, exemption.lifted_at, exemption.reason = by, None, reason
    exemption.save()
    note(by, exemption, is_new=found is None)
    return exemption


@transaction.atomic
def lift(exemption: Exemption, by: User) -> bool:
    """Let the exercise count again; return whether it had not."""
    Cohort.objects.select_for_update().get(pk=exemption.enrolment.cohort_id)
    exemption.refresh_from_db()
    if exemption.lifted_at:
        return False
    exemption.lifted_at = timezone.now()
    exemption.save()
    note(by, exemption, is_new=False)
    return True
