"""Whether known mistakes can be told, on given values, from the right ones and each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from exercises.checking.batches import tolerances_of
from exercises.checking.comparing import WRONG, judge
from exercises.checking.groups import Mask
from exercises.checking.steps import Arrays, FloatArray, Mistake, Reference, Step
from exercises.checking.tolerance import Tolerance

# Three digits are the fewest that count; the value itself stands for all digits.
DIGITS = (3, 4, 5, 6)


@dataclass(frozen=True)
class Discrimination:
    """Of n draws: where each reason speaks against it, and each mistake's margin."""

    against: dict[str, Mask]
    margins: dict[tuple[str, str], FloatArray]

    def reasons(self, row: int) -> tuple[str, ...]:
        """Return what speaks against one draw."""
        return tuple(reason for reason, is_so in self.against.items() if is_so[row])


@dataclass(frozen=True)
class _Values:
    """What a mistake gives, and where it gives something; shapes (n, K, *shape), (n, K)."""

    value: FloatArray
    gives: Mask


def discriminate(
    reference: Reference, given: Arrays, tolerances: Mapping[str, Tolerance] | None
) -> Discrimination:
    """Compare every known mistake with the right value and with each other.

    ``given`` holds n draws of the same shapes, stacked on a leading axis.
    """
    exact = reference.exact_values(given)
    rules = tolerances_of(reference, tolerances)
    against: dict[str, Mask] = {}
    margins: dict[tuple[str, str], FloatArray] = {}
    for step in reference.steps:
        rule = rules[step.name]
        value = exact[step.name][:, None]
        right = _Values(value, np.ones(value.shape[:2], dtype=bool))
        found = [(each, _values(reference, step, each, given, exact)) for each in step.mistakes]
        for mistake, values in found:
            key, reason = (
                (step.name, mistake.name),
                f"{step.name}: {mistake.name} would pass for right",
            )
            margin, alike = _margin(values, right), _alike(values, right, rule)
            margins[key] = np.minimum(margins.get(key, margin), margin)
            against[reason] = against.get(reason, alike) | alike
        for (one, values), (other, others) in combinations(found, 2):
            if one.break_ is not other.break_:
                reason = f"{step.name}: {one.name} and {other.name} coincide"
                alike = _alike(values, others, rule)
                against[reason] = against.get(reason, alike) | alike
    return Discrimination(against, margins)


def _values(
    reference: Reference, step: Step, mistake: Mistake, given: Arrays, exact: Arrays
) -> _Values:
    with np.errstate(all="ignore"):
        value = reference.call(step, mistake, given, exact)
    value = np.moveaxis(value, -1, 1) if mistake.several else value[:, None]
    gives: Mask = np.ones(value.shape[:2], dtype=bool)
    if mistake.several:
        gives = np.asarray(~np.isnan(value).reshape(*value.shape[:2], -1).any(axis=2))
    return _Values(value, gives)


def _margin(values: _Values, right: _Values) -> FloatArray:
    """Return the distance to the right value by its scale, of the nearest of K; shape (n,)."""
    axes = tuple(range(2, values.value.ndim))
    with np.errstate(all="ignore"):
        off = np.asarray(np.abs(values.value - right.value).max(axis=axes))
        scale = np.asarray(np.abs(right.value).max(axis=axes))
        share = np.where(off == 0, 0.0, off / scale)
    margin = np.where(values.gives & ~np.isnan(share), share, np.inf)
    return np.asarray(margin.min(axis=1))


def _alike(one: _Values, other: _Values, rule: Tolerance) -> Mask:
    """Whether two values, typed to three digits or more, could be taken for one another."""
    first, second = one.value[:, :, None], other.value[:, None]
    alike = _passes(first, second, rule) | _passes(second, first, rule)
    alike &= one.gives[:, :, None] & other.gives[:, None]
    return np.asarray(alike.any(axis=(1, 2)))


def _passes(value: FloatArray, reference: FloatArray, rule: Tolerance) -> Mask:
    digits = () if rule.exact else DIGITS
    forms = [(value, np.zeros_like(value)), *(typed_to(value, each) for each in digits)]
    typed, half = (np.stack(each) for each in zip(*forms, strict=True))
    codes = judge(typed, half, reference, rule, entry_axes=value.ndim - 3)
    return np.asarray((codes != WRONG).any(axis=0))


def typed_to(value: FloatArray, digits: int) -> tuple[FloatArray, FloatArray]:
    """Return values rounded to significant digits, and half a unit of the last; same shape."""
    size = np.where(np.isfinite(value) & (value != 0), np.abs(value), 1.0)
    unit = 10.0 ** (np.floor(np.log10(size)) - digits + 1)
    return np.round(value / unit) * unit, unit / 2
