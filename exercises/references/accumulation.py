"""Repeated addition of a small increment in bfloat16 and in float32.

Scalars ``(...)``; the sums are made in the narrow type itself and returned as float64,
which holds both exactly. Rounding is to nearest, ties to even, after every addition:
s ← round(s + round(increment)), from round(start). Why a weight copy in float32 is
kept beside 16-bit tensors: Micikevicius et al. 2018, section 3.1.
"""

from functools import lru_cache

import ml_dtypes
import numpy as np
import numpy.typing as npt

from exercises.checking.steps import FloatArray, Given, Reference, Step, routes

MAX_COUNT = 100_000


def to_bfloat16(value: float) -> npt.NDArray[np.generic]:
    """Return ``value`` rounded once, from 64 bits, to bfloat16; shape ().

    The library's cast goes through float32, so a value just off a tie would be rounded
    twice. Rounding to odd on the way keeps the second rounding honest.
    """
    narrow = to_float32(value)
    held = float(narrow)
    if np.isfinite(held) and held != value and not int(narrow.view(np.uint32)) & 1:
        narrow = np.nextafter(narrow, np.float32(np.inf if value > held else -np.inf))
    return np.asarray(narrow).astype(ml_dtypes.bfloat16)


def to_float32(value: float) -> npt.NDArray[np.generic]:
    """Return ``value`` rounded to float32; shape ()."""
    with np.errstate(over="ignore"):
        return np.asarray(np.float32(value))


@lru_cache(maxsize=4096)
def accumulated(start: float, increment: float, count: int, *, in_bfloat16: bool) -> float:
    """Return the sum after ``count`` additions in the narrow type."""
    rounded = to_bfloat16 if in_bfloat16 else to_float32
    terms = np.full(count + 1, rounded(increment))
    terms[0] = rounded(start)
    return float(np.add.accumulate(terms)[-1])


def _each(
    start: FloatArray, increment: FloatArray, count: FloatArray, *, in_bfloat16: bool
) -> FloatArray:
    rows = np.broadcast_arrays(start, increment, count)
    sums = [
        accumulated(float(s), float(i), int(n), in_bfloat16=in_bfloat16)
        for s, i, n in zip(*(row.ravel() for row in rows), strict=True)
    ]
    return np.array(sums, dtype=np.float64).reshape(rows[0].shape)


def bf16(start: FloatArray, increment: FloatArray, count: FloatArray) -> FloatArray:
    """Return the sum accumulated in bfloat16; shape (...)."""
    return _each(start, increment, count, in_bfloat16=True)


def fp32(start: FloatArray, increment: FloatArray, count: FloatArray) -> FloatArray:
    """Return the sum accumulated in float32; shape (...)."""
    return _each(start, increment, count, in_bfloat16=False)


def lost(fp32: FloatArray, bf16: FloatArray) -> FloatArray:
    """Return fp32 − bf16; shape (...)."""
    return fp32 - bf16


BF16_ACCUMULATION = Reference(
    name="bf16_accumulation",
    title="Accumulating updates in bfloat16 and in float32",
    givens=(
        Given("start", minimum=-1e12, maximum=1e12),
        Given("increment", minimum=-1e12, maximum=1e12),
        Given("count", minimum=0, maximum=MAX_COUNT, is_integer=True),
    ),
    steps=(
        Step("bf16", "Sum in bfloat16", routes(bf16)),
        Step("fp32", "Sum in float32", routes(fp32)),
        Step("lost", "Lost to rounding", routes(lost)),
    ),
)
