"""Why a line is wrong: known mistakes first, then the generic signs of one."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exercises.checking import wording
from exercises.checking.comparing import COARSE, RIGHT
from exercises.checking.statuses import Group, Judged, Mask, Rows
from exercises.checking.steps import FloatArray, Mistake, Step
from exercises.checking.verdicts import Break

# How well a value fits a known mistake; the best fit decides.
AS_TYPED, WITHIN_TOLERANCE, LEFT_OPEN, ROUNDED, NOT_AT_ALL = 0, 1, 2, 3, 4
_FITS_BY_CODE = np.array([WITHIN_TOLERANCE, ROUNDED, NOT_AT_ALL], dtype=np.int8)
LARGEST_POWER_OF_TEN = 12
LOG_BASES = (10.0, 2.0)


class Cause(NamedTuple):
    """The known mistake or the generic sign of one, and the break that it shows."""

    name: str | None = None
    break_: Break | None = None
    message: str = ""


class Candidate(NamedTuple):
    """What a known mistake gives; ``near`` has shape (positions, K, *shape).

    ``is_open``: not the value itself, but the nearest that the inputs' typed digits leave open.
    """

    mistake: Mistake
    positions: Rows
    near: FloatArray
    is_open: bool = False


def candidates(group: Group, step: Step, rows: Rows) -> list[Candidate]:
    """Return what every known mistake gives on the exact and on the learners' own inputs."""
    return [
        candidate
        for mistake in step.mistakes
        for candidate in _candidates_of(group, step, mistake, rows)
    ]


def _candidates_of(group: Group, step: Step, mistake: Mistake, rows: Rows) -> Iterator[Candidate]:
    value = group.columns[step.name].value[rows][:, None]
    with np.errstate(all="ignore"):
        exact = group.reference.call(
            step,
            mistake,
            group.rows_of(group.given, rows),
            group.rows_of(group.exact, rows),
        )
    yield Candidate(mistake, np.arange(len(rows)), _apart(exact, several=mistake.several))
    usable = np.flatnonzero(group.usable(step, mistake, rows))
    if not usable.size or not group.reference.inputs(step, mistake):
        return
    found = group.follow(step, mistake, rows[usable])
    if found is not None:
        near = found.map(lambda array: _apart(array, several=mistake.several))
        fits = near.value.shape[2:] == value.shape[2:] and near.value.ndim == value.ndim
        if fits and near.value.shape[1]:
            yield Candidate(mistake, usable, near.value)
            yield Candidate(mistake, usable, near.nearest(value[usable]), is_open=True)


def _apart(array: FloatArray, *, several: bool) -> FloatArray:
    """Give every value that the mistake may have its place on axis 1."""
    return np.moveaxis(array, -1, 1) if several else array[:, None]


def explained(value: FloatArray, judged: Judged, rows: Rows, found: Sequence[Candidate]) -> Mask:
    """Whether every non-finite entry is one that a mistake or the own values give."""
    finite: Mask = np.asarray(np.isfinite(value))
    good: Mask = np.asarray(finite.all(axis=tuple(range(1, finite.ndim))))
    if good.all():
        return good
    for candidate in found:
        if candidate.near.shape[2:] != value.shape[1:]:
            continue
        typed = value[candidate.positions][:, None]
        fits = _agrees(finite[candidate.positions][:, None], typed, candidate.near)
        good[candidate.positions] |= (fits & _gives(candidate)).any(axis=1)
    for followed, reached in judged.follows:
        if reached.value.shape[1:] != value.shape[1:]:
            continue
        _, ours, theirs = np.intersect1d(rows, followed, return_indices=True)
        near = reached.rows(theirs).nearest(value[ours])
        good[ours] |= _agrees(finite[ours][:, None], value[ours][:, None], near[:, None])[:, 0]
    return good


def _agrees(finite: Mask, typed: FloatArray, near: FloatArray) -> Mask:
    same = finite | (typed == near) | (np.isnan(typed) & np.isnan(near))
    return np.asarray(same.all(axis=tuple(range(2, same.ndim))))


def causes(
    group: Group, step: Step, rows: Rows, judged: Judged, found: Sequence[Candidate]
) -> list[Cause]:
    """Return the cause of each faulty row, as far as the numbers tell."""
    column = group.columns[step.name]
    value, half = column.value[rows], column.half[rows]
    fits = _fits(group, step, value, half, found)
    named = [_cause(step, row) for row in fits]
    open_ = np.array([cause is None for cause in named], dtype=bool)
    signs = np.full(len(rows), "", dtype=object)
    if open_.any():
        for positions, base in _bases(group, step, rows, judged):
            chosen = positions[open_[positions] & (signs[positions] == "")]
            if chosen.size and base.shape[1:] == value.shape[1:]:
                keep = np.isin(positions, chosen)
                signs[chosen] = _signs(group, step, value[chosen], half[chosen], base[keep])
    return [
        cause or (Cause(sign, _break_of(sign), wording.SIGNS[sign]) if sign else Cause())
        for cause, sign in zip(named, signs, strict=True)
    ]


def _break_of(sign: str) -> Break | None:
    return Break.OPERATION if sign == "log_base" else None


