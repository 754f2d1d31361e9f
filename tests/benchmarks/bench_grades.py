"""How fast grades leave, as a client sees it: through one web process and a real socket.

On SQLite and on PostgreSQL, each filled with ``BENCH_RESULTS`` released results (100,000 unless
it says more). The floor of a rate is the same server writing the same rows as JSON, from memory;
that of a last page is the first one, that of a memory is what was held before, and that of the
queries of a page of a thousand is a page of ten.
"""

import importlib
import os

import django


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    django.setup()
    found: list[dict[str, object]] = importlib.import_module("tests.benchmarks.leaving").figures()
    return found
