"""One trace by itself: what ``statuses`` does for many, on plain numbers.

For a few numbers the arrays of a batch cost more than they save. The rules are those of
``statuses`` and ``following``, and a property test holds the two together; a trace that
is out of the ordinary (other shapes, values that are not finite, digits asked for, many
entries) is left to them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from exercises.checking.comparing import COARSE, RIGHT, WRONG, Target
from exercises.checking.lines import Line
from exercises.checking.reading import Typed
from exercises.checking.statuses import FARTHEST_BY_ROUNDING
from exercises.checking.steps import FloatArray, Mistake, Reference, Route, Step
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Status
from exercises.checking.worked import Worked

MOST_ENTRIES = 12

Floats = Sequence[float]


@dataclass(slots=True)
class Row:
    """What was found about one step of the trace; codes as in ``comparing``."""

    status: Status
    to_exact: int = WRONG
    own: int = WRONG
    eligible: int = WRONG
    is_good: bool = False
    is_degenerate: bool = False
    follows: list["Span"] = field(default_factory=list)

    @property
    def is_withheld(self) -> bool:
        """Whether it follows, but only from values that have lost their information."""
        return self.to_exact == WRONG and self.own != WRONG and self.eligible == WRONG


class Rowwise:
    """Judges the steps of one trace in order."""

    def __init__(
        self, worked: Worked, lines: Sequence[Line], tolerances: Mapping[str, Tolerance]
    ) -> None:
        self.reference: Reference = worked.reference
        self.worked = worked
        self.tolerances = tolerances
        self.targets = worked.targets(tolerances)
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
            if line.operation or (
                typed is not None
                and not (
                    typed.shape == shapes[step.name]
                    and len(typed.flat) <= MOST_ENTRIES
                    and all(map(math.isfinite, typed.flat))
                )
            ):
                return False
        return True

    def judge(self) -> dict[str, Row]:
        """Return what was found, by step."""
        for step, line in zip(self.reference.steps, self.lines, strict=True):
            if line.typed is None:
                self.rows[step.name] = Row(line.status or Status.MISSING)
                continue
            row = self._judge(step, line.typed)
            self.rows[step.name] = row
            self.typed[step.name] = line.typed
            if row.status is Status.WRONG and not row.is_withheld:
                row.status = self._look_again(step, line.typed)
        return self.rows

    def _judge(self, step: Step, typed: Typed) -> Row:
        target = self.targets[step.name]
        row = Row(Status.WRONG, to_exact=compare_row(typed, target))
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
            row.follows.append(found)
            code = self.compare(step, typed, found.nearest(typed.flat))
        row.own = min(row.own, code)
        if not any(self.rows[name].is_degenerate for name in names):
            row.eligible = min(row.eligible, code)

    def compare(self, step: Step, typed: Typed, near: Floats) -> int:
        """Compare a line with a value in the place of its exact one."""
        return compare_row(typed, Target(typed.shape, near, self.tolerances[step.name]))

    def reach(self, step: Step, route: Route, *, as_held: bool = False) -> "Span":
        """Return what a route gives on the own inputs, and how far they leave it open."""
        names = self.reference.inputs(step, route)
        arguments, corners = self.copies(names, as_held=as_held)
        return span(results_of(route, arguments), corners)

    def copies(
        self, names: Sequence[str], *, as_held: bool = False, with_exact: bool = False
    ) -> tuple[dict[str, FloatArray], int]:
        """Return copies of the own inputs beside all givens, and how many hold them whole."""
        corners = list(product(*(self._wholes(name, as_held=as_held) for name in names)))
        moved = {name: [corner[place] for corner in corners] for place, name in enumerate(names)}
        for name in names:
            if not self.rows[name].is_good and not self.tolerances[name].exact:
                self._move(name, moved)
        arguments = dict(self.worked.lifted)
        for name, table in moved.items():
            if with_exact:
                table.append(self.targets[name].flat)
            arguments[name] = np.array(table).reshape(len(table), *self.typed[name].shape)
        return arguments, len(corners)

    def _wholes(self, name: str, *, as_held: bool) -> list[Floats]:
        """Return a line's value and what else may have been meant in its stead."""
        typed = self.typed[name].flat
        if not self.rows[name].is_good:
            return [typed]
        others = [self.targets[name].flat, *(self._held(name) if as_held else ())]
        return [typed, *(other for other in others if other != typed)]

    def _held(self, name: str) -> Iterator[Floats]:
        """Give what follows from the own lines where the typed value is its rounding."""
        step, typed = self.reference.step(name), self.typed[name]
        for route in step.routes:
            names = self.reference.inputs(step, route)
            if names and all(each in self.typed for each in names):
                arguments = dict(self.worked.lifted)
                for each in names:
                    before = self.typed[each]
                    arguments[each] = np.array(before.flat).reshape(1, *before.shape)
                held = results_of(route, arguments).ravel().tolist()
                yield tuple(
                    value if abs(value - entry) <= half else entry
                    for value, entry, half in zip(held, typed.flat, typed.halves, strict=True)
                )

    def _look_again(self, step: Step, typed: Typed) -> Status:
        """Return the status of a faulty line when values are taken as held before rounding."""
        target = self.targets[step.name]
        off = max(abs(value - exact) for value, exact in zip(typed.flat, target.flat, strict=True))
        if off > FARTHEST_BY_ROUNDING * max(map(abs, target.flat)):
            return Status.WRONG
        for route in step.routes:
            if self._may_be_held(step, route):
                found = self.reach(step, route, as_held=True)
                code = self.compare(step, typed, found.nearest(typed.flat))
                if code != WRONG:
                    return Status.CARRIED if code == RIGHT else Status.COARSE
        return Status.WRONG

    def _may_be_held(self, step: Step, route: Route) -> bool:
        names = self.reference.inputs(step, route)
        return all(name in self.typed for name in names) and any(
            self.rows[name].is_good and self.reference.rests_on_steps(name) for name in names
        )

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
class Span:
    """A value and the interval around it, entry by entry."""

    value: Floats
    low: Floats
    high: Floats

    def nearest(self, typed: Floats) -> list[float]:
        """Return the point of the interval that lies nearest to what was typed."""
        return [
            low if entry < low or math.isnan(low) else min(entry, high)
            for entry, low, high in zip(typed, self.low, self.high, strict=True)
        ]


def results_of(rule: Route | Mistake, arguments: Mapping[str, FloatArray]) -> FloatArray:
    """Return what a route or a mistake gives; shape (copies, ...)."""
    with np.errstate(all="ignore"):
        return np.asarray(
            rule.function(*[arguments[name] for name in rule.parameters]), dtype=np.float64
        )


def span(found: FloatArray, corners: int) -> Span:
    """Return how far the results of a function on copies reach, entry by entry."""
    results: list[list[float]] = found.reshape(len(found), -1).tolist()
    value = results[0]
    if len(results) == 1:
        return Span(value, value, value)
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
    return Span(value, low, high)


def compare_row(typed: Typed, target: Target) -> int:
    """Return the code of a line's worst entry."""
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
