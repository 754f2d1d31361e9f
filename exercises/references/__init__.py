"""Worked solutions as sets of NumPy functions, one module a topic."""

from exercises.checking.steps import Reference
from exercises.references.accumulation import BF16_ACCUMULATION
from exercises.references.checkpoint_resume import CHECKPOINT_RESUME
from exercises.references.cross_entropy import (
    CROSS_ENTROPY,
    SOFTMAX_GRADIENT,
    STABLE_CROSS_ENTROPY,
)
from exercises.references.masked_mean_loss import MASKED_MEAN_LOSS
from exercises.references.memory import OPTIMIZER_MEMORY, RESUME_COST
from exercises.references.optimizer import ADAMW_STEP, GRADIENT_CLIPPING
from exercises.references.recompute import RECOMPUTE_COST

_REFERENCES = {
    reference.name: reference
    for reference in (
        CROSS_ENTROPY,
        STABLE_CROSS_ENTROPY,
        SOFTMAX_GRADIENT,
        MASKED_MEAN_LOSS,
        ADAMW_STEP,
        GRADIENT_CLIPPING,
        OPTIMIZER_MEMORY,
        RESUME_COST,
        RECOMPUTE_COST,
        BF16_ACCUMULATION,
        CHECKPOINT_RESUME,
    )
}


class UnknownReferenceError(LookupError):
    """No reference has that name."""


def names() -> tuple[str, ...]:
    """Return the names of all references."""
    return tuple(_REFERENCES)


def get(name: str) -> Reference:
    """Return the reference of that name, or raise :class:`UnknownReferenceError`."""
    try:
        return _REFERENCES[name]
    except (KeyError, TypeError) as error:
        known = ", ".join(_REFERENCES)
        raise UnknownReferenceError(
            f"No reference is called {str(name)[:40]!r}. Known: {known}."
        ) from error
