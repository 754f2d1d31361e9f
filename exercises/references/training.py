"""A small training run that can be saved, resumed from a partial file, and followed.

Softmax regression on noisy labels: 512 examples of 8 features in 3 classes, a tenth
of the labels drawn again at random. AdamW with bias correction (Kingma & Ba 2015;
Loshchilov & Hutter 2019), a cosine schedule over 15,000 steps, minibatches of 32 in the
order of a stored random stream. float64 throughout; losses in nats, over all examples.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from exercises.checking.steps import FloatArray

FEATURES, CLASSES, EXAMPLES, BATCH = 8, 3, 512, 32
RELABELLED = 0.1  # a third of these keep their label by chance
SCHEDULE_STEPS = 15_000
FOLLOWED_STEPS = 200
BETA1, BETA2, EPSILON, WEIGHT_DECAY = 0.9, 0.999, 1e-8, 0.01
FIELDS = ("weights", "m", "v", "scheduler", "data_position", "rng_state")

_BATCHES = EXAMPLES // BATCH


@dataclass(frozen=True)
class Data:
    """Examples (EXAMPLES, FEATURES) and one-hot labels (EXAMPLES, CLASSES)."""

    examples: FloatArray
    labels: FloatArray


@dataclass(frozen=True)
class State:
    """Everything that the next step depends on; what a complete checkpoint holds.

    ``updates`` counts optimizer steps for the bias correction and belongs to the moments.
    ``stream`` is the state of the random stream before the present epoch was shuffled.
    """

    weights: FloatArray
    m: FloatArray
    v: FloatArray
    updates: int
    schedule: int
    position: int
    stream: Any


@lru_cache(maxsize=32)
def data_of(seed: int) -> Data:
    """Return the examples and the noisy labels."""
    random = np.random.Generator(np.random.PCG64(seed))
    examples = random.standard_normal((EXAMPLES, FEATURES))
    truth = random.standard_normal((FEATURES, CLASSES)) * 2
    classes = (examples @ truth).argmax(axis=1)
    noisy = random.random(EXAMPLES) < RELABELLED
    classes = np.where(noisy, random.integers(0, CLASSES, EXAMPLES), classes)
    return Data(examples, np.eye(CLASSES)[classes])


def fresh(seed: int) -> State:
    """Return the state before the first step."""
    nothing = np.zeros((FEATURES, CLASSES))
    stream: Any = np.random.PCG64(seed + 1).state
    return State(nothing, nothing, nothing, 0, 0, 0, stream)


def loss(weights: FloatArray, data: Data) -> float:
    """Return the mean cross-entropy over all examples."""
    logits = data.examples @ weights
    logits -= logits.max(axis=1, keepdims=True)
    picked = (logits * data.labels).sum(axis=1)
    return float(np.mean(np.log(np.exp(logits).sum(axis=1)) - picked))


def advance(state: State, data: Data, peak_lr: float, steps: int) -> tuple[State, FloatArray]:
    """Return the state after ``steps`` steps, and the weights after each; shape (steps, ...)."""
    bits = np.random.PCG64()
    bits.state = state.stream
    random = np.random.Generator(bits)
    order = random.permutation(EXAMPLES)
    weights, m, v, stream = state.weights, state.m, state.v, state.stream
    position = state.position
    path = np.empty((steps, *weights.shape))
    for count in range(steps):
        if position == _BATCHES:
            stream, position = bits.state, 0
            order = random.permutation(EXAMPLES)
        batch = order[position * BATCH : (position + 1) * BATCH]
        position += 1
        gradient = _gradient(weights, data.examples[batch], data.labels[batch])
        updates = state.updates + count + 1
        m = BETA1 * m + (1 - BETA1) * gradient
        v = BETA2 * v + (1 - BETA2) * gradient**2
        m_hat, v_hat = m / (1 - BETA1**updates), v / (1 - BETA2**updates)
        rate = learning_rate(peak_lr, state.schedule + count)
        weights = weights - rate * (m_hat / (np.sqrt(v_hat) + EPSILON) + WEIGHT_DECAY * weights)
        path[count] = weights
    updates, schedule = state.updates + steps, state.schedule + steps
    return State(weights, m, v, updates, schedule, position, stream), path


def learning_rate(peak_lr: float, step: int) -> float:
    """Return the cosine schedule's rate, from ``peak_lr`` to 0 over the whole run."""
    share = min(step / SCHEDULE_STEPS, 1.0)
    return float(0.5 * peak_lr * (1 + np.cos(np.pi * share)))


def _gradient(weights: FloatArray, examples: FloatArray, labels: FloatArray) -> FloatArray:
    logits = examples @ weights
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(examples.T @ (shares - labels) / len(examples))


@lru_cache(maxsize=32)
def trained(seed: int, step: int, peak_lr: float) -> State:
    """Return the state of the uninterrupted run after ``step`` steps."""
    return advance(fresh(seed), data_of(seed), peak_lr, step)[0]


def restored(state: State, seed: int, fields: frozenset[str]) -> State:
    """Return what a process starts from that finds only these fields in the file."""
    start = fresh(seed)
    return replace(
        start,
        weights=state.weights if "weights" in fields else start.weights,
        m=state.m if "m" in fields else start.m,
        v=state.v if "v" in fields else start.v,
        updates=state.updates if fields & {"m", "v"} else start.updates,
        schedule=state.schedule if "scheduler" in fields else start.schedule,
        position=state.position if "data_position" in fields else start.position,
        stream=state.stream if "rng_state" in fields else start.stream,
    )


@lru_cache(maxsize=256)
def followed(seed: int, step: int, peak_lr: float, fields: frozenset[str]) -> tuple[float, ...]:
    """Return the loss after each of the 200 steps from the restored state."""
    data = data_of(seed)
    start = restored(trained(seed, step, peak_lr), seed, fields)
    path = advance(start, data, peak_lr, FOLLOWED_STEPS)[1]
    return tuple(loss(weights, data) for weights in path)
