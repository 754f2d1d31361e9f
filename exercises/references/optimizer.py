"""One AdamW step for one weight, and clipping of a gradient by its norm.

AdamW values are scalars ``(...)``; clipping works on ``(..., N)``. float64, no units.
Moments and bias correction: Kingma & Ba 2015, algorithm 1; decoupled weight decay:
Loshchilov & Hutter 2019, algorithm 2, with a schedule multiplier of 1.
"""

import numpy as np

from exercises.checking.steps import (
    FloatArray,
    Given,
    Mistake,
    Reference,
    Step,
    routes,
)
from exercises.checking.verdicts import Break

# Decay rates are decimals that people write (0.999). Rounding 1 − β to this many places
# takes away the binary error of β, which 1 − β would otherwise magnify a thousandfold.
_DECIMALS_OF_A_RATE = 15


def one_minus(rate: FloatArray) -> FloatArray:
    """Return 1 − β for a decimal decay rate; shape (...)."""
    return np.round(1 - rate, _DECIMALS_OF_A_RATE)


def bias(rate: FloatArray, step: FloatArray) -> FloatArray:
    """Return 1 − β**t without cancellation; shape (...)."""
    return -np.expm1(step * np.log1p(-one_minus(rate)))


def first_moment(m: FloatArray, gradient: FloatArray, beta1: FloatArray) -> FloatArray:
    """Return β1·m + (1 − β1)·g; shape (...)."""
    return beta1 * m + one_minus(beta1) * gradient


def second_moment(v: FloatArray, gradient: FloatArray, beta2: FloatArray) -> FloatArray:
    """Return β2·v + (1 − β2)·g²; shape (...)."""
    return beta2 * v + one_minus(beta2) * gradient**2


def corrected_first(m: FloatArray, beta1: FloatArray, step: FloatArray) -> FloatArray:
    """Return m / (1 − β1**t); shape (...)."""
    return m / bias(beta1, step)


def corrected_second(v: FloatArray, beta2: FloatArray, step: FloatArray) -> FloatArray:
    """Return v / (1 − β2**t); shape (...)."""
    return v / bias(beta2, step)


def update(
    m_hat: FloatArray,
    v_hat: FloatArray,
    lr: FloatArray,
    eps: FloatArray,
    weight_decay: FloatArray,
    weight: FloatArray,
) -> FloatArray:
    """Return lr·m̂ / (√v̂ + ε) + lr·λ·θ, the whole amount subtracted; shape (...)."""
    return lr * m_hat / (np.sqrt(v_hat) + eps) + lr * weight_decay * weight


def new_weight(weight: FloatArray, update: FloatArray) -> FloatArray:
    """Return θ − update; shape (...)."""
    return weight - update


def norm(gradient: FloatArray) -> FloatArray:
    """Return the Euclidean norm; shape (...); scaled so that no square overflows."""
    largest = np.abs(gradient).max(axis=-1)
    unit = np.where(largest > 0, largest, 1.0)
    return np.asarray(unit * np.sqrt(((gradient / unit[..., None]) ** 2).sum(axis=-1)))


def scale(norm: FloatArray, max_norm: FloatArray) -> FloatArray:
    """Return min(1, max_norm / norm); shape (...); 1 where the norm is 0."""
    return np.where(norm > max_norm, max_norm / norm, 1.0)


def clipped(gradient: FloatArray, scale: FloatArray) -> FloatArray:
    """Return scale · g; shape (..., N)."""
    return gradient * scale[..., None]


def _gradient_alone(gradient: FloatArray) -> FloatArray:
    return gradient


def _not_squared(v: FloatArray, gradient: FloatArray, beta2: FloatArray) -> FloatArray:
    return beta2 * v + one_minus(beta2) * gradient


def _first_uncorrected(m: FloatArray) -> FloatArray:
    return m


def _second_uncorrected(v: FloatArray) -> FloatArray:
    return v


def _no_square_root(
    m_hat: FloatArray,
    v_hat: FloatArray,
    lr: FloatArray,
    eps: FloatArray,
    weight_decay: FloatArray,
    weight: FloatArray,
) -> FloatArray:
    return lr * m_hat / (v_hat + eps) + lr * weight_decay * weight


def _decay_forgotten(
    m_hat: FloatArray, v_hat: FloatArray, lr: FloatArray, eps: FloatArray
) -> FloatArray:
    return lr * m_hat / (np.sqrt(v_hat) + eps)


