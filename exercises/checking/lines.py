"""Read what a learner typed on each line of a trace."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from exercises.checking.messages import message
from exercises.checking.reading import (
    BlankError,
    ReadingError,
    Typed,
    UnitError,
    read_array,
    read_number,
    read_quantity,
)
from exercises.checking.steps import Step
from exercises.checking.verdicts import Status

Decimal = Literal["auto", "point", "comma"]


class Line(NamedTuple):
    """One answer as read: a value, or the status and the message that reading gave."""

    typed: Typed | None
    status: Status | None = None
    message: str = ""
    operation: str = ""


NOT_TYPED = Line(None, Status.MISSING)


def read_line(step: Step, answer: object, decimal: Decimal) -> Line:
    """Read the answer to one step; no answer at all raises."""
    operation = ""
    if not isinstance(answer, str) and isinstance(answer, Mapping):
        operation, answer = _text(answer.get("operation")), answer.get("result")
    if answer is None:
        return Line(None, Status.MISSING, operation=operation)
    if not isinstance(answer, str):
        return Line(
            None, Status.UNREADABLE, "Write the answer as text: a number or an array.", operation
        )
    try:
        return Line(_read(step, answer, decimal), operation=operation)
    except BlankError:
        return Line(None, Status.MISSING, operation=operation)
    except UnitError as error:
        return Line(None, Status.UNIT, reason_of(error), operation)
    except ReadingError as error:
        return Line(None, Status.UNREADABLE, reason_of(error), operation)


def reason_of(error: ReadingError) -> str:
    """Return the sentence for a text that could not be read."""
    return message(error.code, error.params)


def _text(operation: object) -> str:
    return operation.strip() if isinstance(operation, str) else ""


def _read(step: Step, text: str, decimal: Decimal) -> Typed:
    if step.shape:
        return read_array(text, decimal=decimal, nonfinite=True)
    try:
        if step.unit is not None:
            return read_quantity(text, step.unit, decimal=decimal, bare=True)
        return read_number(text, decimal=decimal, nonfinite=True)
    except ReadingError:
        # More than one entry on the line of a number is a fault of shape, and says more.
        listed = _listed(text, decimal)
        if listed is None:
            raise
        return listed


def _listed(text: str, decimal: Decimal) -> Typed | None:
    try:
        typed = read_array(text, decimal=decimal, nonfinite=True)
    except ReadingError:
        return None
    return typed if len(typed.flat) > 1 or "[" in text else None
