"""The status of every step of many traces at once.

All traces of a group answer the same reference with values of the same shapes; arrays
have one leading axis of n traces. A step is judged by two questions: does it agree with
the exact value (*exact*), and with what follows from the learner's own inputs (*own*)?
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from exercises.checking.comparing import COARSE, RIGHT, WRONG, judge
from exercises.checking.following import Copies, Open, Reach, copies_of
from exercises.checking.steps import FloatArray, Mistake, Reference, Route, Step
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Status

Mask = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]
Rows = npt.NDArray[np.intp]

STATUSES = tuple(Status)
CODE = {status: np.int8(code) for code, status in enumerate(STATUSES)}
PENDING = np.int8(-1)

# What is a fault until something speaks for it.
OPEN = (Status.WRONG, Status.SHAPE)
_IS_OPEN = np.array([status in OPEN for status in STATUSES])

# Rounding moves a result by less than this share of it, or the step is beyond help.
FARTHEST_BY_ROUNDING = 0.25


@dataclass
class Column:
    """What n learners typed on one line.

    Attributes
    ----------
    value, half : array of float64, shape (n, *shape)
        Values and half units of the last typed digits; NaN and 0 where nothing was read.
    status : array of int8, shape (n,)
        ``PENDING`` where a value was read, else the code of the status that reading gave.
    """

    value: FloatArray
    half: FloatArray
    status: Codes

    def __post_init__(self) -> None:
        self.is_read: Mask = self.status == PENDING


@dataclass
class Group:
    """Traces of one reference whose givens and answers have the same shapes."""

    reference: Reference
    given: Mapping[str, FloatArray]
    tolerances: Mapping[str, Tolerance]
    columns: Mapping[str, Column]
    exact: Mapping[str, FloatArray]
    status: dict[str, Codes] = field(default_factory=dict)
    is_good: dict[str, Mask] = field(default_factory=dict)
    is_degenerate: dict[str, Mask] = field(default_factory=dict)

    def rows_of(self, arrays: Mapping[str, FloatArray], rows: Rows) -> Mapping[str, FloatArray]:
        """Return the chosen rows of each array."""
        if all(len(array) == len(rows) for array in arrays.values()):
            return arrays
        return {name: array[rows] for name, array in arrays.items()}

    def judge(self, step: Step, value: FloatArray, half: FloatArray, near: FloatArray) -> Codes:
        """Compare values (n, *shape) with references by the step's tolerance; shape (n,)."""
        return self.compare(step, value, half, near, entry_axes=value.ndim - 1)

    def compare(
        self,
        step: Step,
        value: FloatArray,
        half: FloatArray,
        near: FloatArray,
        *,
        entry_axes: int,
    ) -> Codes:
        """Compare values with references; the trailing axes hold the entries of one value."""
        return judge(value, half, near, self.tolerances[step.name], entry_axes=entry_axes)

    def usable(self, step: Step, rule: Route | Mistake, rows: Rows) -> Mask:
        """Return where every earlier step that the rule rests on was read."""
        usable = np.ones(len(rows), dtype=bool)
        for name in self.reference.inputs(step, rule):
            usable &= self.columns[name].is_read[rows]
        return usable

    def opened(self, name: str, rows: Rows, *, as_held: bool = False) -> Open:
        """Return a learner's values with what each may stand for.

        After a right or coarse value that is also the exact one (and, ``as_held``, the own
        value before it was rounded); after any other, half a unit of the last digit to both
        sides. A value that is compared exactly, such as a count, leaves nothing open.
        """
        column = self.columns[name]
        value, half, exact = column.value[rows], column.half[rows], self.exact[name][rows]
        if self.tolerances[name].exact:
            half = np.zeros_like(half)
        good = self.is_good[name][rows]
        if not good.any() or value.shape != exact.shape:
            return Open(value, (), half)
        good = good.reshape(good.shape + (1,) * (value.ndim - 1))
        others = [exact, *self._held(name, rows)] if as_held else [exact]
        meant = tuple(np.where(good, other, value) for other in others)
        return Open(value, meant, np.where(good, 0.0, half))

    def _held(self, name: str, rows: Rows) -> Iterator[FloatArray]:
        """Give what follows from the own lines where the typed value is its rounding."""
        step, column = self.reference.step(name), self.columns[name]
        value, half = column.value[rows], column.half[rows]
        for route in step.routes:
            usable = self.usable(step, route, rows)
            if self.reference.inputs(step, route) and usable.any() and self._fits(step, route):
                arrays = {each: other.value[rows] for each, other in self.columns.items()}
                with np.errstate(all="ignore"):
                    held = self.reference.call(step, route, self.rows_of(self.given, rows), arrays)
                yield np.where(np.abs(held - value) <= half, held, value)

    def copies(
        self,
        names: tuple[str, ...],
        rows: Rows,
        *,
        as_held: bool = False,
        with_exact: bool = False,
    ) -> Copies:
        """Return the learners' own inputs as far as they are open, and all givens."""
        inputs = {name: self.opened(name, rows, as_held=as_held) for name in names}
        hidden = {name for name in names if name in self.given}
        given = {
            name: array
            for name, array in self.rows_of(self.given, rows).items()
            if name not in hidden
        }
        exact = self.rows_of(self.exact, rows) if with_exact else None
        return copies_of(inputs, given, exact)

    def results(self, step: Step, rule: Route | Mistake, copies: Copies) -> FloatArray | None:
        """Return what a route or a mistake gives on the copies; None where shapes clash."""
        names = self.reference.inputs(step, rule)
        is_regular = self.is_regular(names)
        if not is_regular and not self._fits(step, rule):
            return None
        arguments = [copies.arguments[name] for name in rule.parameters]
        with np.errstate(all="ignore"):
            try:
                return np.asarray(rule.function(*arguments), dtype=np.float64)
            except (IndexError, ValueError):
                if is_regular:
                    raise
                return None

    def follow(
        self, step: Step, rule: Route | Mistake, rows: Rows, *, as_held: bool = False
    ) -> Reach | None:
        """Return what a route gives on the learners' own inputs, and how far they are open."""
        copies = self.copies(self.reference.inputs(step, rule), rows, as_held=as_held)
        results = self.results(step, rule, copies)
        return None if results is None else copies.span(results)

    def is_regular(self, names: Iterable[str]) -> bool:
        """Whether what was typed on these lines has the shapes that were asked for."""
        return all(self.columns[name].value.shape == self.exact[name].shape for name in names)

    def _fits(self, step: Step, rule: Route | Mistake) -> bool:
        """Whether the sizes of equally named axes agree: nothing is ever broadcast."""
        sizes: dict[str, int] = {}
        axes = {given.name: given.shape for given in self.reference.givens}
        for parameter in rule.parameters:
            if self.reference.sources[step.name][parameter].is_step:
                named = self.reference.step(parameter).shape
                shape = self.columns[parameter].value.shape[1:]
            else:
                named, shape = axes[parameter], self.given[parameter].shape[1:]
            if len(named) != len(shape):
                return False
            for axis, size in zip(named, shape, strict=True):
                if sizes.setdefault(axis, size) != size:
                    return False
        return True


