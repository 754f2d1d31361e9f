"""Givens read and worked out once: many traces start from the same ones."""

import marshal
from collections.abc import Mapping
from functools import cached_property

from exercises.checking.comparing import Target
from exercises.checking.givens import MAX_DEPTH
from exercises.checking.steps import FloatArray, Reference
from exercises.checking.tolerance import Tolerance

MOST_KEPT = 512
_NUMBERS = (int, float)

# The reference is held by what is kept, so its id stays its own.
_kept: dict[tuple[int, bytes], "Worked"] = {}


class Worked:
    """The givens of one trace as arrays, the exact values, and the targets of its steps."""

    def __init__(self, reference: Reference, given: Mapping[str, object]) -> None:
        self.reference = reference
        self.given, self._sizes = reference.read_sized(given)
        self.sizes = tuple(self._sizes.values())

    @cached_property
    def lifted(self) -> dict[str, FloatArray]:
        """The givens with one leading axis of size 1."""
        return {name: array[None] for name, array in self.given.items()}

    @cached_property
    def exact(self) -> dict[str, FloatArray]:
        """The exact values, with one leading axis of size 1."""
        return self.reference.exact_values(self.lifted)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of every step."""
        told = self.reference.shapes(self._sizes)
        if told is not None:
            return told
        return {name: value.shape[1:] for name, value in self.exact.items()}

    def targets(self, tolerances: Mapping[str, Tolerance]) -> dict[str, Target]:
        """Return the exact value of every step, made ready for comparing."""
        if tolerances is self.reference.tolerances:
            return self._usual_targets
        return self._targets(tolerances)

    @cached_property
    def _usual_targets(self) -> dict[str, Target]:
        return self._targets(self.reference.tolerances)

    def _targets(self, tolerances: Mapping[str, Tolerance]) -> dict[str, Target]:
        return {
            name: Target(value.shape[1:], value.ravel().tolist(), tolerances[name])
            for name, value in self.exact.items()
        }


def worked(reference: Reference, given: Mapping[str, object]) -> Worked:
    """Read and work out givens; raises :class:`GivenError` where they cannot be used.

    The last few hundred are kept; only plain numbers and lists are, as they come from JSON.
    """
    if not isinstance(given, dict) or not all(map(_is_plain, given.values())):
        return Worked(reference, given)
    key = (id(reference), marshal.dumps(given))
    found = _kept.get(key)
    if found is None:
        found = Worked(reference, given)
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = found
    return found


def _is_plain(value: object, depth: int = MAX_DEPTH) -> bool:
    """Whether a value is made of numbers and lists alone, so that its bytes tell it."""
    if type(value) is list:
        return depth > 0 and all(_is_plain(entry, depth - 1) for entry in value)
    return type(value) in _NUMBERS
