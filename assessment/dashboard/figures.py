"""A cohort's breaks and levels by exercise, counted in a constant number of queries.

The group of an exercise is its ``n``: the learners of the cohort who have submitted to it. Of each
only the latest attempt counts (one that used no attempt, because nobody could read it, does not),
with the review that holds. A person's tag counts, the engine's suggestion never does; *no break*
and *cannot tell* are tags too. An alarm rings when more than one third of ``n`` and at least two
learners have the same break: one learner alone is no group.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count, Q

from assessment.attempts.models import Check, Submission
from assessment.cohorts.models import Cohort, Enrolment
from assessment.review.models import Review
from assessment.review.queue import latest_attempts, with_tags
from exercises.models import Exercise

BREAKS: Final = tuple(Check.Break.values)
OTHER_TAGS: Final = (Review.Break.NONE.value, Review.Break.CANNOT_TELL.value)
LEVELS: Final = (0, 1, 2, 3)
SMALLEST_GROUP: Final = 2


@dataclass(frozen=True, slots=True)
class ExerciseFigures:
    """What is known of one exercise in one cohort.

    ``breaks`` counts the five breaks in chain order, ``other`` *no break* and *cannot tell*,
    ``levels`` the levels given; ``n`` is the group as the module says.
    """

    exercise: Exercise
    breaks: Mapping[str, int]
    other: Mapping[str, int]
    levels: Mapping[int, int]
    untagged: int
    n: int

    @property
    def tagged(self) -> int:
        """How many of the group carry a person's tag."""
        return self.n - self.untagged

    @property
    def without_level(self) -> int:
        """How many of the group have no level yet."""
        return self.n - sum(self.levels.values())

    @property
    def alarms(self) -> list[str]:
        """The breaks of more than one third of the group."""
        return [
            name
            for name, count in self.breaks.items()
            if 3 * count > self.n and count >= SMALLEST_GROUP
        ]


@dataclass(frozen=True, slots=True)
class CohortFigures:
    """The figures of all exercises of a cohort; ``learners`` is how many it has."""

    cohort: Cohort
    learners: int
    exercises: list[ExerciseFigures]


def breaks_of(cohort: Cohort) -> CohortFigures:
    """Return the figures of a cohort (three queries, however many learners and exercises)."""
    learners = Enrolment.objects.active().learners().filter(cohort=cohort)
    counted: defaultdict[UUID, list[tuple[str, int | None, int]]] = defaultdict(list)
    attempts = latest_attempts(Submission.objects.filter(enrolment__in=learners))
    rows = (
        with_tags(attempts)
        .order_by()
        .values("exercise", "stored_tag", "level")  # type: ignore[misc]  # with_tags adds the two
        .annotate(count=Count("pk"))
    )
    for row in rows:
        counted[row["exercise"]].append((row["stored_tag"], row["level"], row["count"]))
    exercises = (
        Exercise.objects.filter(Q(session__cohorts=cohort) | Q(pk__in=list(counted)))
        .select_related("session")
        .distinct()
        .order_by("session__course", "session__level", "session__number", "number")
    )
    return CohortFigures(
        cohort=cohort,
        learners=learners.count(),
        exercises=[_figures(exercise, counted[exercise.pk]) for exercise in exercises],
    )


def _figures(exercise: Exercise, rows: list[tuple[str, int | None, int]]) -> ExerciseFigures:
    tags: defaultdict[str, int] = defaultdict(int)
    levels: defaultdict[int | None, int] = defaultdict(int)
    for tag, level, count in rows:
        tags[tag] += count
        levels[level] += count
    return ExerciseFigures(
        exercise=exercise,
        breaks={name: tags[name] for name in BREAKS},
        other={name: tags[name] for name in OTHER_TAGS},
        levels={level: levels[level] for level in LEVELS},
        untagged=tags[""],
        n=sum(tags.values()),
    )