@dataclass
class Judged:
    """How the rows of one step compare; arrays of shape (rows,)."""

    rows: Rows
    exact: Codes
    own: Codes
    own_eligible: Codes
    is_withheld: Mask
    follows: list[tuple[Rows, Reach]]


def judge_step(group: Group, step: Step) -> Judged:
    """Compare one step of every trace with the exact and with the own value, and note both."""
    column, exact = group.columns[step.name], group.exact[step.name]
    rows = np.flatnonzero(column.is_read)
    value, half = column.value[rows], column.half[rows]
    fits = column.value.shape == exact.shape
    if fits:
        to_exact = group.judge(step, value, half, exact[rows])
    else:
        to_exact = np.full(len(rows), WRONG, dtype=np.int8)
    judged = _own(group, step, rows, to_exact)
    status = column.status.copy()
    status[rows] = _statuses(judged, fits=fits)
    group.status[step.name] = status
    good = np.zeros(len(status), dtype=bool)
    good[rows] = (status[rows] == CODE[Status.RIGHT]) | (
        (status[rows] == CODE[Status.COARSE]) & (to_exact == COARSE)
    )
    group.is_good[step.name] = good
    group.is_degenerate[step.name] = (
        ~good if good.all() else _degenerate(column.value, exact) & ~good
    )
    return judged


def _statuses(judged: Judged, *, fits: bool) -> Codes:
    exact, own = judged.exact == RIGHT, judged.own == RIGHT
    status = np.full(len(judged.rows), CODE[Status.WRONG if fits else Status.SHAPE])
    status[judged.is_withheld] = CODE[Status.WRONG]
    status[(judged.exact == COARSE) | (judged.own_eligible == COARSE)] = CODE[Status.COARSE]
    status[exact & ~own] = CODE[Status.UNSUPPORTED]
    status[~exact & (judged.own_eligible == RIGHT)] = CODE[Status.CARRIED]
    status[exact & own] = CODE[Status.RIGHT]
    return status


