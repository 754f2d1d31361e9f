"""Cross-entropy from logits, in the plain and in the shifted form, and its gradient.

Shapes: logits ``(..., V)``, target ``(...)`` a class index from 0. No units; all
float64. With z the logits, p = exp(z) / Σ exp(z) and loss = −ln p[target]
= −z[target] + ln Σ exp(z), natural logarithm throughout. The step functions below follow a
learner's own lines; the ``exact_*`` functions compute the same quantities without
cancellation or overflow, to about 1e-15 relative.
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

# exp() of a thousand entries of this size still adds up to a finite number.
LARGEST_PLAIN_LOGIT = 700.0
LARGEST_LOGIT = 1e6


def picked(values: FloatArray, target: FloatArray) -> FloatArray:
    """Return ``values[..., target]``; shapes (..., V) and (...) give (...)."""
    index = target.astype(np.intp)[..., None]
    return np.asarray(np.take_along_axis(values, index, axis=-1)[..., 0])


def exponentials(logits: FloatArray) -> FloatArray:
    """Return exp(z); shape (..., V); overflows to inf above about 709."""
    return np.asarray(np.exp(logits))


def sum_of_exponentials(exp: FloatArray) -> FloatArray:
    """Return Σ_V exp(z); shape (...)."""
    return np.asarray(exp.sum(axis=-1))


def normalised(exp: FloatArray, sum: FloatArray) -> FloatArray:  # noqa: A002 - the step's name
    """Return exp(z) / Σ; shape (..., V); NaN or inf where the sum is 0."""
    return exp / sum[..., None]


def minus_log_probability(softmax: FloatArray, target: FloatArray) -> FloatArray:
    """Return −ln p[target]; shape (...); inf at 0 and NaN below."""
    return np.asarray(-np.log(picked(softmax, target)))


def log_sum_minus_logit(
    logits: FloatArray,
    sum: FloatArray,  # noqa: A002 - the step's name
    target: FloatArray,
) -> FloatArray:
    """Return −z[target] + ln Σ; shape (...)."""
    return np.asarray(np.log(sum) - picked(logits, target))


def exact_log_softmax(logits: FloatArray) -> FloatArray:
    """Return ln softmax(z); shape (..., V).

    One largest logit is taken out of the sum and enters through log1p, so that a
    probability near 1 keeps all digits of its logarithm.
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    is_top = shifted == 0
    others = np.where(is_top, 0.0, np.exp(shifted)).sum(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log1p(others + (is_top.sum(axis=-1, keepdims=True) - 1)))


def exact_softmax(logits: FloatArray) -> FloatArray:
    """Return softmax(z) in the shifted form; shape (..., V)."""
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def exact_loss(logits: FloatArray, target: FloatArray) -> FloatArray:
    """Return −ln softmax(z)[target]; shape (...)."""
    return -picked(exact_log_softmax(logits), target)


def exact_gradient(logits: FloatArray, target: FloatArray) -> FloatArray:
    """Return softmax(z) − one_hot; shape (..., V).

    At the target it is minus the sum of the other probabilities, which does not cancel.
    """
    gradient = exact_softmax(logits)
    index = target.astype(np.intp)[..., None]
    np.put_along_axis(gradient, index, 0.0, axis=-1)
    np.put_along_axis(gradient, index, -gradient.sum(axis=-1)[..., None], axis=-1)
    return gradient


def largest(logits: FloatArray) -> FloatArray:
    """Return max_V z; shape (...)."""
    return np.asarray(logits.max(axis=-1))


def shifted_logits(logits: FloatArray, max: FloatArray) -> FloatArray:  # noqa: A002 - the step
    """Return z − max; shape (..., V)."""
    return logits - max[..., None]


def shifted_exponentials(shifted: FloatArray) -> FloatArray:
    """Return exp(z − max), between 0 and 1; shape (..., V)."""
    return np.asarray(np.exp(shifted))


def log_probabilities(shifted: FloatArray, sum: FloatArray) -> FloatArray:  # noqa: A002 - the step
    """Return (z − max) − ln Σ exp(z − max); shape (..., V)."""
    return shifted - np.log(sum)[..., None]


def log_of_shares(exp: FloatArray, sum: FloatArray) -> FloatArray:  # noqa: A002 - the step's name
    """Return ln(exp / Σ); shape (..., V); NaN where both have overflowed."""
    return np.asarray(np.log(exp / sum[..., None]))


