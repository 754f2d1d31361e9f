"""Points that were filled in outside: a sheet leaves, comes back, and is planned to be looked at.

A released grade stays as it is, and a line that was written on an older review is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, User
from assessment.grades.csv_files.learners import PERSON, ids, parts_of, person
from assessment.grades.people.finding import Directory, NotFoundError, directory_of
from assessment.review.models import Review
from assessment.review.points import (
    PLACES,
    UnreadablePoints,
    has_too_many_digits,
    read_points,
)
from assessment.web.csv_files.cells import Value
from assessment.web.csv_files.reading import FileRefusedError, Row, Table
from assessment.web.numbers import plain
from rubrics.models import Rubric

HEADER = (*PERSON, "exercise", "attempt", "submission", "criterion", "points", "maximum", "review")
REQUIRED = ("criterion", "points")
NUMBERS = ("points", "maximum")
MOST_LINES = 500


def rows(cohort: Cohort) -> Iterator[tuple[Value, ...]]:
    """Yield the sheet: a line for every criterion of every learner's latest attempts."""
    for learners in parts_of(cohort):
        places = {learner.pk: learner for learner in learners}
        latest = _latest(Submission.objects.filter(enrolment__in=ids(learners)))
        rubrics = present_rubrics(latest)
        reviews = present_reviews(latest)
        for attempt in latest:
            review = reviews.get(attempt.pk)
            scores = scores_of(review)
            rubric = rubrics.get(attempt.version_id)
            for criterion in rubric.criteria.all() if rubric else ():
                yield (
                    *person(places[attempt.enrolment_id]),
                    attempt.exercise.slug,
                    attempt.number,
                    str(attempt.pk),
                    criterion.title,
                    scores.get(criterion.title),
                    criterion.points,
                    review.number if review else 0,
                )


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not applied, and why."""

    line: int
    message: str


@dataclass
class Change:
    """What one submission gets: new points by criterion, beside the present ones."""

    submission: Submission
    review: Review | None
    rubric: Rubric
    line: int
    points: dict[str, Decimal | None] = field(default_factory=dict)
    present: dict[str, Decimal] = field(default_factory=dict)
    # Where each criterion stood first, and those for which the file says two things.
    lines: dict[str, int] = field(default_factory=dict)
    contradicted: set[str] = field(default_factory=set)

    @property
    def number(self) -> int:
        """The number of the review that the change was planned on."""
        return self.review.number if self.review else 0

    @property
    def differences(self) -> list[tuple[str, Decimal | None, Decimal | None]]:
        """Criterion, points now, points then, where they differ."""
        return [
            (title, self.present.get(title), points)
            for title, points in self.points.items()
            if self.present.get(title) != points
        ]


@dataclass
class Plan:
    """What a file would change, and what in it does not fit."""

    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unchanged: int = 0

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that do not fit, and why; the first of them, where they are many."""
        return [(each.line, each.message) for each in self.problems[:MOST_LINES]]

    @property
    def digest(self) -> str:
        """What tells one plan from another: whoever confirms it has seen just these changes."""
        seen = [
            (str(each.submission.pk), each.number, each.differences)
            for each in sorted(self.changes, key=lambda change: change.submission.pk)
        ]
        return sha256(repr(seen).encode()).hexdigest()


def plan(cohort: Cohort, table: Table) -> Plan:
    """Return what a file would change (six queries, whatever its size).

    Raises
    ------
    FileRefusedError
        A column is missing.
    """
    missing = [name for name in REQUIRED if name not in table.columns]
    if missing:
        raise FileRefusedError(
            gettext("The first line does not name %(columns)s.") % {"columns": ", ".join(missing)}
        )
    sheet = _Sheet(cohort)
    found = Plan()
    for row in table.rows:
        try:
            sheet.take(row)
        except NotFoundError as error:
            found.problems.append(Problem(row.line, str(error)))
        except (UnreadablePoints, _DoesNotFitError) as error:
            found.problems.append(Problem(row.line, f"{sheet.learner(row)}: {error}"))
    for change in sheet.changes.values():
        for title in change.contradicted:
            del change.points[title]
        if change.differences:
            found.changes.append(change)
        else:
            found.unchanged += 1
    return found


class _DoesNotFitError(Exception):
    """The line cannot be applied; the text says why."""


