"""Draw given values from declared choices and ranges, the same for ever from the same seed."""

import copy
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import count

# The stream below is part of every stored case: another stream needs another version.
GENERATOR_VERSION = "sha256-counter-1"

MOST_CHOICES = 1_000_000
MOST_PATHS = 100
_PATH = re.compile(r"([A-Za-z_]\w{0,39})((?:\[\d{1,4}\]){0,3})")


class VaryError(ValueError):
    """A ``vary`` that cannot be drawn from; the text names the key and says why."""


@dataclass(frozen=True)
class Choices:
    """The values that one path may take, by number."""

    listed: Sequence[object] | None = None
    start: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    size: int = 0
    is_whole: bool = False

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: int) -> object:
        if self.listed is not None:
            return copy.deepcopy(self.listed[place])
        value = self.start + place * self.step
        return int(value) if self.is_whole else float(value)


@dataclass(frozen=True)
class Place:
    """Where in the givens a value goes: a name and indices."""

    path: str
    name: str
    indices: tuple[int, ...]

    def put(self, given: dict[str, object], value: object) -> None:
        """Set the value in a copy of the givens that may be changed."""
        if not self.indices:
            given[self.name] = value
            return
        inside = given[self.name]
        for index in self.indices[:-1]:
            inside = _list_with(self.path, inside, index)[index]
        last = self.indices[-1]
        _list_with(self.path, inside, last)[last] = value


def _list_with(path: str, inside: object, index: int) -> list[object]:
    if not isinstance(inside, list) or index >= len(inside):
        raise VaryError(f"{path}: the givens have no such entry.")
    return inside


class Stream:
    """Whole numbers drawn evenly from a hashed seed; the same on every machine, for ever."""

    def __init__(self, parts: Sequence[str | int]) -> None:
        seed = json.dumps([GENERATOR_VERSION, *map(str, parts)]).encode()
        self._key = hashlib.sha256(seed).digest()
        self._words = self._draw()

    def _draw(self) -> Iterator[int]:
        for block in count():
            digest = hashlib.sha256(self._key + block.to_bytes(8, "big")).digest()
            for start in range(0, 32, 8):
                yield int.from_bytes(digest[start : start + 8], "big")

    def below(self, size: int) -> int:
        """Return a whole number from 0 to ``size`` − 1, each equally likely."""
        unfair = 2**64 - 2**64 % size
        return next(word for word in self._words if word < unfair) % size


def places_of(
    given: Mapping[str, object], vary: Mapping[str, object]
) -> list[tuple[Place, Choices]]:
    """Return what is drawn where, in the order declared; raises :class:`VaryError`."""
    if not 0 < len(vary) <= MOST_PATHS:
        raise VaryError(f"vary: from 1 to {MOST_PATHS} paths are needed.")
    drawn = [
        (_place(str(path), given), _choices(str(path)[:60], spec)) for path, spec in vary.items()
    ]
    sample = changeable(given)
    for place, choices in drawn:
        place.put(sample, choices[0])
    return drawn


def changeable(given: Mapping[str, object]) -> dict[str, object]:
    """Return a deep copy of the givens with lists that may be changed."""
    return {name: _lists(value) for name, value in given.items()}


def _lists(value: object) -> object:
    return [_lists(entry) for entry in value] if isinstance(value, list | tuple) else value


def _place(path: str, given: Mapping[str, object]) -> Place:
    found = _PATH.fullmatch(path)
    if found is None:
        raise VaryError(f"{path[:60]}: write a path like target or logits[0].")
    name = found.group(1)
    if name not in given:
        raise VaryError(f"{found.group(0)}: {name} is not among the givens.")
    indices = tuple(int(index) for index in re.findall(r"\d+", found.group(2)))
    return Place(found.group(0), name, indices)


def _choices(path: str, spec: object) -> Choices:
    if isinstance(spec, list | tuple):
        if not spec or len(spec) > MOST_CHOICES:
            raise VaryError(f"{path}: from 1 to {MOST_CHOICES} choices are needed.")
        return Choices(listed=tuple(spec), size=len(spec))
    if not isinstance(spec, Mapping) or set(spec) != {"from", "to", "step"}:
        raise VaryError(f"{path}: write a list of choices, or from, to and step.")
    start, end, step = (_decimal(path, key, spec[key]) for key in ("from", "to", "step"))
    if step <= 0 or end < start:
        raise VaryError(f"{path}: step must be more than 0, and from at most to.")
    size = int((end - start) / step) + 1
    if size > MOST_CHOICES:
        raise VaryError(f"{path}: more than {MOST_CHOICES} values.")
    is_whole = all(isinstance(spec[key], int) for key in ("from", "step"))
    return Choices(start=start, step=step, size=size, is_whole=is_whole)


def _decimal(path: str, key: str, value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise VaryError(f"{path}: {key} must be a number.")
    try:
        number = Decimal(str(value)[:60])
    except InvalidOperation as error:
        raise VaryError(f"{path}: {key} must be a number.") from error
    if not number.is_finite():
        raise VaryError(f"{path}: {key} must be finite.")
    return number


def drawn(
    given: Mapping[str, object], places: Sequence[tuple[Place, Choices]], stream: Stream
) -> dict[str, object]:
    """Return the givens with every declared place drawn anew."""
    changed = changeable(given)
    for place, choices in places:
        place.put(changed, choices[stream.below(len(choices))])
    return changed