def minus_picked(log_softmax: FloatArray, target: FloatArray) -> FloatArray:
    """Return −ln p[target] from the log-probabilities; shape (...)."""
    return -picked(log_softmax, target)


def log_sum_minus_shifted(
    shifted: FloatArray,
    sum: FloatArray,  # noqa: A002 - the step's name
    target: FloatArray,
) -> FloatArray:
    """Return −(z − max)[target] + ln Σ exp(z − max); shape (...)."""
    return np.log(sum) - picked(shifted, target)


def one_hot(logits: FloatArray, target: FloatArray) -> FloatArray:
    """Return 1 at the target and 0 elsewhere; shape (..., V)."""
    classes = np.arange(logits.shape[-1])
    return np.asarray(classes == target[..., None], dtype=np.float64)


def gradient(softmax: FloatArray, one_hot: FloatArray) -> FloatArray:
    """Return ∂loss/∂z = p − one_hot; shape (..., V)."""
    return softmax - one_hot


def _power_of_ten(logits: FloatArray) -> FloatArray:
    return np.power(10.0, logits)


def _power_of_two(logits: FloatArray) -> FloatArray:
    return np.power(2.0, logits)


def _sum_of_logits(logits: FloatArray) -> FloatArray:
    return np.asarray(logits.sum(axis=-1))


def _linear_share(logits: FloatArray) -> FloatArray:
    return np.asarray(logits / logits.sum(axis=-1, keepdims=True))


def _missing_minus(softmax: FloatArray, target: FloatArray) -> FloatArray:
    return np.log(picked(softmax, target))


def _log_base_ten(softmax: FloatArray, target: FloatArray) -> FloatArray:
    return -np.log10(picked(softmax, target))


def _missing_minus_of_sum(
    logits: FloatArray,
    sum: FloatArray,  # noqa: A002 - the step's name
    target: FloatArray,
) -> FloatArray:
    return picked(logits, target) - np.log(sum)


def _log_base_ten_of_sum(
    logits: FloatArray,
    sum: FloatArray,  # noqa: A002 - the step's name
    target: FloatArray,
) -> FloatArray:
    return np.asarray(np.log10(sum) - picked(logits, target))


def _wrong_target(softmax: FloatArray, target: FloatArray) -> FloatArray:
    is_target = np.arange(softmax.shape[-1]) == target[..., None]
    return np.where(is_target, np.nan, -np.log(softmax))


def _probability_as_loss(softmax: FloatArray, target: FloatArray) -> FloatArray:
    return picked(softmax, target)


def _naive_nan(target: FloatArray) -> FloatArray:
    return np.full(target.shape, np.nan)


def _reversed(softmax: FloatArray, one_hot: FloatArray) -> FloatArray:
    return one_hot - softmax


def _target_forgotten(softmax: FloatArray) -> FloatArray:
    return softmax


def _target_is_a_class(arrays: Arrays) -> None:
    classes = arrays["logits"].shape[-1]
    if not 0 <= arrays["target"] < classes:
        raise GivenError(f"target: must be a class index from 0 to {classes - 1}.")


_MISSING_MINUS = "Look at the sign: the minus in front of the logarithm is missing."
_LOG_BASE_TEN = (
    "Look at the logarithm: it was taken to base ten, the course writes the natural one."
)
_TARGET = Given("target", minimum=0, is_integer=True)
_PLAIN_LOGITS = Given("logits", ("V",), minimum=-LARGEST_PLAIN_LOGIT, maximum=LARGEST_PLAIN_LOGIT)
_LOGITS = Given("logits", ("V",), minimum=-LARGEST_LOGIT, maximum=LARGEST_LOGIT)

