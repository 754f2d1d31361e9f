"""How many answers a second are read and compared through the public functions, on one core.

The floor is what Python itself takes: ``float()`` and a comparison, measured in the same run.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from exercises.checking.answers import check_line, field_of
from exercises.checking.reading import read_array, read_number, read_quantity

ANSWERS = 20_000
ROUNDS = 7
LOSS = 0.4076059644443803
SOFTMAX = [0.66524, 0.24473, 0.09003]

T = TypeVar("T")


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio."""
    rng = random.Random(11)
    numbers = [f"{rng.uniform(0.38, 0.43):.{rng.randint(2, 6)}f}" for _ in range(ANSWERS)]
    arrays = [
        "[" + "; ".join(f"{entry + rng.choice((0, 0, 0.01)):.3f}" for entry in SOFTMAX) + "]"
        for _ in range(ANSWERS)
    ]
    quantities = [f"{rng.uniform(50, 54):.2f} GiB" for _ in range(ANSWERS)]
    others = [f"{rng.uniform(0.38, 0.43):.4f}".replace(".", ",") for _ in range(ANSWERS)]

    number: dict[str, object] = {"id": "n", "kind": "number", "expected": LOSS}
    array: dict[str, object] = {"id": "a", "kind": "array", "expected": SOFTMAX}
    quantity: dict[str, object] = {"id": "q", "kind": "quantity", "expected": 56e9, "unit": "byte"}

    def floor(text: str) -> bool:
        return abs(float(text) - LOSS) <= 0.002 * LOSS

    lowest = _rate(floor, numbers)
    rates = {
        "number: read": _rate(read_number, numbers),
        "number: read and compare": _rate(field_of(number).check, numbers),
        "number: a line": _rate(check_line, _lines(number, numbers)),
        "number with a comma: read and compare": _rate(field_of(number).check, others),
        "array of three: read": _rate(read_array, arrays),
        "array of three: read and compare": _rate(field_of(array).check, arrays),
        "array of three: a line": _rate(check_line, _lines(array, arrays)),
        "quantity: read": _rate(lambda text: read_quantity(text, "byte"), quantities),
        "quantity: read and compare": _rate(field_of(quantity).check, quantities),
        "quantity: a line": _rate(check_line, _lines(quantity, quantities)),
    }
    found = [_figure("float() and a comparison", lowest, "answers/s", lowest)]
    found += [_figure(name, rate, "answers/s", lowest) for name, rate in rates.items()]
    bare, engine = _import_ms("numpy"), _import_ms("exercises.checking.answers")
    found.append(_figure("import of the engine, NumPy included", engine, "ms", bare))
    return found


def _lines(question: dict[str, object], answers: Iterable[str]) -> list[dict[str, object]]:
    return [{**question, "answer": answer} for answer in answers]


def _rate(function: Callable[[T], object], items: Sequence[T]) -> float:
    """Return calls a second: the best of some rounds, in processor time."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        for item in items:
            function(item)
        best = max(best, len(items) / (time.process_time() - began))
    return best


def _import_ms(module: str) -> float:
    """Return the processor time that importing a module takes in a fresh interpreter."""
    code = (
        f"import time; began = time.process_time(); import {module}; "
        "print((time.process_time() - began) * 1000)"
    )
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(ROUNDS)
    )


def _figure(name: str, value: float, unit: str, floor: float) -> dict[str, object]:
    return {
        "name": f"reading/{name}",
        "value": round(value, 1),
        "unit": unit,
        "floor": round(floor, 1),
        "ratio": round(value / floor, 4),
    }


if __name__ == "__main__":
    for figure in figures():
        sys.stdout.write(json.dumps(figure) + "\n")
