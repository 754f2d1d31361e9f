"""What a learner sees of dates and exemptions."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from assessment.cohorts.models import Enrolment
from assessment.grades.models import Assignment, Exemption
from exercises.models import Exercise


@dataclass(frozen=True)
class Due:
    """When something is due for one learner, or that it is not asked of them."""

    at: datetime | None = None
    excused: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return self.at is not None and self.at <= timezone.now()


@dataclass(frozen=True)
class Dues:
    """All that is due for one learner, by exercise."""

    at: dict[UUID, datetime | None] = field(default_factory=dict)
    excused: frozenset[UUID] = frozenset()

    def of(self, exercise: Exercise) -> Due:
        """Return what holds for an exercise."""
        return Due(self.at.get(exercise.pk), exercise.pk in self.excused)


def dues_of(place: Enrolment | None) -> Dues:
    """Return what is due in a learner's place (two queries); nothing where there is none."""
    if place is None or place.role != Enrolment.Role.LEARNER:
        return Dues()
    dates = Assignment.objects.filter(cohort=place.cohort_id)
    excused = Exemption.objects.filter(enrolment=place, lifted_at=None)
    return Dues(
        dict(dates.values_list("exercise", "due_at")),
        frozenset(excused.values_list("exercise", flat=True)),
    )
