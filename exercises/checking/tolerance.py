"""How far a typed value may be from its reference."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

DEFAULT_RTOL = 0.002
MOST_DIGITS = 30
_FORMS = (
    {"rtol"},
    {"atol"},
    {"rtol", "atol"},
    {"decimals"},
    {"sigfigs"},
    {"exact"},
)


class ToleranceError(ValueError):
    """A tolerance that cannot be used; the sentence says which part of it."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """One rule of closeness.

    Parameters
    ----------
    rtol : float or None
        Largest distance as a share of the reference's scale (its largest absolute entry).
    atol : float or None
        Largest absolute distance. With both, the larger of the two bounds holds; with ``atol``
        alone rounding as typed earns nothing.
    decimals, sigfigs : int or None
        Digits asked for; each excludes every other rule.
    exact : bool
        Whole numbers compare as whole numbers, of any size.
    """

    rtol: float | None = DEFAULT_RTOL
    atol: float | None = None
    decimals: int | None = None
    sigfigs: int | None = None
    exact: bool = False

    @classmethod
    def from_json(cls, given: object) -> Self:
        """Return the tolerance that a line or a content file declares (``None``: the default).

        Raises
        ------
        ToleranceError
            Where it is not an object, names no rule or two that exclude each other, or a value is
            out of place.
        """
        if given is None:
            return cls()
        if not isinstance(given, Mapping):
            raise ToleranceError("the tolerance must be an object such as {'rtol': 0.002}")
        if set(given) not in _FORMS:
            raise ToleranceError(
                "the tolerance must be one of rtol, atol, rtol with atol, decimals, sigfigs, exact"
            )
        if "exact" in given:
            if given["exact"] is not True:
                raise ToleranceError("exact must be true where it is given")
            return cls(rtol=None, exact=True)
        if "decimals" in given:
            return cls(rtol=None, decimals=_count(given, "decimals", least=0))
        if "sigfigs" in given:
            return cls(rtol=None, sigfigs=_count(given, "sigfigs", least=1))
        return cls(rtol=_bound(given, "rtol"), atol=_bound(given, "atol"))


def _bound(given: Mapping[str, object], name: str) -> float | None:
    if name not in given:
        return None
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ToleranceError(f"{name} must be a number")
    if not 0 <= value < math.inf:
        raise ToleranceError(f"{name} must be zero or more, and finite")
    return float(value)


def _count(given: Mapping[str, object], name: str, *, least: int) -> int:
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise ToleranceError(f"{name} must be a whole number")
    if not least <= value <= MOST_DIGITS:
        raise ToleranceError(f"{name} must be from {least} to {MOST_DIGITS}")
    return value
