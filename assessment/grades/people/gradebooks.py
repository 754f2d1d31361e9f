"""Reads the gradebooks that LMSs save: a line a grade, or a column an exercise.

Canvas numbers its columns, ``Trace (5121)``, and writes the maxima into a line of their own;
Blackboard writes ``Trace [Total Pts: 10 Score] |66``, Moodle ``External tool: Trace (Real)``.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from assessment.cohorts.models import Cohort
from assessment.web.csv_files.reading import FileRefusedError, Row, Table
from exercises.models import Exercise

_CANVAS = re.compile(r"\s*\(\d{1,12}\)$")
_BLACKBOARD = re.compile(
    r"\s*\[total pts: (?:up to )?(?P<maximum>[0-9.,]{1,12})(?: (?P<shown>[^\]]{1,40}))?\]"
    r"\s*\|\d{1,12}$"
)
# What follows a title where Moodle exports points, in English, German and French.
_MOODLE = re.compile(r"\s*\((?:real|punkte|brut|brute)\)$")
_MOODLE_KIND = re.compile(r"^(?P<kind>[^:]{1,60}):\s*")
_COMMENTS = frozenset({"feedback", "comments", "kommentare"})
# Canvas's lines above the people: maxima, and how grades are posted.
_MAXIMA = "points possible"
_POSTING = frozenset({"manual posting", "(read only)", _MAXIMA})
_EXCUSED = "ex"
_NONE = frozenset({"-", "–", "—", "n/a", "needs grading", "in progress", _EXCUSED})


@dataclass(frozen=True, slots=True)
class Entry:
    """One grade of the file, as it is written there."""

    row: Row
    name: str
    exercise: Exercise | None
    points: str
    maximum: str
    excused: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    exercise: Exercise
    maximum: str


def entries(table: Table, cohort: Cohort) -> Iterator[Entry]:
    """Yield every grade of a gradebook.

    Raises
    ------
    FileRefusedError
        No column names an exercise of the cohort, or two name the same.
    """
    exercises = _exercises(cohort)
    if "exercise" in table.columns:
        for row in table.with_decimal_points(["points", "maximum"]).rows:
            name = row.key("exercise").casefold()
            yield _entry(row, name, exercises.get(name), row.get("points"), row.get("maximum"))
        return
    columns = _columns(table, exercises)
    maxima: Mapping[str, str] = {column.name: column.maximum for column in columns}
    for row in table.with_decimal_points([column.name for column in columns]).rows:
        written = {value.strip().casefold() for value in row.values.values()} - {""}
        if any(_MAXIMA in value for value in written):
            maxima = {column.name: row.get(column.name) for column in columns}
        elif not written <= _POSTING:
            for column in columns:
                name, exercise = column.exercise.slug, column.exercise
                yield _entry(row, name, exercise, row.get(column.name), maxima[column.name])


def _entry(row: Row, name: str, exercise: Exercise | None, points: str, maximum: str) -> Entry:
    said = points.casefold()
    return Entry(row, name, exercise, "" if said in _NONE else points, maximum, said == _EXCUSED)


def _columns(table: Table, exercises: Mapping[str, Exercise]) -> list[_Column]:
    found = [column for name in table.columns if (column := _column(name, exercises))]
    if not found:
        raise FileRefusedError(
            gettext("No column names an exercise of this cohort, by its slug or its title.")
        )
    by_exercise: defaultdict[Exercise, list[str]] = defaultdict(list)
    for column in found:
        by_exercise[column.exercise].append(column.name)
    for exercise, names in by_exercise.items():
        if len(names) > 1:
            raise FileRefusedError(
                gettext("Several columns name %(exercise)s: %(names)s. Take out all but one.")
                % {"exercise": exercise, "names": "; ".join(names)}
            )
    return found


def _column(name: str, exercises: Mapping[str, Exercise]) -> _Column | None:
    """Return the column that holds the points of an exercise, or nothing for any other."""
    blackboard = _BLACKBOARD.search(name)
    if blackboard and (blackboard["shown"] or "score") != "score":
        return None
    maximum = blackboard["maximum"] if blackboard else ""
    title = _BLACKBOARD.sub("", name) if blackboard else _MOODLE.sub("", _CANVAS.sub("", name))
    kind = _MOODLE_KIND.match(title)
    exercise = exercises.get(title)
    if exercise is None and kind and kind["kind"] not in _COMMENTS:
        exercise = exercises.get(title[kind.end() :])
    return _Column(name, exercise, maximum) if exercise else None


def _exercises(cohort: Cohort) -> dict[str, Exercise]:
    """Return the exercises by what a gradebook may call them; a name that two share is none."""
    by_name: defaultdict[str, set[Exercise]] = defaultdict(set)
    for exercise in Exercise.objects.filter(session__cohorts=cohort):
        numbered = f"exercise {exercise.number}: {exercise.title}"
        for name in (exercise.slug, exercise.title, str(exercise), numbered):
            by_name[name.casefold()].add(exercise)
    return {name: next(iter(found)) for name, found in by_name.items() if len(found) == 1}
