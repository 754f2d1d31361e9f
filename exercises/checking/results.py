"""What is said about one trace, in the public form."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exercises.checking import wording
from exercises.checking.breaks import Cause
from exercises.checking.lines import Line
from exercises.checking.reading import Typed
from exercises.checking.steps import FloatArray, Reference, Step
from exercises.checking.verdicts import Break, Status
from exercises.checking.worked import Worked

CREDIT = {
    Status.RIGHT: 1.0,
    Status.COARSE: 1.0,
    Status.CARRIED: 1.0,
    Status.UNSUPPORTED: 0.5,
    Status.SLIP: 0.5,
}
NO_FAULT = frozenset({Status.RIGHT, Status.COARSE, Status.CARRIED, Status.UNSUPPORTED})
DEGENERATE = Cause("degenerate", None, wording.DEGENERATE)
NO_CAUSE = Cause()
RIGHT = wording.BY_STATUS[Status.RIGHT]


@dataclass(frozen=True, slots=True)
class Trace:
    """One trace as read: its givens worked out, a line for each step, and names of no step."""

    reference: Reference
    worked: Worked
    lines: Sequence[Line]
    surplus: Sequence[str]


@dataclass
class Findings:
    """What was found on the lines of a group, by step and row."""

    causes: dict[tuple[str, int], Cause] = field(default_factory=dict)
    notes: dict[tuple[str, int], str] = field(default_factory=dict)


def result_of(
    trace: Trace, row: int, statuses: Sequence[Status], findings: Findings
) -> dict[str, Any]:
    """Return the result of one trace of a group."""
    steps: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    credit = 0.0
    for step, line, status in zip(trace.reference.steps, trace.lines, statuses, strict=True):
        cause = findings.causes.get((step.name, row), NO_CAUSE)
        note = findings.notes.get((step.name, row), "")
        if status is Status.RIGHT and not note:
            message, break_ = RIGHT, None
        else:
            message = _message(trace, step, line, status, cause, note)
            break_ = Break.SHAPES if _is_of_shape(status, cause) else cause.break_
        word = status.value
        steps.append(
            {
                "name": step.name,
                "status": word,
                "read": None if status is Status.UNREADABLE else echo(line.typed),
                "break": break_,
                "cause": cause.name,
                "message": message,
            }
        )
        credit += CREDIT.get(status, 0.0)
        if status not in NO_FAULT and cause is not DEGENERATE:
            faults.append(
                {
                    "step": step.name,
                    "status": word,
                    "break": break_,
                    "cause": cause.name,
                    "message": message,
                }
            )
    result: dict[str, Any] = {
        "steps": steps,
        "first_break": faults[0] if faults else None,
        "faults": faults,
        "score": credit / (len(steps) + len(trace.surplus)),
    }
    if trace.surplus:
        result["surplus"] = list(trace.surplus[: wording.NAMED])
        result["message"] = wording.surplus(trace.surplus)
    return result


def echo(typed: Typed | None) -> object:
    """Return a value as read, in JSON: non-finite entries as text."""
    if typed is None:
        return None
    if math.isfinite(sum(typed.flat)):
        return _nested(typed.flat, typed.shape)
    return spelt(np.array(typed.flat).reshape(typed.shape))


def spelt(value: FloatArray) -> object:
    """Return an array in JSON: ``"nan"``, ``"inf"`` and ``"-inf"`` for what is not finite."""
    entries = value.ravel().tolist()
    return _nested([each if math.isfinite(each) else f"{each}" for each in entries], value.shape)


def _nested(entries: Sequence[object], shape: tuple[int, ...]) -> object:
    if not shape:
        return entries[0]
    if len(shape) == 1:
        return list(entries)
    size = math.prod(shape[1:])
    return [_nested(entries[row * size : (row + 1) * size], shape[1:]) for row in range(shape[0])]


def _is_of_shape(status: Status, cause: Cause) -> bool:
    return status is Status.SHAPE and cause.name is None


def _message(trace: Trace, step: Step, line: Line, status: Status, cause: Cause, note: str) -> str:
    if status is Status.MISSING and line.operation:
        return wording.MISSING_RESULT
    if cause.message:
        return cause.message + note
    if line.message or (status is Status.UNREADABLE and note):
        return line.message + note
    if status is Status.SHAPE and line.typed is not None:
        return wording.shape_seen(trace.worked.shapes[step.name], line.typed.shape) + note
    if status is Status.WRONG and not trace.reference.rests_on_steps(step.name):
        return wording.WRONG_FROM_GIVENS + note
    return wording.BY_STATUS[status] + note
