"""Points and breaks filled in outside: a sheet leaves, comes back, and is planned to be looked at.

A released grade stays as it is, and a line that was written on an older review is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, User
from assessment.grades.csv_files.changes import Change, Plan, Problem
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

HEADER = (
    *PERSON,
    *("exercise", "attempt", "submission", "criterion", "points", "maximum"),
    *("suggested_break", "break", "review"),
)
REQUIRED = ("criterion", "points")
NUMBERS = ("points", "maximum")


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
                    attempt.current_check.suggested_break if attempt.current_check else None,
                    review.dominant_break if review else None,
                    review.number if review else 0,
                )


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
        if change.differences or change.tag is not None:
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
        present, tag = scores_of(review), _tag(row, review)
        is_changed = points != present.get(title) or tag
        if attempt.state == Submission.State.RELEASED and is_changed:
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
        if tag:
            change.tags.setdefault(tag, row.line)
        if tag and len(change.tags) > 1:
            text = gettext("Line %(line)s names another break of this attempt: neither is applied.")
            raise _DoesNotFitError(text % {"line": next(iter(change.tags.values()))})

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


def _tag(row: Row, review: Review | None) -> str:
    """Return the break of a line, empty where it says nothing new."""
    tag = row.key("break").casefold().replace(" ", "_")
    if tag == (review.dominant_break if review else ""):
        return ""
    if tag and tag not in Review.Break.values:
        known = ", ".join(filter(None, Review.Break.values))
        raise _DoesNotFitError(
            gettext("“%(tag)s” is no break; write one of %(known)s.")
            % {"tag": tag[:50], "known": known}
        )
    return tag


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
        for attempt in attempts.select_related("exercise", "current_check").order_by("number")
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
