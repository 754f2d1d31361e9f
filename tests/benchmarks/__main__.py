"""``make bench``: run every benchmark; print one table, then one JSON line for each figure.

A benchmark is a module ``bench_*.py`` here whose function ``figures()`` returns objects with the
keys ``name``, ``value``, ``unit``, ``floor`` and ``ratio``: the floor is measured in the same run,
the ratio is value over floor. Names on the command line choose modules.
"""

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator, Mapping

from tests import benchmarks, environment

_KEYS = ("name", "value", "unit", "floor", "ratio")
Figure = Mapping[str, object]


def main(chosen: list[str]) -> int:
    """Run the chosen benchmarks, all without a choice; 1 when one could not be run."""
    sys.stderr.write(f"database, where one is used: {environment.DATABASE}\n")
    found: list[Figure] = []
    failed = []
    for name in _modules(chosen):
        sys.stderr.write(f"… {name}\n")
        try:
            figures = importlib.import_module(f"tests.benchmarks.{name}").figures()
            found.extend({key: figure[key] for key in _KEYS} for figure in figures)
        except Exception as error:  # noqa: BLE001 (one that fails must not hide the others' figures)
            failed.append(f"{name}: {type(error).__name__}: {error}")
    for line in _table(found):
        sys.stdout.write(f"{line}\n")
    for figure in found:
        sys.stdout.write(f"{json.dumps(figure, ensure_ascii=False)}\n")
    for line in failed:
        sys.stderr.write(f"{line}\n")
    return 1 if failed or not found else 0


def _modules(chosen: list[str]) -> Iterator[str]:
    for module in pkgutil.iter_modules(benchmarks.__path__):
        name = module.name
        if name.startswith("bench_") and (not chosen or name.removeprefix("bench_") in chosen):
            yield name


def _table(found: list[Figure]) -> Iterator[str]:
    cells = [_KEYS, *(tuple(_cell(figure[key]) for key in _KEYS) for figure in found)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_KEYS))]
    for name, value, unit, floor, ratio in cells:
        yield (
            f"{name:<{widths[0]}}  {value:>{widths[1]}}  {unit:<{widths[2]}}  "
            f"{floor:>{widths[3]}}  {ratio:>{widths[4]}}"
        )


def _cell(value: object) -> str:
    return f"{value:,.6g}" if isinstance(value, int | float) else str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
