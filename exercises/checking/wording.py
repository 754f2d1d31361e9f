"""What learners are told about a line of a trace: what to look at, never the value."""

from collections.abc import Sequence

from exercises.checking.verdicts import Status

BY_STATUS = {
    Status.RIGHT: "Right.",
    Status.CARRIED: "This follows from your own earlier lines: the method holds, an earlier value "
    "is carried along.",
    Status.UNSUPPORTED: "The value is right, but it does not follow from the line that it rests "
    "on: show the preceding line.",
    Status.SLIP: "The operation is right, its result is not: compute the written operation again.",
    Status.COARSE: "Right as far as it goes: type more digits.",
    Status.WRONG: "This does not follow from the lines before it: look at the operation.",
    Status.SHAPE: "Another shape is asked for on this line: count the entries.",
    Status.UNIT: "This unit does not fit: look at what the line measures.",
    Status.UNREADABLE: "This could not be read as a value.",
    Status.MISSING: "Nothing is written on this line.",
}
WRONG_FROM_GIVENS = "This does not follow from the given values: look at the operation."
MISSING_RESULT = "The operation is written, its result is not."
NOT_FINITE = "Write a number: an infinite or undefined value does not follow from your lines."
DEGENERATE = (
    "This follows from an earlier line whose entries are all zero or all equal, and so shows "
    "nothing about the method: correct that line first."
)
OTHER_OPERATION = " The operation as written gives another value: look at it."
UNREAD_OPERATION = " The operation could not be read: {reason}"
TWO_MISTAKES = "This value fits more than one known mistake. {sentences}"

# How many surplus lines are named.
NAMED = 20

SIGNS = {
    "sign": "Look at the sign.",
    "order_of_magnitude": "Look at the order of magnitude: the digits are right, the power of ten "
    "is not.",
    "percent": "Look at the unit: this reads like a percentage where a fraction is asked for.",
    "permuted": "Look at the order of the entries: the values are right, their places are not.",
    "log_base": "Look at the base of the logarithm: the course writes the natural one.",
}


def shape_seen(expected: tuple[int, ...], seen: tuple[int, ...]) -> str:
    """Return what was asked for and what was read, as shapes."""
    return f"{_shape(expected).capitalize()} is asked for on this line; {_shape(seen)} was read."


def _shape(shape: tuple[int, ...]) -> str:
    if not shape:
        return "one number"
    if len(shape) == 1:
        entries = "entry" if shape[0] == 1 else "entries"
        return f"a list of {shape[0]} {entries}"
    return "an array of shape " + " × ".join(map(str, shape))


def surplus(names: Sequence[str]) -> str:
    """Return a sentence that names the lines which the exercise does not ask for."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"Lines that this exercise does not ask for: {', '.join(names[:NAMED])}{more}."
