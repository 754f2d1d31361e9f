"""Memory of weights and optimizer moments, and what a checkpoint without them costs.

All values are scalars ``(...)``, float64. Sizes in bytes, times in the unit named.
Adam keeps two moments for each weight (Kingma & Ba 2015); mixed precision is why
``bytes_per_value`` is a given (Micikevicius et al. 2018).
"""

from exercises.checking.steps import FloatArray, Given, Mistake, Reference, Step, routes
from exercises.checking.verdicts import Break

# Every product of the givens stays below 2**53 bytes times a small factor, so it is exact.
_PARAMETERS = Given("parameters", minimum=1, maximum=1e15, is_integer=True)
_BYTES_PER_VALUE = Given("bytes_per_value", minimum=0, maximum=64, above_minimum=True)


def weights(parameters: FloatArray, bytes_per_value: FloatArray) -> FloatArray:
    """Return n·b, in bytes; shape (...)."""
    return parameters * bytes_per_value


def moments_of_weights(weights: FloatArray) -> FloatArray:
    """Return two moments the size of the weights, in bytes; shape (...)."""
    return 2 * weights


def moments(parameters: FloatArray, bytes_per_value: FloatArray) -> FloatArray:
    """Return 2·n·b, in bytes; shape (...)."""
    return 2 * parameters * bytes_per_value


def total(weights: FloatArray, moments: FloatArray) -> FloatArray:
    """Return weights and moments together, in bytes; shape (...)."""
    return weights + moments


def ratio(total: FloatArray, weights: FloatArray) -> FloatArray:
    """Return total / weights, a pure number; shape (...)."""
    return total / weights


def full_checkpoint(parameters: FloatArray, bytes_per_value: FloatArray) -> FloatArray:
    """Return 3·n·b: weights and two moments, in bytes; shape (...)."""
    return 3 * parameters * bytes_per_value


def full_checkpoint_of_weights(weights_only: FloatArray) -> FloatArray:
    """Return three times the size of the weights, in bytes; shape (...)."""
    return 3 * weights_only


def replay_seconds(steps_lost: FloatArray, seconds_per_step: FloatArray) -> FloatArray:
    """Return the time to compute the lost steps again, in seconds; shape (...)."""
    return steps_lost * seconds_per_step


OPTIMIZER_MEMORY = Reference(
    name="optimizer_memory",
    title="Memory of weights and optimizer moments",
    givens=(_PARAMETERS, _BYTES_PER_VALUE),
    steps=(
        Step("weights", "Weights", routes(weights), unit="byte"),
        Step(
            "moments",
            "Optimizer moments",
            routes(moments, moments_of_weights),
            unit="byte",
            mistakes=(
                Mistake(
                    "one_moment",
                    Break.OPERATION,
                    weights,
                    "Look at what the optimizer keeps for each weight: one moment is missing.",
                ),
            ),
        ),
        Step(
            "total",
            "Total",
            routes(total),
            unit="byte",
            mistakes=(
                Mistake(
                    "weights_only",
                    Break.CLAIM_SCOPE,
                    weights,
                    "Look at what the total covers: these are the weights alone.",
                ),
                Mistake(
                    "moments_only",
                    Break.CLAIM_SCOPE,
                    moments,
                    "Look at what the total covers: these are the moments alone.",
                ),
            ),
        ),
        Step("ratio", "Total over weights", routes(ratio)),
    ),
)

RESUME_COST = Reference(
    name="resume_cost",
    title="Cost of resuming from a checkpoint",
    givens=(
        _PARAMETERS,
        _BYTES_PER_VALUE,
        Given("steps_lost", minimum=0, maximum=1e12, is_integer=True),
        Given("seconds_per_step", minimum=0, maximum=1e9),
    ),
    steps=(
        Step("weights_only", "Weights alone", routes(weights), unit="byte"),
        Step(
            "full_checkpoint",
            "Full checkpoint",
            routes(full_checkpoint, full_checkpoint_of_weights),
            unit="byte",
            mistakes=(
                Mistake(
                    "weights_are_enough",
                    Break.CLAIM_SCOPE,
                    weights,
                    "Look at what a full checkpoint holds besides the weights.",
                ),
            ),
        ),
        Step(
            "replay_seconds", "Time to replay the lost steps", routes(replay_seconds), unit="second"
        ),
    ),
)
