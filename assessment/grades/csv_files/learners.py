"""The learners of a cohort, part by part, and its exercises."""

from collections.abc import Iterator, Sequence
from itertools import islice
from uuid import UUID

from assessment.cohorts.models import Cohort, Enrolment
from exercises.models import Exercise

# So many that queries cost little, so few that the first line leaves at once.
PART = 50

PERSON = ("learner", "username", "sis_id", "family_name", "given_name")


def parts_of(cohort: Cohort) -> Iterator[list[Enrolment]]:
    """Yield the learners who have a place, by name, part by part."""
    learners = (
        Enrolment.objects.active()
        .learners()
        .filter(cohort=cohort)
        .select_related("user")
        .order_by("user__last_name", "user__first_name", "pk")
    )
    rows = learners.iterator(chunk_size=PART)
    while part := list(islice(rows, PART)):
        yield part


def exercises_of(cohort: Cohort) -> list[Exercise]:
    """Return the exercises of a cohort's sessions, in their order."""
    found = Exercise.objects.filter(session__cohorts=cohort).select_related("session")
    return list(found.order_by("session__number", "number"))


def person(enrolment: Enrolment) -> tuple[str, str, str | None, str, str]:
    """Return the cells that say who it is."""
    user = enrolment.user
    return (str(user.pk), user.username, user.sis_id, user.last_name, user.first_name)


def ids(enrolments: Sequence[Enrolment]) -> list[UUID]:
    """Return the ids of some places."""
    return [enrolment.pk for enrolment in enrolments]