def _fits(
    group: Group,
    step: Step,
    value: FloatArray,
    half: FloatArray,
    found: Sequence[Candidate],
) -> npt.NDArray[np.int8]:
    """Return how well each row fits each mistake; shape (rows, mistakes)."""
    fits = np.full((len(value), len(step.mistakes)), NOT_AT_ALL, dtype=np.int8)
    found = [candidate for candidate in found if candidate.near.shape[2:] == value.shape[1:]]
    if not found:
        return fits
    near, gives = _side_by_side(found, len(value))
    axes = tuple(range(2, near.ndim))
    typed, open_ = value[:, None], half[:, None]
    codes = group.compare(step, typed, open_, near, entry_axes=len(axes))
    with np.errstate(invalid="ignore"):
        off = np.abs(typed - near)
        digits = (off <= open_ * (1 + 1e-9) + 1e-12 * np.abs(near)) | ~np.isfinite(near)
    as_typed = digits.all(axis=axes)
    fit = _FITS_BY_CODE[codes]
    fit[(codes == RIGHT) & as_typed] = AS_TYPED
    fit[~gives] = NOT_AT_ALL
    first = 0
    for candidate in found:
        last = first + candidate.near.shape[1]
        best = fit[:, first:last]
        if candidate.is_open:
            best = np.where(best <= WITHIN_TOLERANCE, LEFT_OPEN, best)
        place = step.mistakes.index(candidate.mistake)
        fits[:, place] = np.minimum(fits[:, place], best.min(axis=1))
        first = last
    return fits


def _side_by_side(found: Sequence[Candidate], rows: int) -> tuple[FloatArray, Mask]:
    """Return what all candidates give, and where they do; shapes (rows, ΣK, *shape), (rows, ΣK)."""
    parts = [_for_all_rows(candidate, rows) for candidate in found]
    if len(parts) == 1:
        return parts[0]
    near, gives = zip(*parts, strict=True)
    return np.concatenate(near, axis=1), np.concatenate(gives, axis=1)


def _gives(candidate: Candidate) -> Mask:
    """Where one of several values is there at all; shape (positions, K)."""
    near = candidate.near
    if not candidate.mistake.several:
        return np.ones(near.shape[:2], dtype=bool)
    return np.asarray(~np.isnan(near).any(axis=tuple(range(2, near.ndim))))


def _for_all_rows(candidate: Candidate, rows: int) -> tuple[FloatArray, Mask]:
    near, gives = candidate.near, _gives(candidate)
    if len(candidate.positions) == rows:
        return near, gives
    whole = np.full((rows, *near.shape[1:]), np.nan)
    whole[candidate.positions] = near
    known: Mask = np.zeros((rows, near.shape[1]), dtype=bool)
    known[candidate.positions] = gives
    return whole, known


def _cause(step: Step, fits: npt.NDArray[np.int8]) -> Cause | None:
    """Name the mistake that fits best; where several fit alike, say so."""
    if not len(fits) or fits.min() == NOT_AT_ALL:
        return None
    places = np.flatnonzero(fits == fits.min())
    # One mistake may be made by several routes; under one name it is one mistake.
    alike = {step.mistakes[place].name: step.mistakes[place] for place in reversed(places)}
    last, *others = alike.values()
    if not others:
        return Cause(last.name, last.break_, last.look_at)
    first = step.mistakes[places[0]]
    sentences = " ".join(dict.fromkeys(step.mistakes[place].look_at for place in places))
    message = wording.TWO_MISTAKES.format(sentences=sentences)
    if any(each.break_ is not first.break_ for each in alike.values()):
        return Cause(None, None, message)
    return Cause(first.name, first.break_, message)


def _bases(
    group: Group, step: Step, rows: Rows, judged: Judged
) -> Iterator[tuple[Rows, FloatArray]]:
    """Give what a generic sign may be a sign of: the exact and the followed values."""
    for followed, reached in judged.follows:
        _, ours, theirs = np.intersect1d(rows, followed, return_indices=True)
        yield ours, reached.value[theirs]
    yield np.arange(len(rows)), group.exact[step.name][rows]


def _signs(
    group: Group, step: Step, value: FloatArray, half: FloatArray, base: FloatArray
) -> npt.NDArray[np.object_]:
    """Return the generic sign of each row, or an empty text."""
    names = np.full(len(value), "", dtype=object)
    axes = tuple(range(1, value.ndim))
    size = np.abs(base).max(axis=axes) if axes else np.abs(base)
    sensible = np.isfinite(size) & (size > 0)

    def note(name: str, near: FloatArray, only: Mask, worst: int = RIGHT) -> None:
        codes = group.judge(step, value, half, near)
        names[(names == "") & sensible & only & (codes <= worst)] = name

    with np.errstate(all="ignore"):
        everywhere = np.ones(len(value), dtype=bool)
        note("sign", -base, everywhere, COARSE)
        largest = np.abs(value).max(axis=axes) if axes else np.abs(value)
        power = np.rint(np.log10(largest / size))
        power = np.where(np.abs(power) <= LARGEST_POWER_OF_TEN, power, 0.0)
        shifted = base * (10.0**power).reshape(power.shape + (1,) * len(axes))
        is_percent = (power == 2) & (size <= 1) & (step.unit is None and not step.is_count)  # noqa: PLR2004
        note("percent", shifted, is_percent)
        note("order_of_magnitude", shifted, (power != 0) & ~is_percent)
        if axes and base[0].size > 1:
            flat = value.reshape(len(value), -1)
            order = np.argsort(flat, axis=1)
            codes = group.compare(
                step,
                np.take_along_axis(flat, order, axis=1),
                np.take_along_axis(half.reshape(flat.shape), order, axis=1),
                np.sort(base.reshape(flat.shape), axis=1),
                entry_axes=1,
            )
            names[(names == "") & sensible & (codes == RIGHT)] = "permuted"
        if step.is_logarithm:
            for log_base in LOG_BASES:
                note("log_base", base / math.log(log_base), everywhere)
    return names
