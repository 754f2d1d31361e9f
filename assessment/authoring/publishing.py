"""Publishing an exercise's worked solution to the learners of one's own cohorts."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from assessment.authoring.models import Publication
from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise


@transaction.atomic
def publish(exercise: Exercise, by: User) -> bool:
    """Let learners of the person's cohorts read the solution; return False where all do already.

    Raises PermissionDenied unless ``by`` is an instructor of a cohort with the session.
    """
    made = [
        Publication.objects.get_or_create(
            exercise=exercise, cohort=cohort, defaults={"published_by": by}
        )[1]
        for cohort in _cohorts(exercise, by)
    ]
    return any(made)


@transaction.atomic
def unpublish(exercise: Exercise, by: User) -> bool:
    """Let learners of the person's cohorts read the solution no more; return False where none do.

    Raises PermissionDenied like ``publish``.
    """
    shown = Publication.objects.filter(exercise=exercise, cohort__in=_cohorts(exercise, by))
    return bool(shown.delete()[0])


def is_published(exercise: Exercise, place: Enrolment | None) -> bool:
    """Return whether the learner of this place reads the solution (one query)."""
    if place is None:
        return False
    return Publication.objects.filter(exercise=exercise, cohort=place.cohort_id).exists()


def _cohorts(exercise: Exercise, by: User) -> list[Cohort]:
    cohorts = list(Cohort.objects.instructed_by(by).filter(sessions=exercise.session_id))
    if not cohorts:
        raise PermissionDenied
    return cohorts
