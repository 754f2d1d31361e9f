"""One trace by itself: what ``statuses`` does for many, on plain numbers.

For a few numbers the arrays of a batch cost more than they save. The rules are those of
``statuses`` and ``following``, and a property test holds the two together; a trace that
is out of the ordinary (other shapes, values that are not finite, digits asked for, many
entries) is left to them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from exercises.checking.comparing import COARSE, RIGHT, WRONG, Target
from exercises.checking.following import Reach
from exercises.checking.lines import Line
from exercises.checking.reading import Typed
from exercises.checking.statuses import CODE, Group, Judged
from exercises.checking.steps import Mistake, Reference, Route, Step
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Status
from exercises.checking.worked import Worked

MOST_ENTRIES = 12

Floats = Sequence[float]


_NOT_READ = (Status.MISSING, Status.UNREADABLE, Status.UNIT)
_NOTHING = np.zeros(0, dtype=np.int8)
NOT_JUDGED = Judged(
    np.zeros(0, dtype=np.intp), _NOTHING, _NOTHING, _NOTHING, np.zeros(0, dtype=bool), []
)


@dataclass(slots=True)
class Row:
    """What was found about one step of the trace; codes as in ``comparing``."""

    status: Status
    to_exact: int = WRONG
    own: int = WRONG
    eligible: int = WRONG
    is_good: bool = False
    is_degenerate: bool = False
    follows: list[Reach] = field(default_factory=list)

    @property
    def is_withheld(self) -> bool:
        """Whether it follows, but only from values that have lost their information."""
        return self.to_exact == WRONG and self.own != WRONG and self.eligible == WRONG

    def judged(self) -> Judged:
        """Return the same as for a group of one."""
        if self.status in _NOT_READ:
            return NOT_JUDGED
        first = np.zeros(1, dtype=np.intp)
        exact, own, eligible = np.array(
            [[self.to_exact], [self.own], [self.eligible]], dtype=np.int8
        )
        follows = [(first, reach) for reach in self.follows]
        return Judged(first, exact, own, eligible, np.array([self.is_withheld]), follows)

    def enter(self, group: Group, step: str) -> None:
        """Write the findings into a group of one."""
        group.status[step] = np.array([CODE[self.status]], dtype=np.int8)
        group.is_good[step] = np.array([self.is_good])
        group.is_degenerate[step] = np.array([self.is_degenerate])


class Rowwise:
    """Judges the steps of one trace in order."""

    def __init__(
        self, worked: Worked, lines: Sequence[Line], tolerances: Mapping[str, Tolerance]
    ) -> None:
        self.reference: Reference = worked.reference
        self.worked = worked
        self.tolerances = tolerances
        self.targets = {
            step.name: worked.target(step.name, tolerances[step.name])
            for step in worked.reference.steps
        }
        self.typed: dict[str, Typed] = {}
        self.rows: dict[str, Row] = {}
        self.lines = lines

    def is_ordinary(self) -> bool:
        """Whether every line that was read is of the kind that is judged here."""
        shapes = self.worked.shapes
        for step, line in zip(self.reference.steps, self.lines, strict=True):
            rule = self.tolerances[step.name]
            if rule.decimals is not None or rule.sigfigs is not None:
                return False
            typed = line.typed
            if typed is not None and not (
                typed.shape == shapes[step.name]
                and len(typed.flat) <= MOST_ENTRIES
                and all(map(math.isfinite, typed.flat))
            ):
                return False
        return True

    def judge(self) -> dict[str, Row]:
        """Return what was found, by step."""
        for step, line in zip(self.reference.steps, self.lines, strict=True):
            if line.typed is None:
                self.rows[step.name] = Row(line.status or Status.MISSING)
                continue
            self.rows[step.name] = self._judge(step, line.typed)
            self.typed[step.name] = line.typed
        return self.rows

    def _judge(self, step: Step, typed: Typed) -> Row:
        target = self.targets[step.name]
        row = Row(Status.WRONG, to_exact=_code(typed, target))
        for route in step.routes:
            self._follow(step, route, typed, row)
        row.status = _status(row)
        row.is_good = row.status is Status.RIGHT or (
            row.status is Status.COARSE and row.to_exact == COARSE
        )
        row.is_degenerate = not row.is_good and _is_degenerate(typed.flat, target.flat)
        return row

    def _follow(self, step: Step, route: Route, typed: Typed, row: Row) -> None:
        names = self.reference.inputs(step, route)
        if not names:
            row.own, row.eligible = min(row.own, row.to_exact), min(row.eligible, row.to_exact)
            return
        if any(name not in self.typed for name in names):
            return
        code = WRONG
        is_good = all(self.rows[name].is_good for name in names)
        if is_good and row.to_exact == RIGHT:
            code = RIGHT
        elif row.eligible != RIGHT:
            found = self.reach(step, route)
            row.follows.append(_as_reach(found, typed.shape))
            near = Target(typed.shape, found.nearest(typed.flat), self.tolerances[step.name])
            code = _code(typed, near)
        row.own = min(row.own, code)
        if not any(self.rows[name].is_degenerate for name in names):
            row.eligible = min(row.eligible, code)

    def reach(self, step: Step, rule: Route | Mistake) -> "_Span":
        """Return what a route gives on the own inputs, and how far they leave it open."""
        names = self.reference.inputs(step, rule)
        replaced = [
            name
            for name in names
            if self.rows[name].is_good and self.typed[name].flat != self.targets[name].flat
        ]
        corners = list(product((False, True), repeat=len(replaced)))
        moved: dict[str, list[Floats]] = {
            name: [
                self.targets[name].flat
                if name in replaced and corner[replaced.index(name)]
                else self.typed[name].flat
                for corner in corners
            ]
            for name in names
        }
        for name in names:
            if not self.rows[name].is_good and not self.tolerances[name].exact:
                self._move(name, moved)
        arguments = dict(self.worked.lifted)
        for name, table in moved.items():
            arguments[name] = np.array(table).reshape(len(table), *self.typed[name].shape)
        with np.errstate(all="ignore"):
            results = np.asarray(
                rule.function(*[arguments[name] for name in rule.parameters]), dtype=np.float64
            )
        return _span(results.reshape(len(moved[names[0]]), -1).tolist(), len(corners))

    def _move(self, name: str, moved: Mapping[str, list[Floats]]) -> None:
        """Add copies in which one entry of a line sits at either end of its digits."""
        values, halves = self.typed[name].flat, self.typed[name].halves
        for entry, (value, half) in enumerate(zip(values, halves, strict=True)):
            if not half:
                continue
            before, after = values[:entry], values[entry + 1 :]
            for other, table in moved.items():
                if other == name:
                    table.append((*before, value - half, *after))
                    table.append((*before, value + half, *after))
                else:
                    table.extend([table[0]] * 2)


@dataclass(slots=True)
class _Span:
    """A value and the interval around it, entry by entry."""

    value: Floats
    low: Floats
    high: Floats

    def nearest(self, typed: Floats) -> list[float]:
        return [
            low if entry < low or math.isnan(low) else min(entry, high)
            for entry, low, high in zip(typed, self.low, self.high, strict=True)
        ]


def _as_reach(found: _Span, shape: tuple[int, ...]) -> Reach:
    return Reach(
        *(np.array(each).reshape(1, *shape) for each in (found.value, found.low, found.high))
    )


def _span(results: list[list[float]], corners: int) -> _Span:
    value = results[0]
    if len(results) == 1:
        return _Span(value, value, value)
    low, high = list(value), list(value)
    for entry, center in enumerate(value):
        column = [result[entry] for result in results]
        if not all(map(math.isfinite, column)):
            met = [each for each in column if not math.isnan(each)]
            low[entry], high[entry] = min(met, default=math.nan), max(met, default=math.nan)
            continue
        up = down = 0.0
        ends = column[corners:]
        for one, other in zip(ends[0::2], ends[1::2], strict=True):
            up += max(one - center, other - center, 0.0)
            down += min(one - center, other - center, 0.0)
        low[entry], high[entry] = min(column[:corners]) + down, max(column[:corners]) + up
    return _Span(value, low, high)


def _code(typed: Typed, target: Target) -> int:
    if target.tolerance.exact:
        return RIGHT if typed.flat == target.flat else WRONG
    return max(map(target.code, typed.flat, typed.halves, target.flat))


def _status(row: Row) -> Status:
    if row.to_exact == RIGHT:
        return Status.RIGHT if row.own == RIGHT else Status.UNSUPPORTED
    if row.eligible == RIGHT:
        return Status.CARRIED
    if COARSE in (row.to_exact, row.eligible):
        return Status.COARSE
    return Status.WRONG


def _is_degenerate(values: Floats, exact: Floats) -> bool:
    if not any(values) and any(exact):
        return True
    first = exact[0]
    return (
        len(values) > 1
        and all(value == values[0] for value in values)
        and any(abs(each - first) > 1e-12 * abs(first) for each in exact)
    )
