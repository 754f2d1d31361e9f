"""Makes cohorts: the sessions they work through and who instructs them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from assessment.cohorts.enrolling import make_instructor
from assessment.cohorts.models import Cohort, User
from exercises.models import Session


class SlugTakenError(Exception):
    """Another cohort has this slug."""


@dataclass(frozen=True, slots=True)
class Made:
    """A cohort, and what was added to it just now."""

    cohort: Cohort
    is_new: bool
    is_renamed: bool
    sessions: int
    instructors: int

    @property
    def is_changed(self) -> bool:
        """Whether anything is not as it was."""
        return self.is_new or self.is_renamed or bool(self.sessions or self.instructors)


@transaction.atomic
def make_cohort(
    slug: str,
    *,
    name: str,
    time_zone: str,
    sessions: Iterable[Session],
    instructors: Iterable[User],
    may_exist: bool = False,
) -> Made:
    """Make a cohort, or give the one of that slug what it lacks where it ``may_exist``.

    It is all or nothing, also for two who take one slug in the same moment.

    Raises
    ------
    LearnerHereError
        One of the instructors answers in this cohort.
    SlugTakenError
        There is such a cohort, and only a new one was wanted.
    """
    cohort, is_new = Cohort.objects.get_or_create(
        slug=slug, defaults={"name": name, "time_zone": time_zone}
    )
    if not (is_new or may_exist):
        raise SlugTakenError
    is_renamed = not is_new and (cohort.name, cohort.time_zone) != (name, time_zone)
    if is_renamed:
        cohort.name, cohort.time_zone = name, time_zone
        cohort.save(update_fields=["name", "time_zone"])
    there = set(cohort.sessions.values_list("pk", flat=True))
    lacking = [session for session in sessions if session.pk not in there]
    cohort.sessions.add(*lacking)
    added = sum(make_instructor(cohort, user) for user in instructors)
    return Made(cohort, is_new, is_renamed, len(lacking), added)
