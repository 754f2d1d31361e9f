"""How fast grades leave: rows a second through one process, and the last page beside the first.

A million results in SQLite, read through the whole service in one process, without a socket in
between. The floor of a rate is what the database and the JSON writer take for as many bare rows;
the floor of a last page is the first one, that of memory what was held after a tenth of the answer.
"""

import json
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client as Browser

from assessment.grades.api.cursors import decode
from assessment.review.models import Grade
from tests.benchmarks.million import LargeClass, fill

RESULTS = int(os.environ.get("BENCH_RESULTS", "1000000"))
PAGE = 1000
ROUNDS = 7
ONEROSTER = "/ims/oneroster/gradebook/v1p2/results"
REST = "/api/v1/grades/"


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio; none on PostgreSQL."""
    if connection.vendor != "sqlite":
        return []
    folder = Path(tempfile.mkdtemp(prefix="firstbreak-bench-"))
    kept = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(folder / "bench.sqlite3")
    try:
        call_command("migrate", verbosity=0)
        return _measured(fill(RESULTS))
    finally:
        connection.close()
        connection.settings_dict["NAME"] = kept
        shutil.rmtree(folder, ignore_errors=True)


def _measured(made: LargeClass) -> list[dict[str, object]]:
    settings.API_CALLS_PER_MINUTE = 10**9
    browser = Browser(headers={"host": "127.0.0.1", **made.headers})

    def read(address: str) -> bytes:
        response: Any = browser.get(address)
        content: bytes = response.getvalue()
        assert response.status_code == 200, content[:300]
        return content

    held: list[float] = []

    def streamed() -> None:
        response: Any = browser.get(f"{ONEROSTER}?limit={_half(made)}")
        held.extend(_held_mib() for _part in response.streaming_content)

    bare = PAGE / _seconds(_bare_rows)
    first = _seconds(lambda: read(f"{ONEROSTER}?limit={PAGE}"))
    last = _seconds(lambda: read(f"{ONEROSTER}?limit={PAGE}&offset={made.results - PAGE}"))
    half = _half(made) / _seconds(streamed, rounds=1)
    cursor = json.loads(read(f"{REST}?limit={PAGE}"))["cursor"]
    far = replace(decode(cursor), after=made.last_sequence - PAGE).encode()
    rest_first = _seconds(lambda: read(f"{REST}?limit={PAGE}"))
    rest_last = _seconds(lambda: read(f"{REST}?limit={PAGE}&cursor={far}"))
    return [
        _figure("OneRoster results in pages of 1,000", PAGE / first, "rows/s", bare),
        _figure("OneRoster results, last page", last * 1000, "ms", first * 1000),
        _figure("OneRoster results, half of all in one answer", half, "rows/s", bare),
        _figure("OneRoster results, memory at its end", held[-1], "MiB", held[len(held) // 10]),
        _figure("REST grades in pages of 1,000", PAGE / rest_first, "rows/s", bare),
        _figure("REST grades, last page", rest_last * 1000, "ms", rest_first * 1000),
    ]


def _half(made: LargeClass) -> int:
    return made.results // 2


def _bare_rows() -> None:
    """Read as many rows as a page has, and write them as JSON, without a service around."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {Grade._meta.db_table} LIMIT {PAGE}")  # noqa: S608 (a name of our own)
        json.dumps(cursor.fetchall(), default=str)


def _seconds(call: Callable[[], object], *, rounds: int = ROUNDS) -> float:
    """Return the processor time of one call, the best of some rounds."""
    call()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best


def _held_mib() -> float:
    """Return the memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def _figure(name: str, value: float, unit: str, floor: float) -> dict[str, object]:
    return {
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "floor": round(floor, 3),
        "ratio": round(value / floor, 4),
    }
