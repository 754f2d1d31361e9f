"""Mean of token losses over the positions that a mask keeps.

Shapes: token losses and mask ``(..., B, T)``; everything else ``(...)``. No units
(losses in nats); float64; the number of valid positions is a count, compared exactly.
"""

import numpy as np

from exercises.checking.steps import (
    Arrays,
    FloatArray,
    Given,
    GivenError,
    Mistake,
    Reference,
    Step,
    routes,
)
from exercises.checking.verdicts import Break


def valid_positions(mask: FloatArray) -> FloatArray:
    """Return the number of ones in the mask; shape (...)."""
    return np.asarray(mask.sum(axis=(-2, -1)))


def total(token_losses: FloatArray, mask: FloatArray) -> FloatArray:
    """Return the sum of the losses that the mask keeps; shape (...)."""
    return np.asarray((token_losses * mask).sum(axis=(-2, -1)))


def mean(total: FloatArray, valid_positions: FloatArray) -> FloatArray:
    """Return total / valid positions; shape (...); NaN or inf where none is valid."""
    return total / valid_positions


def _all_positions(mask: FloatArray) -> FloatArray:
    return np.full(mask.shape[:-2], float(mask.shape[-2] * mask.shape[-1]))


def _rows_only(mask: FloatArray) -> FloatArray:
    return np.full(mask.shape[:-2], float(mask.shape[-2]))


def _mean_over_all(total: FloatArray, mask: FloatArray) -> FloatArray:
    return total / _all_positions(mask)


def _mask_keeps_a_position(arrays: Arrays) -> None:
    mask = arrays["mask"]
    if ((mask != 0) & (mask != 1)).any():
        raise GivenError("mask: every entry must be 0 or 1.")
    if not mask.any():
        raise GivenError("mask: at least one position must be kept.")


MASKED_MEAN_LOSS = Reference(
    name="masked_mean_loss",
    title="Mean loss over valid positions",
    givens=(
        Given("token_losses", ("B", "T"), minimum=-1e12, maximum=1e12),
        Given("mask", ("B", "T"), minimum=0, maximum=1),
    ),
    validate=_mask_keeps_a_position,
    steps=(
        Step(
            "valid_positions",
            "Number of valid positions",
            routes(valid_positions),
            is_count=True,
            mistakes=(
                Mistake(
                    "all_positions",
                    Break.SHAPES,
                    _all_positions,
                    "Look at the mask: masked positions were counted too.",
                ),
                Mistake(
                    "rows_only",
                    Break.SHAPES,
                    _rows_only,
                    "Look at the two axes: rows were counted, not positions.",
                ),
            ),
        ),
        Step("total", "Total loss of the valid positions", routes(total)),
        Step(
            "mean",
            "Mean loss",
            routes(mean),
            mistakes=(
                Mistake(
                    "mean_over_all",
                    Break.SHAPES,
                    _mean_over_all,
                    "Look at the denominator: masked positions are in it.",
                ),
            ),
        ),
    ),
)