def _own(group: Group, step: Step, rows: Rows, to_exact: Codes) -> Judged:
    column = group.columns[step.name]
    own = np.full(len(rows), WRONG, dtype=np.int8)
    eligible = own.copy()
    follows: list[tuple[Rows, Reach]] = []
    for route in step.routes:
        names = group.reference.inputs(step, route)
        if not names:
            own, eligible = np.minimum(own, to_exact), np.minimum(eligible, to_exact)
            continue
        code = np.full(len(rows), WRONG, dtype=np.int8)
        usable = group.usable(step, route, rows)
        settled = usable & (to_exact == RIGHT)
        for name in names:
            settled &= group.is_good[name][rows]
        code[settled] = RIGHT
        need = np.flatnonzero(usable & ~settled & (eligible != RIGHT))
        if need.size:
            found = group.follow(step, route, rows[need])
            if found is not None:
                follows.append((rows[need], found))
                value = column.value[rows[need]]
                if value.shape == found.value.shape:
                    code[need] = group.judge(
                        step, value, column.half[rows[need]], found.nearest(value)
                    )
        own = np.minimum(own, code)
        for name in names:
            code = np.where(group.is_degenerate[name][rows], np.int8(WRONG), code)
        eligible = np.minimum(eligible, code)
    withheld = (to_exact != RIGHT) & (own != WRONG) & (eligible == WRONG) & (to_exact != COARSE)
    return Judged(rows, to_exact, own, eligible, withheld, follows)


def look_again(group: Group, step: Step, rows: Rows) -> Rows:
    """Return those faulty rows that follow from values as they were held before rounding.

    Somebody who goes on with a calculator's digits, having begun from what is on paper,
    uses neither the typed nor the exact value of the line before.
    """
    column, exact = group.columns[step.name], group.exact[step.name]
    if column.value.shape != exact.shape:
        return rows
    axes = tuple(range(1, exact.ndim))
    off = np.abs(column.value[rows] - exact[rows]).max(axis=axes)
    near = off <= FARTHEST_BY_ROUNDING * np.abs(exact[rows]).max(axis=axes)
    for route in step.routes if near.any() else ():
        chosen = rows[_may_be_held(group, step, route, rows) & near]
        if not chosen.size:
            continue
        found = group.follow(step, route, chosen, as_held=True)
        value = column.value[chosen]
        if found is None or value.shape != found.value.shape:
            continue
        code = group.judge(step, value, column.half[chosen], found.nearest(value))
        group.status[step.name][chosen[code == RIGHT]] = CODE[Status.CARRIED]
        group.status[step.name][chosen[code == COARSE]] = CODE[Status.COARSE]
        left = ~np.isin(rows, chosen[code != WRONG])
        rows, near = rows[left], near[left]
    return rows


def _may_be_held(group: Group, step: Step, route: Route, rows: Rows) -> Mask:
    """Where some input is right or coarse and itself follows from lines before it."""
    reference, may_be = group.reference, np.zeros(len(rows), dtype=bool)
    for name in reference.inputs(step, route):
        if reference.rests_on_steps(name):
            may_be |= group.is_good[name][rows]
    return may_be & group.usable(step, route, rows)


def is_open(status: Codes) -> Mask:
    """Where a status is a fault until something speaks for it."""
    return np.asarray(_IS_OPEN[status])


def _degenerate(value: FloatArray, exact: FloatArray) -> Mask:
    """Where a value has lost the information that the exact one holds.

    All zero where the exact value is not, or two entries or more that are all equal
    where the exact ones are not.
    """
    if not value.size:
        return np.zeros(len(value), dtype=bool)
    value, exact = value.reshape(len(value), -1), exact.reshape(len(exact), -1)
    zero = (value == 0).all(axis=1) & (exact != 0).any(axis=1)
    if value.shape[1] < 2 or exact.shape[1] < 2:  # noqa: PLR2004 - two entries or more
        return np.asarray(zero)
    equal = (value == value[:, :1]).all(axis=1) | np.isnan(value).all(axis=1)
    differ = np.abs(exact - exact[:, :1]) > 1e-12 * np.abs(exact[:, :1])
    return np.asarray(zero | (equal & differ.any(axis=1)))
