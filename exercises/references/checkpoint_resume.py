"""Resuming a real, seeded training run from a file that holds only some of its state.

Scalars ``(...)`` except ``restored`` ``(..., F)``, a 0/1 flag for each field of
``training.FIELDS``, and ``loss_curve`` ``(..., 200)``. Losses in nats; float64.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from exercises.checking.steps import FloatArray, Given, GivenError, Reference, Step, routes
from exercises.references import training

# What else people call the fields; compared without case, blanks and marks.
_SYNONYMS = {
    "moments": ("m", "v"),
    "mv": ("m", "v"),
    "optimizer": ("m", "v"),
    "optimizermoments": ("m", "v"),
    "optimizerstate": ("m", "v"),
    "optimizerstates": ("m", "v"),
    "schedule": ("scheduler",),
    "schedulerstate": ("scheduler",),
    "dataposition": ("data_position",),
    "position": ("data_position",),
    "rng": ("rng_state",),
    "rngstate": ("rng_state",),
    "rngstates": ("rng_state",),
    "randomstate": ("rng_state",),
    "randomstates": ("rng_state",),
}
MOST_FIELDS = 20


@dataclass(frozen=True)
class FieldsGiven(Given):
    """Names of the fields that a file holds, read as a flag for each field."""

    def read(self, value: object) -> FloatArray:
        """Return 1 for each field that is named and 0 for the others."""
        if not isinstance(value, list | tuple) or len(value) > MOST_FIELDS:
            raise GivenError(f"{self.name}: a list of field names is needed.")
        named = {field for each in value for field in self._fields(each)}
        return np.array([float(field in named) for field in training.FIELDS])

    def _fields(self, name: object) -> tuple[str, ...]:
        key = "".join(filter(str.isalnum, str(name).lower())) if isinstance(name, str) else ""
        known = {field.replace("_", ""): (field,) for field in training.FIELDS} | _SYNONYMS
        if key not in known:
            raise GivenError(
                f"{self.name}: unknown field {str(name)[:40]!r}. Known: "
                f"{', '.join(training.FIELDS)}."
            )
        return known[key]


def loss_before(seed: FloatArray, step: FloatArray, peak_lr: FloatArray) -> FloatArray:
    """Return the loss when the file is written; shape (...)."""

    def one(place: tuple[int, ...]) -> float:
        first, at, rate = int(seed[place]), int(step[place]), float(peak_lr[place])
        return training.loss(training.trained(first, at, rate).weights, training.data_of(first))

    return _each(seed, one)


def loss_curve(
    seed: FloatArray, step: FloatArray, restored: FloatArray, peak_lr: FloatArray
) -> FloatArray:
    """Return the loss after each of the 200 steps that follow; shape (..., 200)."""

    def one(place: tuple[int, ...]) -> tuple[float, ...]:
        held = zip(training.FIELDS, restored[place], strict=True)
        fields = frozenset(field for field, is_held in held if is_held)
        return training.followed(int(seed[place]), int(step[place]), float(peak_lr[place]), fields)

    return _each(seed, one)


def spike(loss_curve: FloatArray, loss_before: FloatArray) -> FloatArray:
    """Return the largest loss of the curve less the loss before; shape (...)."""
    return np.asarray(loss_curve.max(axis=-1) - loss_before)


def _each(
    over: FloatArray, one: Callable[[tuple[int, ...]], float | tuple[float, ...]]
) -> FloatArray:
    values = np.array([one(place) for place in np.ndindex(over.shape)])
    return values.reshape((*over.shape, *values.shape[1:]))


CHECKPOINT_RESUME = Reference(
    name="checkpoint_resume",
    title="Resuming a training run",
    is_trace=False,
    givens=(
        Given("seed", minimum=0, maximum=2**31, is_integer=True),
        Given("step", minimum=0, maximum=14_800, is_integer=True, default=12_000),
        FieldsGiven("restored", ("F",)),
        Given("peak_lr", minimum=0, maximum=10),
    ),
    steps=(
        Step("loss_before", "Loss when the file is written", routes(loss_before)),
        Step("loss_curve", "Loss after resuming", routes(loss_curve), shape=("S",)),
        Step("spike", "Rise of the loss", routes(spike)),
    ),
)