def _ascent(weight: FloatArray, update: FloatArray) -> FloatArray:
    return weight + update


def _sum_of_absolutes(gradient: FloatArray) -> FloatArray:
    return np.asarray(np.abs(gradient).sum(axis=-1))


def _largest_entry(gradient: FloatArray) -> FloatArray:
    return np.asarray(np.abs(gradient).max(axis=-1))


def _entry_by_entry(gradient: FloatArray, max_norm: FloatArray) -> FloatArray:
    limit = max_norm[..., None]
    return np.clip(gradient, -limit, limit)


ADAMW_STEP = Reference(
    name="adamw_step",
    title="One AdamW step",
    givens=(
        Given("weight", minimum=-1e12, maximum=1e12),
        Given("gradient", minimum=-1e12, maximum=1e12),
        Given("lr", minimum=0, maximum=1e6),
        Given("beta1", minimum=0, maximum=1 - 1e-9),
        Given("beta2", minimum=0, maximum=1 - 1e-9),
        Given("eps", minimum=0, maximum=1, above_minimum=True),
        Given("weight_decay", minimum=0, maximum=1e6),
        Given("step", minimum=1, maximum=1e9, is_integer=True),
        Given("m", minimum=-1e12, maximum=1e12),
        Given("v", minimum=0, maximum=1e24),
    ),
    steps=(
        Step(
            "m",
            "New first moment",
            routes(first_moment),
            mistakes=(
                Mistake(
                    "gradient_alone",
                    Break.OPERATION,
                    _gradient_alone,
                    "Look at the first moment: it averages the gradient with the old moment, "
                    "this is the gradient alone.",
                ),
            ),
        ),
        Step(
            "v",
            "New second moment",
            routes(second_moment),
            mistakes=(
                Mistake(
                    "not_squared",
                    Break.OPERATION,
                    _not_squared,
                    "Look at the gradient in the second moment: it was not squared.",
                ),
            ),
        ),
        Step(
            "m_hat",
            "First moment, bias corrected",
            routes(corrected_first),
            mistakes=(
                Mistake(
                    "no_bias_correction",
                    Break.OPERATION,
                    _first_uncorrected,
                    "Look at the bias correction: the moment was taken over as it is.",
                ),
            ),
        ),
        Step(
            "v_hat",
            "Second moment, bias corrected",
            routes(corrected_second),
            mistakes=(
                Mistake(
                    "no_bias_correction",
                    Break.OPERATION,
                    _second_uncorrected,
                    "Look at the bias correction: the moment was taken over as it is.",
                ),
            ),
        ),
        Step(
            "update",
            "Amount subtracted",
            routes(update),
            mistakes=(
                Mistake(
                    "no_square_root",
                    Break.OPERATION,
                    _no_square_root,
                    "Look at the denominator: the square root of the second moment is missing.",
                ),
                Mistake(
                    "decay_forgotten",
                    Break.OPERATION,
                    _decay_forgotten,
                    "Look at the weight decay: it is not in this amount.",
                ),
            ),
        ),
        Step(
            "weight",
            "New weight",
            routes(new_weight),
            mistakes=(
                Mistake(
                    "ascent",
                    Break.OPERATION,
                    _ascent,
                    "Look at the direction: the update was added.",
                ),
            ),
        ),
    ),
)

GRADIENT_CLIPPING = Reference(
    name="gradient_clipping",
    title="Clipping a gradient by its norm",
    givens=(
        Given("gradient", ("N",), minimum=-1e12, maximum=1e12),
        Given("max_norm", minimum=0, maximum=1e12, above_minimum=True),
    ),
    steps=(
        Step(
            "norm",
            "Norm of the gradient",
            routes(norm),
            mistakes=(
                Mistake(
                    "sum_of_absolutes",
                    Break.VOCABULARY,
                    _sum_of_absolutes,
                    "Look at the word norm: this is the sum of the absolute entries.",
                ),
                Mistake(
                    "largest_entry",
                    Break.VOCABULARY,
                    _largest_entry,
                    "Look at the word norm: this is the largest absolute entry.",
                ),
            ),
        ),
        Step("scale", "Scaling factor", routes(scale)),
        Step(
            "clipped",
            "Clipped gradient",
            routes(clipped),
            shape=("N",),
            mistakes=(
                Mistake(
                    "entry_by_entry",
                    Break.OPERATION,
                    _entry_by_entry,
                    "Look at what is clipped: each entry was cut by itself, not the vector "
                    "as a whole.",
                ),
            ),
        ),
    ),
)
