"""Which submissions wait for whom: the review queue, for pages and API alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.review.models import Review
from exercises.models import Exercise

# How *not yet tagged* is written in addresses, where an empty value means any.
UNTAGGED: Final = "untagged"
BREAKS: Final = (UNTAGGED, *filter(None, Review.Break.values))
STATES: Final = tuple(Submission.State.values)


class UnknownFilter(ValueError):  # noqa: N818 (a filter that fits nothing is an answer, not a failure)
    """A filter names something that is not there; ``problems`` says what, by parameter."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(problems)
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What to show; empty means any. ``latest`` leaves out attempts that a later one replaced."""

    cohort: str = ""
    exercise: str = ""
    state: str = ""
    dominant_break: str = ""
    latest: bool = False

    def check(self, user: User) -> None:
        """Refuse what fits nothing, instead of showing an empty list.

        Raises
        ------
        UnknownFilter
            By parameter.
        """
        problems = {}
        if self.cohort and not cohorts_of(user).filter(slug=self.cohort).exists():
            problems["cohort"] = gettext("no cohort of yours is named “%(slug)s”") % {
                "slug": self.cohort
            }
        if self.exercise and not exercises_of(user).filter(slug=self.exercise).exists():
            problems["exercise"] = gettext("no exercise of your cohorts is named “%(slug)s”") % {
                "slug": self.exercise
            }
        if self.state and self.state not in STATES:
            problems["state"] = gettext("is one of %(known)s") % {"known": ", ".join(STATES)}
        if self.dominant_break and self.dominant_break not in BREAKS:
            problems["break"] = gettext("is one of %(known)s") % {"known": ", ".join(BREAKS)}
        if problems:
            raise UnknownFilter(problems)


def cohorts_of(user: User) -> QuerySet[Cohort]:
    """Return the cohorts that this person reviews."""
    return Cohort.objects.taught_by(user).distinct()


def exercises_of(user: User) -> QuerySet[Exercise]:
    """Return the exercises of those cohorts, in the order of their sessions."""
    sessions = cohorts_of(user).values("sessions")
    return Exercise.objects.filter(session__in=sessions).select_related("session")


def with_tags(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Add ``tag`` (a person's, or ``untagged``) and ``level`` of the review that holds."""
    present = Review.objects.filter(submission=OuterRef("pk")).order_by("-number")
    tag = Subquery(present.values("dominant_break")[:1], output_field=CharField())
    return submissions.annotate(
        stored_tag=Coalesce(tag, Value("")), level=Subquery(present.values("level")[:1])
    )


def latest_attempts(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Narrow to the latest attempt of each present learner at each exercise.

    An attempt that used none of the allowed ones, because nobody could read it, is passed over.
    """
    later = Submission.objects.filter(
        enrolment=OuterRef("enrolment"),
        exercise=OuterRef("exercise"),
        counts=True,
        number__gt=OuterRef("number"),
    )
    present = {"enrolment__left_at": None, "enrolment__role": Enrolment.Role.LEARNER}
    return submissions.filter(~Exists(later), counts=True, **present)


def queue_for(user: User, wanted: QueueFilter) -> QuerySet[Submission]:
    """Return what this person may review, oldest first, in an order that never ties.

    Ids begin with the time, so their order is the order of arrival.
    """
    found = with_tags(Submission.objects.filter(enrolment__cohort__in=cohorts_of(user)))
    if wanted.cohort:
        found = found.filter(enrolment__cohort__slug=wanted.cohort)
    if wanted.exercise:
        found = found.filter(exercise__slug=wanted.exercise)
    if wanted.state:
        found = found.filter(state=wanted.state)
    if wanted.dominant_break:
        tag = "" if wanted.dominant_break == UNTAGGED else wanted.dominant_break
        found = found.filter(Q(stored_tag=tag))
    if wanted.latest:
        found = latest_attempts(found)
    return found.select_related(
        "enrolment__user", "enrolment__cohort", "exercise__session", "current_check"
    ).order_by("id")


def counts_by_state(submissions: QuerySet[Submission]) -> dict[str, int]:
    """Return how many submissions are in each state (one query)."""
    counted = submissions.order_by().values(name=F("state")).annotate(n=Count("pk"))
    found = {row["name"]: row["n"] for row in counted}
    return {state: found.get(state, 0) for state in STATES}
