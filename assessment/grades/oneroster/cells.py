"""Turns cells of the grid into results: what is known of each, and how the standard says it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from assessment.grades.numbers import number
from assessment.grades.oneroster.facts import Attempt, Facts, raw
from assessment.grades.oneroster.grid import Cell, Place
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.reach import Class, Reach
from assessment.grades.oneroster.references import References, joined, stamp
from assessment.review.models import Grade
from assessment.web.numbers import plain
from exercises.models import Exercise
from rubrics.models import Scale


@dataclass(frozen=True, slots=True)
class Column:
    """What all learners of a class share of one exercise; each text is written once."""

    key: object
    sourced_id: str
    due_at: datetime
    is_offered: bool
    moved_at: datetime
    line_item: Row
    # The scale of levels, where the session has one.
    scale: Row | None


@dataclass(frozen=True, slots=True)
class Line:
    """What all exercises share of one learner."""

    key: object
    sourced_id: str
    changed_at: datetime
    is_present: bool
    student: Row
    class_: Row


class Writer:
    """Writes results."""

    def __init__(self, reach: Reach, references: References) -> None:
        self._reach = reach
        self._references = references
        self._columns: dict[tuple[UUID, UUID], Column] = {}

    def write(self, cells: Sequence[Cell]) -> list[Row]:
        """Return one result a cell (five queries, and one more for the first part)."""
        if not cells:
            return []
        facts = Facts(cells)
        rows, known, line = [], None, None
        for place, exercise in cells:
            if place is not known or line is None:
                known, line = place, self._line(place)
            rows.append(self._row(line, self._column(place, exercise), facts))
        return rows

    def _line(self, place: Place) -> Line:
        return Line(
            raw(place.enrolment_id),
            str(place.enrolment_id),
            place.changed_at,
            place.is_present,
            self._references.to("user", place.user_id),
            self._references.to("class", place.cohort_id),
        )

    def _column(self, place: Place, exercise: Exercise) -> Column:
        pair = (place.cohort_id, exercise.id)
        column = self._columns.get(pair)
        if column is None:
            scale = joined(place.cohort_id, exercise.session_id)
            found = self._classes[place.cohort_id]
            column = self._columns[pair] = Column(
                raw(exercise.pk),
                str(exercise.pk),
                found.due_at(exercise),
                found.is_offered(exercise),
                found.moved_at(exercise),
                self._references.to("lineItem", joined(*pair)),
                self._references.to("scoreScale", scale)
                if exercise.session_id in self._scaled
                else None,
            )
        return column

    @cached_property
    def _classes(self) -> dict[UUID, Class]:
        return {found.cohort.pk: found for found in self._reach.classes}

    @cached_property
    def _scaled(self) -> frozenset[UUID]:
        """The sessions that have a scale of levels (one query)."""
        return frozenset(Scale.objects.values_list("session", flat=True))

    def _row(self, line: Line, column: Column, facts: Facts) -> Row:
        key = (line.key, column.key)
        attempt, grade = facts.attempts.get(key), facts.grades.get(key)
        exempt = key in facts.exempt
        scored = grade is not None and grade.status == Grade.Status.RELEASED and not exempt
        is_due = column.due_at <= self._reach.as_of
        missing = is_due and attempt is None and not exempt and not scored
        changed_at = _latest(
            line.changed_at,
            column.moved_at,
            facts.changes.get(key),
            grade and grade.updated_at,
            column.due_at if missing else None,
        )
        row: Row = {
            "sourcedId": f"{line.sourced_id}.{column.sourced_id}",
            "status": "active" if line.is_present and column.is_offered else "tobedeleted",
            "dateLastModified": stamp(changed_at),
            "lineItem": column.line_item,
            "student": line.student,
            "class": line.class_,
            "scoreStatus": _score_status(attempt, exempt=exempt, scored=scored),
            "scoreDate": changed_at.date().isoformat(),
            "late": _flag(attempt is not None and attempt.submitted_at > column.due_at),
            "missing": _flag(missing),
            "inProgress": _flag(attempt is None and key in facts.opened),
        }
        if scored and grade is not None:
            row["score"] = number(grade.points)
            row["scoreDate"] = grade.released_at.date().isoformat()
            row["metadata"] = {"points": plain(grade.points), "maximum": plain(grade.maximum)}
            if grade.level is not None and column.scale is not None:
                row["textScore"] = str(grade.level)
                row["scoreScale"] = column.scale
        return row


def _score_status(attempt: Attempt | None, *, exempt: bool, scored: bool) -> str:
    if exempt:
        return "exempt"
    if scored:
        return "fully graded"
    if attempt is None:
        return "not submitted"
    return "partially graded" if attempt.is_part_graded else "submitted"


def _latest(*moments: datetime | None) -> datetime:
    return max(filter(None, moments))


def _flag(truth: bool) -> str:  # noqa: FBT001 (a conversion)
    return "true" if truth else "false"
