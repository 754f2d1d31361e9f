"""Time of a training step with and without activation checkpointing.

Scalars ``(...)``, float64, in whatever time unit the givens use; the overhead is a
pure number. Activation checkpointing computes the forward pass a second time.
"""

from exercises.checking.steps import FloatArray, Given, Reference, Step, routes


def plain(forward: FloatArray, backward: FloatArray) -> FloatArray:
    """Return forward + backward; shape (...)."""
    return forward + backward


def checkpointed(forward: FloatArray, backward: FloatArray) -> FloatArray:
    """Return 2·forward + backward; shape (...)."""
    return 2 * forward + backward


def overhead(checkpointed: FloatArray, plain: FloatArray) -> FloatArray:
    """Return checkpointed / plain − 1; shape (...)."""
    return checkpointed / plain - 1


def exact_overhead(forward: FloatArray, backward: FloatArray) -> FloatArray:
    """Return forward / (forward + backward), the same without cancellation; shape (...)."""
    return forward / (forward + backward)


RECOMPUTE_COST = Reference(
    name="recompute_cost",
    title="Cost of recomputing activations",
    givens=(
        Given("forward", minimum=0, maximum=1e12, above_minimum=True),
        Given("backward", minimum=0, maximum=1e12),
    ),
    steps=(
        Step("plain", "Step without checkpointing", routes(plain)),
        Step("checkpointed", "Step with checkpointing", routes(checkpointed)),
        Step("overhead", "Overhead", routes(overhead), exact=exact_overhead),
    ),
)
