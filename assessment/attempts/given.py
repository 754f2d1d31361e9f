"""Given values as they are written for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assessment.attempts.models import Case

# Whole floats below it are written without an exponent and without losing a digit.
_LARGEST_PLAIN = 1e15


@dataclass(frozen=True)
class Value:
    """One given value; ``before`` is what it was where the variation changed it."""

    name: str
    text: str
    before: str = ""


def shown_values(case: Case) -> list[Value]:
    """Return the values that this learner has been shown so far."""
    shown = case.shown()
    return [
        Value(
            name,
            written(value),
            written(case.given[name]) if _is_changed(case, name, value) else "",
        )
        for name, value in shown.items()
    ]


def values(given: Mapping[str, Any]) -> list[Value]:
    """Return the values that a submission was judged on."""
    return [Value(name, written(value)) for name, value in given.items()]


def written(value: object) -> str:
    """Return a value as a learner would write it; arrays in brackets, with points and commas."""
    if isinstance(value, list):
        return f"[{', '.join(written(entry) for entry in value)}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return str(value)


def _is_changed(case: Case, name: str, value: object) -> bool:
    return name in case.given and case.given[name] != value
