"""Variants of an exercise's givens on which known mistakes can be told from the right values.

A variant is *discriminating* when every known mistake, typed to three significant digits,
is told from the right value, and two mistakes that show different breaks are told from
each other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from exercises.checking.discrimination import discriminate
from exercises.checking.drawing import (
    GENERATOR_VERSION,
    Choices,
    Place,
    Stream,
    VaryError,
    drawn,
    places_of,
)
from exercises.checking.steps import Arrays, FloatArray, GivenError, Reference
from exercises.checking.tolerance import Tolerance

MOST_DRAWS = 1_000
LEAST_ACCEPTED = 0.1
MOST_SHOWN = 5
Key = tuple[tuple[str, tuple[int, ...], bytes], ...]

NOT_USABLE, SEEN = "givens that cannot be used", "the worked case"


@dataclass(frozen=True)
class Variant:
    """Drawn givens, with what is needed to draw them again."""

    given: dict[str, object]
    generator_version: str
    seed_parts: tuple[str, ...]
    draws: int


@dataclass
class Report:
    """How well a ``vary`` discriminates.

    Attributes
    ----------
    margins
        By step and mistake, the smallest distance between the mistake's value and the right
        one among accepted draws, as a share of the right value's largest absolute entry.
    reasons
        How many draws each reason speaks against.
    refused
        A few refused draws, with the reasons; no two with the same reasons.
    """

    draws: int = 0
    accepted: int = 0
    margins: dict[tuple[str, str], float] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[dict[str, object], tuple[str, ...]]] = field(default_factory=list)

    def refuse(self, given: dict[str, object], reasons: tuple[str, ...]) -> None:
        """Note a refused draw."""
        self.reasons.update(reasons)
        known = {shown for _, shown in self.refused}
        if len(self.refused) < MOST_SHOWN and reasons not in known:
            self.refused.append((given, reasons))

    @property
    def rate(self) -> float:
        """Share of the draws that were accepted."""
        return self.accepted / self.draws if self.draws else 0.0

    @property
    def discriminates(self) -> bool:
        """Whether at least one draw in ten may be handed out."""
        return self.rate >= LEAST_ACCEPTED


def draw(
    reference: Reference,
    given: Mapping[str, object],
    vary: Mapping[str, object],
    *,
    seed_parts: Sequence[str | int],
    seen: Iterable[Mapping[str, object]] = (),
    tolerances: Mapping[str, Tolerance] | None = None,
) -> Variant:
    """Draw a discriminating variant.

    Parameters
    ----------
    given
        The worked case; it is never drawn.
    vary
        What is drawn: a path (``target``, ``logits[0]``) to a list of choices, or to
        ``{"from", "to", "step"}`` in exact decimals, both ends included.
    seed_parts
        Exercise, learner, case number: the same parts give the same variant for ever.
    seen
        Givens that this learner has had.

    Raises
    ------
    VaryError
        Where ``vary`` cannot be drawn from, or no such variant was found in 1,000 draws.
    """
    places = places_of(given, vary)
    stream = Stream(seed_parts)
    known = {_key(reference, each) for each in (given, *seen)}
    for number in range(1, MOST_DRAWS + 1):
        candidate = drawn(given, places, stream)
        if _key(reference, candidate) in known or reasons_against(reference, candidate, tolerances):
            continue
        return Variant(candidate, GENERATOR_VERSION, tuple(map(str, seed_parts)), number)
    raise VaryError(f"vary: no new discriminating variant in {MOST_DRAWS} draws.")


def reasons_against(
    reference: Reference,
    given: Mapping[str, object],
    tolerances: Mapping[str, Tolerance] | None = None,
) -> tuple[str, ...]:
    """Return why these givens do not discriminate; nothing where they do."""
    try:
        arrays = reference.read_given(given)
    except GivenError as error:
        return (f"{NOT_USABLE}: {error}",)
    stacked = {name: array[None] for name, array in arrays.items()}
    return discriminate(reference, stacked, tolerances).reasons(0)


def discrimination_report(
    reference: Reference,
    given: Mapping[str, object],
    vary: Mapping[str, object],
    *,
    draws: int = 10_000,
    seed_parts: Sequence[str | int] = ("report",),
    tolerances: Mapping[str, Tolerance] | None = None,
) -> Report:
    """Draw many times and report how often, and by what margins, the draws discriminate."""
    report = Report(draws=draws)
    places = places_of(given, vary)
    for rows, arrays in _drawn_in_groups(reference, given, places, Stream(seed_parts), report):
        judged = discriminate(reference, arrays, tolerances)
        refused = np.zeros(len(rows), dtype=bool)
        for is_so in judged.against.values():
            refused |= is_so
        report.accepted += int((~refused).sum())
        for name, margin in judged.margins.items():
            smallest = float(margin[~refused].min(initial=np.inf))
            report.margins[name] = min(report.margins.get(name, np.inf), smallest)
        for row in np.flatnonzero(refused).tolist():
            report.refuse(rows[row], judged.reasons(row))
    return report


def _drawn_in_groups(
    reference: Reference,
    given: Mapping[str, object],
    places: Sequence[tuple[Place, Choices]],
    stream: Stream,
    report: Report,
) -> list[tuple[list[dict[str, object]], dict[str, FloatArray]]]:
    """Draw, note what cannot be used, and stack what has the same shapes."""
    groups: dict[object, list[tuple[dict[str, object], dict[str, FloatArray]]]] = {}
    worked = _key(reference, given)
    for _ in range(report.draws):
        candidate = drawn(given, places, stream)
        try:
            arrays = reference.read_given(candidate)
            reason = SEEN if _key_of(arrays) == worked else ""
        except GivenError as error:
            reason = f"{NOT_USABLE}: {error}"
        if reason:
            report.refuse(candidate, (reason,))
            continue
        shapes = tuple(array.shape for array in arrays.values())
        groups.setdefault(shapes, []).append((candidate, arrays))
    return [
        (
            [candidate for candidate, _ in group],
            {name: np.array([arrays[name] for _, arrays in group]) for name in group[0][1]},
        )
        for group in groups.values()
    ]


def _key(reference: Reference, given: Mapping[str, object]) -> Key | None:
    """Return what is equal for equal numbers (2 and 2.0 are one); None for unusable givens."""
    try:
        return _key_of(reference.read_given(given))
    except GivenError:
        return None


def _key_of(arrays: Arrays) -> Key:
    return tuple((name, array.shape, array.tobytes()) for name, array in arrays.items())
