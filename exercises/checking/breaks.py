"""Why a line is wrong: known mistakes first, then the generic signs of one."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exercises.checking import wording
from exercises.checking.comparing import COARSE, RIGHT
from exercises.checking.groups import Group, Mask, Rows
from exercises.checking.statuses import Judged
from exercises.checking.steps import FloatArray, Mistake, Step
from exercises.checking.verdicts import Break

# How well a value fits a known mistake; the best fit decides.
AS_TYPED, WITHIN_TOLERANCE, LEFT_OPEN, ROUNDED, NOT_AT_ALL = 0, 1, 2, 3, 4
_FITS_BY_CODE = np.array([WITHIN_TOLERANCE, ROUNDED, NOT_AT_ALL], dtype=np.int8)
LARGEST_POWER_OF_TEN = 12
PERCENT = 2
LOG_BASES = (10.0, 2.0)


class Cause(NamedTuple):
    """The known mistake or the generic sign of one, and the break that it shows."""

    name: str | None = None
    break_: Break | None = None
    message: str = ""


class Candidates(NamedTuple):
    """What the known mistakes of a step give to n faulty rows, side by side on one axis K.

    Attributes
    ----------
    near : array of float64, shape (n, K, *shape)
        The values; for what typed digits leave open, the nearest to what was typed.
    gives : array of bool, shape (n, K)
        Where there is a value at all.
    is_open : array of bool, shape (K,)
        Whether the value is not the mistake's own, but the nearest that is left open.
    places : array of int, shape (K,)
        Which of the step's mistakes gives it.
    """

    near: FloatArray
    gives: Mask
    is_open: Mask
    places: Rows


class _Part(NamedTuple):
    near: FloatArray
    gives: Mask
    is_open: bool
    place: int


def candidates(group: Group, step: Step, rows: Rows) -> Candidates | None:
    """Return what every known mistake gives on the exact and on the learners' own inputs."""
    by_inputs: dict[tuple[str, ...], list[int]] = {}
    for place, mistake in enumerate(step.mistakes):
        by_inputs.setdefault(group.reference.inputs(step, mistake), []).append(place)
    parts: list[_Part] = []
    for names, places in by_inputs.items():
        parts.extend(
            _on_givens(group, step, rows, places)
            if not names
            else _on_inputs(group, step, rows, names, places)
        )
    shape = group.columns[step.name].value.shape[1:]
    parts = [part for part in parts if part.near.shape[2:] == shape]
    if not parts:
        return None
    widths = [part.near.shape[1] for part in parts]
    return Candidates(
        np.concatenate([part.near for part in parts], axis=1),
        np.concatenate([part.gives for part in parts], axis=1),
        np.repeat([part.is_open for part in parts], widths),
        np.repeat([part.place for part in parts], widths),
    )


def _on_givens(group: Group, step: Step, rows: Rows, places: Sequence[int]) -> Iterator[_Part]:
    given, exact = group.rows_of(group.given, rows), group.rows_of(group.exact, rows)
    for place in places:
        mistake = step.mistakes[place]
        with np.errstate(all="ignore"):
            near = _apart(group.reference.call(step, mistake, given, exact), 1, mistake)
        yield _Part(near, _gives(near, mistake), is_open=False, place=place)


def _on_inputs(
    group: Group, step: Step, rows: Rows, names: tuple[str, ...], places: Sequence[int]
) -> Iterator[_Part]:
    is_regular = group.is_regular(names)
    if not is_regular:
        yield from _on_givens(group, step, rows, places)
    usable = group.usable(step, step.mistakes[places[0]], rows)
    typed = group.columns[step.name].value[rows][:, None]
    copies = group.copies(names, rows, with_exact=is_regular)
    for place in places:
        mistake = step.mistakes[place]
        results = group.results(step, mistake, copies)
        if results is None:
            continue
        results = _apart(results, 2, mistake)
        if is_regular:
            yield _Part(results[-1], _gives(results[-1], mistake), is_open=False, place=place)
        found = copies.span(results)
        gives = _gives(found.value, mistake) & usable[:, None]
        yield _Part(found.value, gives, is_open=False, place=place)
        if found.value.shape[2:] == typed.shape[2:]:
            yield _Part(found.nearest(typed), gives, is_open=True, place=place)


