"""Publishing an exercise's worked solution to its learners, and taking it back."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from assessment.authoring.taught import instructed_by
from assessment.cohorts.models import User
from exercises.models import Exercise


def publish(exercise: Exercise, by: User) -> bool:
    """Let learners read the solution from now on; return False where they do already.

    Raises PermissionDenied unless ``by`` is an instructor of a cohort with the session.
    """
    _instructors_only(exercise, by)
    hidden = Exercise.objects.filter(pk=exercise.pk, solution_published_at=None)
    return bool(hidden.update(solution_published_at=timezone.now()))


def unpublish(exercise: Exercise, by: User) -> bool:
    """Let learners read the solution no more; return False where they do not.

    Raises PermissionDenied like ``publish``.
    """
    _instructors_only(exercise, by)
    shown = Exercise.objects.filter(pk=exercise.pk, solution_published_at__isnull=False)
    return bool(shown.update(solution_published_at=None))


def _instructors_only(exercise: Exercise, by: User) -> None:
    if not instructed_by(by).filter(pk=exercise.session_id).exists():
        raise PermissionDenied
