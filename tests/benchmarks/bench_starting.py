"""How long the service takes to start: a command, and the web process until its first answer.

The floor of a command is Django's own command line without a project; that of the web process is
the same server with an application of a few lines.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import django

from tests.operations.service import ROOT

ROUNDS = 5


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    django.setup()
    web = importlib.import_module("tests.benchmarks.web")
    with tempfile.TemporaryDirectory(prefix="firstbreak-bench-") as name:
        folder = Path(name)
        environment = web.production(folder, DATABASE_URL=f"sqlite:///{folder / 'bench.sqlite3'}")
        command = _processor_ms(["manage.py", "check"], environment)
        bare = _processor_ms(["-m", "django", "version"], {"DJANGO_SETTINGS_MODULE": ""})
        served, floor = (
            min(_until_an_answer(web.Web(environment, folder, each)) for _ in range(ROUNDS))
            for each in (web.SERVICE, web.BARE)
        )
    return [
        _figure("a command (manage.py check), processor time", command, bare),
        _figure("the web process, until its first answer", served, floor),
    ]


def _processor_ms(arguments: list[str], environment: Mapping[str, str]) -> float:
    """Return the processor time of a Python program, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = os.times()
        subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
        )
        after = os.times()
        spent = after.children_user - before.children_user
        spent += after.children_system - before.children_system
        best = min(best, spent * 1000)
    return best


def _until_an_answer(server: AbstractContextManager[object]) -> float:
    began = time.perf_counter()
    with server:
        return (time.perf_counter() - began) * 1000


def _figure(name: str, value: float, floor: float) -> dict[str, object]:
    return {
        "name": f"starting/{name}",
        "value": round(value, 1),
        "unit": "ms",
        "floor": round(floor, 1),
        "ratio": round(value / floor, 4),
    }