CROSS_ENTROPY = Reference(
    name="cross_entropy",
    title="Cross-entropy from logits",
    givens=(_PLAIN_LOGITS, _TARGET),
    validate=_target_is_a_class,
    steps=(
        Step(
            "exp",
            "Exponentials",
            routes(exponentials),
            shape=("V",),
            mistakes=(
                Mistake(
                    "power_of_ten",
                    Break.OPERATION,
                    _power_of_ten,
                    "Look at the base: these are powers of ten, not exponentials.",
                ),
                Mistake(
                    "power_of_two",
                    Break.OPERATION,
                    _power_of_two,
                    "Look at the base: these are powers of two, not exponentials.",
                ),
            ),
        ),
        Step(
            "sum",
            "Sum of the exponentials",
            routes(sum_of_exponentials),
            mistakes=(
                Mistake(
                    "sum_of_logits",
                    Break.OPERATION,
                    _sum_of_logits,
                    "Look at what is added: the logits were summed, not their exponentials.",
                ),
            ),
        ),
        Step(
            "softmax",
            "Probabilities",
            routes(normalised),
            shape=("V",),
            exact=exact_softmax,
            mistakes=(
                Mistake(
                    "linear_share",
                    Break.OPERATION,
                    _linear_share,
                    "Look at what is divided: these are shares of the logits, not of their "
                    "exponentials.",
                ),
            ),
        ),
        Step(
            "loss",
            "Cross-entropy loss",
            routes(minus_log_probability, log_sum_minus_logit),
            is_logarithm=True,
            exact=exact_loss,
            mistakes=(
                Mistake("missing_minus", Break.OPERATION, _missing_minus, _MISSING_MINUS),
                Mistake("missing_minus", Break.OPERATION, _missing_minus_of_sum, _MISSING_MINUS),
                Mistake("log_base_ten", Break.OPERATION, _log_base_ten, _LOG_BASE_TEN),
                Mistake("log_base_ten", Break.OPERATION, _log_base_ten_of_sum, _LOG_BASE_TEN),
                Mistake(
                    "wrong_target",
                    Break.OPERATION,
                    _wrong_target,
                    "Look at which class is the target: another class's probability was used.",
                    several=True,
                ),
                Mistake(
                    "probability_as_loss",
                    Break.VOCABULARY,
                    _probability_as_loss,
                    "Look at the word loss: this is a probability, its logarithm is still to "
                    "be taken.",
                ),
            ),
        ),
    ),
)

STABLE_CROSS_ENTROPY = Reference(
    name="stable_cross_entropy",
    title="Cross-entropy with shifted logits",
    givens=(_LOGITS, _TARGET),
    validate=_target_is_a_class,
    steps=(
        Step("max", "Largest logit", routes(largest)),
        Step("shifted", "Shifted logits", routes(shifted_logits), shape=("V",)),
        Step(
            "exp",
            "Exponentials of the shifted logits",
            routes(shifted_exponentials),
            shape=("V",),
            mistakes=(
                Mistake(
                    "no_shift",
                    Break.OPERATION,
                    exponentials,
                    "Look at what goes into the exponential: the largest logit was not subtracted.",
                ),
            ),
        ),
        Step("sum", "Sum of the exponentials", routes(sum_of_exponentials)),
        Step(
            "log_softmax",
            "Log-probabilities",
            routes(log_probabilities, log_of_shares),
            shape=("V",),
            is_logarithm=True,
            exact=exact_log_softmax,
        ),
        Step(
            "loss",
            "Cross-entropy loss",
            routes(minus_picked, log_sum_minus_shifted),
            is_logarithm=True,
            exact=exact_loss,
            mistakes=(
                Mistake(
                    "naive_nan",
                    Break.OPERATION,
                    _naive_nan,
                    "Look at the order of operations: without the shift the exponentials "
                    "overflow and no number is left.",
                ),
            ),
        ),
    ),
)

SOFTMAX_GRADIENT = Reference(
    name="softmax_gradient",
    title="Gradient of the cross-entropy with respect to the logits",
    givens=(_LOGITS, _TARGET),
    validate=_target_is_a_class,
    steps=(
        Step("softmax", "Probabilities", routes(exact_softmax), shape=("V",)),
        Step("one_hot", "One-hot target", routes(one_hot), shape=("V",)),
        Step(
            "gradient",
            "Gradient",
            routes(gradient),
            shape=("V",),
            exact=exact_gradient,
            mistakes=(
                Mistake(
                    "reversed",
                    Break.OPERATION,
                    _reversed,
                    "Look at the order of the subtraction: it is reversed.",
                ),
                Mistake(
                    "target_forgotten",
                    Break.OPERATION,
                    _target_forgotten,
                    "Look at the target: nothing was subtracted for it.",
                ),
            ),
        ),
    ),
)