class _Sheet:
    """Takes line after line, and gathers them by submission."""

    def __init__(self, cohort: Cohort) -> None:
        self.changes: dict[UUID, Change] = {}
        self._directory: Directory = directory_of(cohort)
        attempts = Submission.objects.filter(enrolment__cohort=cohort)
        self._attempts = list(
            attempts.select_related("exercise", "enrolment__user").order_by("number")
        )
        self._by_id = {str(attempt.pk): attempt for attempt in self._attempts}
        self._latest = {
            (attempt.enrolment_id, attempt.exercise.slug): attempt for attempt in self._attempts
        }
        self._rubrics = present_rubrics(self._attempts)
        self._reviews = present_reviews(self._attempts)

    def take(self, row: Row) -> None:
        """Add a line to what its submission gets."""
        attempt = self._attempt(row)
        review = self._reviews.get(attempt.pk)
        self._refuse_older(row, review)
        title = row.key("criterion")
        rubric = self._rubrics.get(attempt.version_id)
        if rubric is None:
            raise _DoesNotFitError(gettext("The exercise has no rubric."))
        criteria = {each.title: each for each in rubric.criteria.all()}
        if title not in criteria:
            known = "; ".join(criteria)
            raise _DoesNotFitError(
                gettext("“%(title)s” is no criterion of this exercise; it has: %(known)s.")
                % {"title": title[:100], "known": known}
            )
        points = _points(row, title, criteria[title].points)
        present = scores_of(review)
        if attempt.state == Submission.State.RELEASED and points != present.get(title):
            raise _DoesNotFitError(gettext("The grade is released; withdraw it first."))
        change = self.changes.get(attempt.pk) or Change(
            attempt, review, rubric, row.line, present=present
        )
        self.changes[attempt.pk] = change
        line = change.lines.setdefault(title, row.line)
        if change.points.setdefault(title, points) != points or title in change.contradicted:
            change.contradicted.add(title)
            raise _DoesNotFitError(
                gettext(
                    "“%(title)s” of this attempt stands in line %(line)s with other points: neither"
                    " is applied."
                )
                % {"title": title, "line": line}
            )

    def learner(self, row: Row) -> User:
        """Return whom a line is about."""
        return self._directory.find(row).user

    def _attempt(self, row: Row) -> Submission:
        learner = self._directory.find(row)
        named = row.key("submission")
        if named:
            attempt = self._by_id.get(named)
            if attempt is None or attempt.enrolment_id != learner.pk:
                raise _DoesNotFitError(gettext("There is no attempt %(id)s.") % {"id": named})
            return attempt
        attempt = self._latest.get((learner.pk, row.key("exercise")))
        if attempt is None:
            raise _DoesNotFitError(
                gettext("Nothing is submitted to “%(exercise)s”.")
                % {"exercise": row.key("exercise")[:100]}
            )
        return attempt

    def _refuse_older(self, row: Row, review: Review | None) -> None:
        """Refuse a line that was written on an older review than the one that holds."""
        seen = row.get("review")
        if not seen:
            return
        present = review.number if review else 0
        if not (seen.isascii() and seen.isdigit()) or int(seen[:9]) != present:
            raise _DoesNotFitError(
                gettext("The file has review %(seen)s, and %(present)s is the present one.")
                % {"seen": seen[:20], "present": present}
            )


def _points(row: Row, title: str, most: Decimal) -> Decimal | None:
    """Return the points of a line, or refuse what the criterion cannot have."""
    points, maximum = read_points(row.get("points")), read_points(row.get("maximum"))
    of = {"title": title, "maximum": plain(most)}
    if maximum is not None and maximum != most:
        raise _DoesNotFitError(
            gettext(
                "The file says that “%(title)s” has %(seen)s points at most; it has %(maximum)s."
            )
            % (of | {"seen": plain(maximum)})
        )
    if points is not None and points > most:
        raise _DoesNotFitError(
            gettext("%(points)s is more than the maximum of “%(title)s”, %(maximum)s.")
            % (of | {"points": plain(points)})
        )
    if points is not None and has_too_many_digits(points):
        raise _DoesNotFitError(
            gettext("%(points)s has more than %(places)s digits after the point.")
            % {"points": plain(points), "places": PLACES}
        )
    return points


def _latest(attempts: QuerySet[Submission]) -> list[Submission]:
    latest = {
        (attempt.enrolment_id, attempt.exercise_id): attempt
        for attempt in attempts.select_related("exercise").order_by("number")
    }
    return sorted(latest.values(), key=lambda each: (each.enrolment_id, each.exercise.slug))


def present_rubrics(attempts: Iterable[Submission]) -> dict[UUID, Rubric]:
    """Return the present rubric of each version, its criteria loaded (two queries)."""
    versions = {attempt.version_id for attempt in attempts}
    rubrics = Rubric.objects.filter(version__in=versions).order_by("number")
    return {rubric.version_id: rubric for rubric in rubrics.prefetch_related("criteria")}


def present_reviews(attempts: Sequence[Submission]) -> dict[UUID, Review]:
    """Return the review that holds of each submission (two queries)."""
    pks = [attempt.pk for attempt in attempts]
    present = Review.objects.present().filter(submission__in=pks).prefetch_related("scores")
    return {review.submission_id: review for review in present}


def scores_of(review: Review | None) -> dict[str, Decimal]:
    """Return the points of a review by criterion, none where there is no review."""
    return {score.title: score.points for score in review.scores.all()} if review else {}
