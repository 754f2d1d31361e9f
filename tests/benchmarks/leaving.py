"""How fast grades leave; ``bench_grades`` says what is measured, and calls this."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.filling import Filled
from tests.benchmarks.pulling import Figure, Floor, Reader, figure, gradebook, oneroster, rest
from tests.benchmarks.web import BARE, Web, production
from tests.operations.service import ROOT
from tests.postgres import Postgres
from tests.queue import Broker

RESULTS = int(os.environ.get("BENCH_RESULTS", "100000"))


def figures() -> list[Figure]:
    """Return every figure of both databases."""
    broker = Broker(os.environ["REDIS_URL"])
    broker.start()
    folder = Path(tempfile.mkdtemp(prefix="firstbreak-bench-"))
    try:
        found = _measured("SQLite", f"sqlite:///{folder / 'bench.sqlite3'}", folder)
        with _postgres() as address:
            return found + _measured("PostgreSQL", address, folder)
    finally:
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _postgres() -> Iterator[str]:
    server = Postgres()
    server.start()
    try:
        yield server.url
    finally:
        server.stop()


def _measured(name: str, database: str, folder: Path) -> list[Figure]:
    sys.stderr.write(f"  {name}: {RESULTS:,} results\n")
    environment = production(folder, DATABASE_URL=database)
    filled = _filled(environment)
    with Web(environment, folder) as web, Web(environment, folder, BARE) as bare:
        reader, floor = Reader(web, filled), Floor(bare)
        found = [*rest(reader, floor), *oneroster(reader, floor), *gradebook(reader, floor)]
    for label, (few, many) in filled.queries.items():
        found.append(figure(f"{label}, queries of a page of 1,000", many, "queries", few))
    return [{**each, "name": f"grades/{name}: {each['name']}"} for each in found]


def _filled(environment: Mapping[str, str]) -> Filled:
    """Fill the database in a process of its own, with settings of its own."""
    code = f"from tests.benchmarks.filling import tell; tell({RESULTS})"
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    return Filled(**json.loads(made.stdout.splitlines()[-1]))