def _apart(array: FloatArray, axis: int, mistake: Mistake) -> FloatArray:
    """Give every value that the mistake may have its place on an axis of its own."""
    return np.moveaxis(array, -1, axis) if mistake.several else np.expand_dims(array, axis)


def _gives(near: FloatArray, mistake: Mistake) -> Mask:
    """Where one of several values is there at all; shape (n, K)."""
    if not mistake.several:
        return np.ones(near.shape[:2], dtype=bool)
    return np.asarray(~np.isnan(near).any(axis=tuple(range(2, near.ndim))))


def explained(value: FloatArray, judged: Judged, rows: Rows, found: Candidates | None) -> Mask:
    """Whether every non-finite entry is one that a mistake or the own values give."""
    finite: Mask = np.asarray(np.isfinite(value))
    good: Mask = np.asarray(finite.all(axis=tuple(range(1, finite.ndim))))
    if good.all():
        return good
    if found is not None:
        fits = _agrees(finite[:, None], value[:, None], found.near)
        good |= (fits & found.gives).any(axis=1)
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
    group: Group, step: Step, rows: Rows, judged: Judged, found: Candidates | None
) -> list[Cause]:
    """Return the cause of each faulty row, as far as the numbers tell."""
    column = group.columns[step.name]
    value, half = column.value[rows], column.half[rows]
    fits = _fits(group, step, value, half, found)
    by_fits = {row: named(step, row) for row in set(map(tuple, fits.tolist()))}
    known = [by_fits[tuple(row)] for row in fits.tolist()]
    open_ = np.array([cause is None for cause in known], dtype=bool)
    signs = np.full(len(rows), "", dtype=object)
    if open_.any():
        for positions, base in _bases(group, step, rows, judged):
            chosen = positions[open_[positions] & (signs[positions] == "")]
            if chosen.size and base.shape[1:] == value.shape[1:]:
                keep = np.isin(positions, chosen)
                signs[chosen] = _signs(group, step, value[chosen], half[chosen], base[keep])
    return [cause or cause_of_sign(sign) for cause, sign in zip(known, signs, strict=True)]


def cause_of_sign(sign: str) -> Cause:
    """Return the cause that a generic sign names, if there is one."""
    if not sign:
        return Cause()
    return Cause(sign, Break.OPERATION if sign == "log_base" else None, wording.SIGNS[sign])


def _fits(
    group: Group, step: Step, value: FloatArray, half: FloatArray, found: Candidates | None
) -> npt.NDArray[np.int8]:
    """Return how well each row fits each mistake; shape (rows, mistakes)."""
    fits = np.full((len(value), len(step.mistakes)), NOT_AT_ALL, dtype=np.int8)
    if found is None:
        return fits
    near, typed, open_ = found.near, value[:, None], half[:, None]
    axes = tuple(range(2, near.ndim))
    codes = group.compare(step, typed, open_, near, entry_axes=len(axes))
    with np.errstate(invalid="ignore"):
        off = np.abs(typed - near)
        digits = (off <= open_ * (1 + 1e-9) + 1e-12 * np.abs(near)) | ~np.isfinite(near)
    fit = _FITS_BY_CODE[codes]
    is_right = codes == RIGHT
    fit[is_right & digits.all(axis=axes)] = AS_TYPED
    fit[is_right & found.is_open] = LEFT_OPEN
    fit[~found.gives] = NOT_AT_ALL
    for place in range(len(step.mistakes)):
        of_this = fit[:, found.places == place]
        if of_this.size:
            fits[:, place] = of_this.min(axis=1)
    return fits


def named(step: Step, fits: Sequence[int]) -> Cause | None:
    """Name the mistake that fits best; where several fit alike, say so."""
    best = min(fits, default=NOT_AT_ALL)
    if best == NOT_AT_ALL:
        return None
    places = [place for place, fit in enumerate(fits) if fit == best]
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
        is_percent = (power == PERCENT) & (size <= 1) & (step.unit is None and not step.is_count)
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
