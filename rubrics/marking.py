"""From findings to proposed points: exact decimals, and a person decides.

Nothing here knows a database or a clock. A criterion's kind of evidence says what can speak to it:

``trace``
    points × credit / steps, to the nearest hundredth, half a hundredth up. A step's credit is one
    where it is right, coarse or carried, a half where it is unsupported or a slip, else nothing. A
    step that a track gave to the learner counts among the steps and has no credit.
``prediction``
    all points where a prediction was stored before the variation was shown, else none.
``shapes``, ``interpretation``, ``limitation``, ``text``
    no proposal: what is written is for a person, and so is the blank.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import TypedDict

_WHOLE = frozenset({"right", "coarse", "carried"})
_HALF = frozenset({"unsupported", "slip"})


class StepFinding(TypedDict):
    """What marking needs of a step of the engine's trace."""

    name: str
    status: str


class Reason(StrEnum):
    """Why so many points are proposed, or none; sentences for people live in templates."""

    TRACE = "trace"
    NO_TRACE = "no_trace"
    PREDICTED = "predicted"
    NOT_PREDICTED = "not_predicted"
    FOR_A_PERSON = "for_a_person"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion to mark: the caller's own ``key``, its points, its kind of evidence."""

    key: str
    points: Decimal
    evidence: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one answer shows.

    Attributes
    ----------
    steps
        The engine's steps, in order; empty where there is no trace.
    is_predicted
        Whether a prediction was stored before the variation was shown.
    written
        The kinds of written evidence that hold a text.
    given_steps
        Names of steps that a track gave to the learner.
    """

    steps: Sequence[StepFinding] = ()
    is_predicted: bool = False
    written: Collection[str] = ()
    given_steps: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """Points proposed for one criterion; ``points`` is None where only a person can say.

    ``credit`` of ``steps`` is what a proposal from a trace rests on; ``given`` names the steps that
    earn nothing because a track gave them.
    """

    key: str
    maximum: Decimal
    points: Decimal | None
    reason: Reason
    credit: Fraction = Fraction(0)
    steps: int = 0
    given: tuple[str, ...] = field(default=())


def propose(criteria: Iterable[Criterion], evidence: Evidence) -> tuple[Proposal, ...]:
    """Return one proposal for each criterion, in order."""
    return tuple(_propose(criterion, evidence) for criterion in criteria)


def total(points: Iterable[Decimal | None]) -> Decimal:
    """Return the exact sum of points; what nobody has scored yet adds nothing."""
    return sum((each for each in points if each is not None), Decimal(0))


def trace_credit(
    steps: Iterable[StepFinding], given_steps: Collection[str] = ()
) -> tuple[Fraction, int]:
    """Return the credit of a trace, and the number of its steps."""
    credits_ = [_credit(step, given_steps) for step in steps]
    return sum(credits_, Fraction(0)), len(credits_)


def _credit(step: StepFinding, given_steps: Collection[str]) -> Fraction:
    if step["name"] in given_steps:
        return Fraction(0)
    if step["status"] in _WHOLE:
        return Fraction(1)
    return Fraction(1, 2) if step["status"] in _HALF else Fraction(0)


def _propose(criterion: Criterion, evidence: Evidence) -> Proposal:
    key, maximum = criterion.key, criterion.points
    if criterion.evidence == "prediction":
        reason = Reason.PREDICTED if evidence.is_predicted else Reason.NOT_PREDICTED
        return Proposal(key, maximum, maximum if evidence.is_predicted else Decimal(0), reason)
    if criterion.evidence != "trace":
        is_written = criterion.evidence in evidence.written
        return Proposal(key, maximum, None, Reason.FOR_A_PERSON if is_written else Reason.BLANK)
    credit, count = trace_credit(evidence.steps, evidence.given_steps)
    if count == 0:
        return Proposal(key, maximum, None, Reason.NO_TRACE)
    points = _quantised(Fraction(maximum) * credit / count)
    given = tuple(step["name"] for step in evidence.steps if step["name"] in evidence.given_steps)
    return Proposal(key, maximum, points, Reason.TRACE, credit, count, given)


def _quantised(points: Fraction) -> Decimal:
    """Return the nearest hundredth; exactly half a hundredth goes up."""
    return Decimal(math.floor(points * 100 + Fraction(1, 2))).scaleb(-2)


def as_json(proposals: Iterable[Proposal]) -> dict[str, Mapping[str, object]]:
    """Return proposals by key as JSON, points as exact strings."""
    return {
        each.key: {
            "points": None if each.points is None else f"{each.points:f}",
            "maximum": f"{each.maximum:f}",
            "reason": each.reason.value,
            "credit": str(each.credit),
            "steps": each.steps,
            "given": list(each.given),
        }
        for each in proposals
    }
