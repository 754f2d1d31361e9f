"""Traces of one reference whose givens and answers have the same shapes, as arrays.

Arrays have one leading axis of n traces.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from exercises.checking.comparing import judge
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
            names = self.reference.inputs(step, route)
            if names and usable.any() and self.is_regular(names):
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
