"""Gives a learner the values to work on."""

from assessment.attempts.models import Case
from assessment.cohorts.models import Enrolment
from exercises.models import ExerciseVersion


def case_for(enrolment: Enrolment, version: ExerciseVersion) -> Case:
    """Return the learner's case of this version, made at the first call and the same ever after."""
    case, _created = Case.objects.get_or_create(
        enrolment=enrolment,
        version=version,
        number=0,
        defaults={"given": version.given, "variation": version.variation},
    )
    return case
