"""Why one line is wrong: what ``breaks`` does for many, on plain numbers."""

import math
from collections.abc import Iterator

import numpy as np

from exercises.checking.breaks import (
    AS_TYPED,
    LARGEST_POWER_OF_TEN,
    LEFT_OPEN,
    LOG_BASES,
    NOT_AT_ALL,
    PERCENT,
    ROUNDED,
    WITHIN_TOLERANCE,
    Cause,
    cause_of_sign,
    named,
)
from exercises.checking.comparing import COARSE, RIGHT
from exercises.checking.reading import Typed
from exercises.checking.rowwise import Floats, Rowwise, Span, results_of, span
from exercises.checking.steps import FloatArray, Mistake, Step

_FITS_BY_CODE = (WITHIN_TOLERANCE, ROUNDED, NOT_AT_ALL)


def cause_of(rowwise: Rowwise, step: Step, typed: Typed) -> Cause:
    """Return the cause of a faulty line, as far as the numbers tell."""
    fits = [NOT_AT_ALL] * len(step.mistakes)
    for place, near, is_open in _candidates(rowwise, step, typed):
        fits[place] = min(fits[place], _fit(rowwise, step, typed, near, is_open=is_open))
    known = named(step, fits)
    if known is not None:
        return known
    bases = [followed.value for followed in rowwise.rows[step.name].follows]
    bases.append(rowwise.targets[step.name].flat)
    for base in bases:
        sign = _sign(rowwise, step, typed, base)
        if sign:
            return cause_of_sign(sign)
    return Cause()


def _candidates(rowwise: Rowwise, step: Step, typed: Typed) -> Iterator[tuple[int, Floats, bool]]:
    """Give place, values, and whether they are only what typed digits leave open."""
    by_inputs: dict[tuple[str, ...], list[int]] = {}
    for place, mistake in enumerate(step.mistakes):
        by_inputs.setdefault(rowwise.reference.inputs(step, mistake), []).append(place)
    size = len(typed.flat)
    for names, places in by_inputs.items():
        if not names or any(name not in rowwise.typed for name in names):
            exact = {**rowwise.worked.lifted, **{n: rowwise.worked.exact[n] for n in names}}
            for place in places:
                values = _flat(step.mistakes[place], results_of(step.mistakes[place], exact))[0]
                yield from ((place, near, False) for near in _split(values, size))
            continue
        arguments, corners = rowwise.copies(names, with_exact=True)
        for place in places:
            results = _flat(step.mistakes[place], results_of(step.mistakes[place], arguments))
            found = span(results[:-1], corners)
            yield from ((place, near, False) for near in _split(results[-1], size))
            for value, low, high in zip(
                *(_split(each, size) for each in (found.value, found.low, found.high)), strict=True
            ):
                yield place, value, False
                yield place, Span(value, low, high).nearest(typed.flat), True


def _flat(mistake: Mistake, results: FloatArray) -> FloatArray:
    """Return results with the entries of each value together; shape (copies, K·entries)."""
    values = np.moveaxis(results, -1, 1) if mistake.several else results
    return values.reshape(len(values), -1)


def _split(values: Floats, size: int) -> Iterator[Floats]:
    """Give each of the values that a mistake may have, where it is there at all."""
    if len(values) == size:
        yield values
        return
    for start in range(0, len(values), size):
        each = values[start : start + size]
        if not any(map(math.isnan, each)):
            yield each


def _fit(rowwise: Rowwise, step: Step, typed: Typed, near: Floats, *, is_open: bool) -> int:
    code = rowwise.compare(step, typed, near)
    if code != RIGHT:
        return _FITS_BY_CODE[code]
    if is_open:
        return LEFT_OPEN
    is_as_typed = all(
        abs(value - other) <= half * (1 + 1e-9) + 1e-12 * abs(other)
        for value, half, other in zip(typed.flat, typed.halves, near, strict=True)
    )
    return AS_TYPED if is_as_typed else WITHIN_TOLERANCE


def _sign(rowwise: Rowwise, step: Step, typed: Typed, base: Floats) -> str:
    """Return the generic sign of a mistake, or an empty text."""
    size = max(map(abs, base))
    if not 0 < size < math.inf:
        return ""

    def fits(near: Floats, worst: int = RIGHT) -> bool:
        return rowwise.compare(step, typed, near) <= worst

    if fits([-entry for entry in base], COARSE):
        return "sign"
    power = _power(max(map(abs, typed.flat)), size)
    if power and fits([entry * 10.0**power for entry in base]):
        is_fraction = size <= 1 and step.unit is None and not step.is_count
        return "percent" if power == PERCENT and is_fraction else "order_of_magnitude"
    if len(base) > 1 and _is_permuted(rowwise, step, typed, base):
        return "permuted"
    if step.is_logarithm and any(
        fits([entry / math.log(log_base) for entry in base]) for log_base in LOG_BASES
    ):
        return "log_base"
    return ""


def _power(largest: float, size: float) -> float:
    if not largest:
        return 0.0
    power = float(np.rint(np.log10(largest / size)))
    return power if abs(power) <= LARGEST_POWER_OF_TEN else 0.0


def _is_permuted(rowwise: Rowwise, step: Step, typed: Typed, base: Floats) -> bool:
    order = sorted(range(len(base)), key=typed.flat.__getitem__)
    in_order = Typed(
        typed.shape,
        tuple(typed.flat[place] for place in order),
        tuple(typed.halves[place] for place in order),
        typed.plain,
    )
    return rowwise.compare(step, in_order, sorted(base)) == RIGHT
