"""How the engine reads one typed value, said before anything is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exercises import references
from exercises.checking.lines import Decimal, read_line
from exercises.checking.reading import Typed
from exercises.models import ExerciseVersion, Field

DECIMAL_MARKS: Final[Mapping[str, Decimal]] = {
    ExerciseVersion.Decimal.AUTO: "auto",
    ExerciseVersion.Decimal.POINT: "point",
    ExerciseVersion.Decimal.COMMA: "comma",
}


@dataclass(frozen=True)
class Reading:
    """What a text is read as, or why it is not read; never whether it is right."""

    value: str = ""
    shape: tuple[int, ...] = ()
    problem: str = ""


def read_as(version: ExerciseVersion, field: Field, text: str) -> Reading:
    """Return the reading of a step's result by the very reader that the check uses."""
    step = references.get(version.reference).step(field.name)
    line = read_line(step, text, DECIMAL_MARKS[version.decimal])
    if line.typed is None:
        return Reading(problem=line.message)
    value = _nested(line.typed)
    return Reading(f"{value} {field.unit}".strip(), line.typed.shape)


def _nested(typed: Typed) -> str:
    """Write the value in one spelling: rows in brackets, entries apart by semicolons."""
    if not typed.shape:
        return typed.plain[0]
    rows = list(typed.plain)
    for size in reversed(typed.shape):
        rows = [f"[{'; '.join(rows[at : at + size])}]" for at in range(0, len(rows), size or 1)]
    return rows[0] if rows else "[]"
