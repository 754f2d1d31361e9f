"""A small reference for tests: 4, times 3, plus 5, squared; everything exact."""

import numpy as np

from exercises.checking.steps import FloatArray, Given, Mistake, Reference, Step, routes
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Break

EXACT = Tolerance(rtol=None, exact=True)


def times_three(start: FloatArray) -> FloatArray:
    """Return three times the start."""
    return 3 * start


def plus_five(times_three: FloatArray) -> FloatArray:
    """Return five more."""
    return times_three + 5


def squared(plus_five: FloatArray) -> FloatArray:
    """Return the square."""
    return np.asarray(plus_five**2)


def doubled(plus_five: FloatArray) -> FloatArray:
    """Return twice the value: doubled instead of squared."""
    return 2 * plus_five


def skipped(start: FloatArray) -> FloatArray:
    """Return the start: the multiplication left out."""
    return start


SMALL_CHAIN = Reference(
    name="small_chain",
    title="Small chain",
    givens=(Given("start"),),
    steps=(
        Step(
            "times_three",
            "Times three",
            routes(times_three),
            mistakes=(Mistake("skipped", Break.OPERATION, skipped, "Look at the operation."),),
        ),
        Step("plus_five", "Plus five", routes(plus_five)),
        Step(
            "squared",
            "Squared",
            routes(squared),
            mistakes=(Mistake("doubled", Break.OPERATION, doubled, "Look at the power."),),
        ),
    ),
)
ALL_EXACT = dict.fromkeys(SMALL_CHAIN.step_names, EXACT)
