"""Pulls grades over a socket, as an LMS and as a teacher do, and measures what that takes."""

import csv
import io
import json
import time
from collections.abc import Callable
from urllib.parse import urlencode

from tests.benchmarks.filling import ONEROSTER, REST, Filled
from tests.benchmarks.web import Answer, Caller, Process, Web

PAGE = 1000
DEFAULT_PAGE = 100
# OneRoster's pages are looked at here and there, from the first to the last.
SAMPLED = 30
ROUNDS = 15

Figure = dict[str, object]


class Reader:
    """An LMS's client with a token that it asked for, and a teacher's browser."""

    def __init__(self, web: Web, filled: Filled) -> None:
        self.filled = filled
        self.process: Process = web.process
        self._teacher = Caller(web.port, {"Cookie": f"sessionid={filled.session}"})
        form = {
            "grant_type": "client_credentials",
            "client_id": filled.client_id,
            "client_secret": "client-secret",
        }
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = Caller(web.port, kind).call("POST", "/oauth/token/", urlencode(form).encode())
        token = json.loads(answer.body)["access_token"]
        self._lms = Caller(web.port, {"Authorization": f"Bearer {token}"})

    def pull(self, address: str) -> Answer:
        """Return an answer to the LMS."""
        return _sound(address, self._lms.get(address))

    def save(self, address: str) -> Answer:
        """Return an answer to the teacher."""
        return _sound(address, self._teacher.get(address))


def _sound(address: str, answer: Answer) -> Answer:
    assert answer.status == 200, (address, answer.status, answer.body[:300])
    return answer


class Floor:
    """The same server with nothing behind it: it writes one page of rows as JSON."""

    def __init__(self, bare: Web) -> None:
        self._caller = Caller(bare.port)
        self._process = bare.process

    def rates(self, page: bytes, rows: int) -> tuple[float, float]:
        """Return rows a second, by the clock and by processor time."""
        self._caller.call("POST", "/", page)
        taken = [_taken(self._caller.get, "/", self._process) for _ in range(ROUNDS)]
        return rows / min(clock for clock, _ in taken), rows / min(spent for _, spent in taken)

    def first_byte(self) -> float:
        """Return the seconds until the first byte of a page without rows."""
        self._caller.call("POST", "/", b"{}")
        return min(self._caller.get("/").first for _ in range(ROUNDS))


def rest(reader: Reader, floor: Floor) -> list[Figure]:
    """Follow the cursors from the first page to the last; then look at both ends again."""
    first = f"{REST}?limit={PAGE}"
    page = _warm(reader, first)
    watch = _Watch(reader.process)
    rows, whole, address = 0, first, first
    while address:
        answer = watch.add(reader.pull(address))
        told = json.loads(answer.body)
        rows += len(told["results"])
        # The last page may hold few rows; the one before it is whole.
        whole, address = (
            (address, f"{first}&cursor={told['cursor']}") if told["cursor"] else (whole, "")
        )
    assert rows == reader.filled.released, (rows, reader.filled.released)
    return [
        *watch.rates("REST, pages of 1,000", rows, floor.rates(page, PAGE)),
        watch.memory("REST, memory of a whole pull"),
        _ends("REST", reader, first, whole),
    ]


def oneroster(reader: Reader, floor: Floor) -> list[Figure]:
    """Read pages of a thousand, pages as they come by default, and all results in one answer."""
    results = reader.filled.results
    found: list[Figure] = []
    for limit in (PAGE, DEFAULT_PAGE):
        first = f"{ONEROSTER}?limit={limit}"
        page = _warm(reader, first)
        watch = _Watch(reader.process)
        step = (results - limit) // (SAMPLED - 1)
        for offset in range(0, step * SAMPLED, step):
            watch.add(reader.pull(f"{first}&offset={offset}"))
        name = f"OneRoster, pages of {limit:,}"
        found += watch.rates(name, limit * SAMPLED, floor.rates(page, limit))
        found.append(_ends(name, reader, first, f"{first}&offset={results - limit}"))
    page = reader.pull(f"{ONEROSTER}?limit={PAGE}").body
    watch = _Watch(reader.process)
    watch.add(reader.pull(f"{ONEROSTER}?limit={results}"))
    name = "OneRoster, all results in one answer"
    found += watch.rates(name, results, floor.rates(page, PAGE))
    return [*found, watch.memory(f"{name}, memory")]


def gradebook(reader: Reader, floor: Floor) -> list[Figure]:
    """Save the gradebook of a thousand learners as a file."""
    address = f"/files/{reader.filled.cohort}/gradebook.csv"
    reader.save(address)
    watch = _Watch(reader.process)
    answer = watch.add(reader.save(address))
    lines = list(csv.reader(io.StringIO(answer.body.decode())))
    began = time.perf_counter()
    csv.writer(io.StringIO()).writerows(lines)
    bare = len(lines) / (time.perf_counter() - began)
    name = "gradebook of 1,000 learners as CSV"
    return [
        *watch.rates(name, len(lines) - 1, (bare, bare)),
        figure(f"{name}, first byte", answer.first * 1000, "ms", floor.first_byte() * 1000),
        watch.memory(f"{name}, memory"),
    ]


def _warm(reader: Reader, address: str) -> bytes:
    """Ask until the process has what it keeps; return the page."""
    pages = [reader.pull(address).body for _ in range(ROUNDS)]
    return pages[-1]


class _Watch:
    """What the web process takes from now on."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._seconds = 0.0
        self._began = process.seconds()
        self._held = process.held()
        process.forget_peak()

    def add(self, answer: Answer) -> Answer:
        """Count an answer's time."""
        self._seconds += answer.seconds
        return answer

    def rates(self, name: str, rows: int, floor: tuple[float, float]) -> list[Figure]:
        """Return rows a second by the clock, which other programs slow down, and without them."""
        spent = self._process.seconds() - self._began
        return [
            figure(name, rows / self._seconds, "rows/s", floor[0]),
            figure(f"{name}, processor time", rows / spent, "rows/s", floor[1]),
        ]

    def memory(self, name: str) -> Figure:
        """Return the most memory held meanwhile, beside what was held at the beginning."""
        return figure(name, self._process.peak(), "MiB", self._held)


def _ends(name: str, reader: Reader, first: str, last: str) -> Figure:
    """Return the processor time of the last page beside that of the first, in turns."""
    best = {first: float("inf"), last: float("inf")}
    for address in [first, last] * ROUNDS:
        spent = _taken(reader.pull, address, reader.process)[1]
        best[address] = min(best[address], spent)
    return figure(f"{name}, last page", best[last] * 1000, "ms", best[first] * 1000)


def _taken(ask: Callable[[str], Answer], address: str, process: Process) -> tuple[float, float]:
    """Return the seconds of an answer: by the client's clock, and of the server's processor."""
    began = process.seconds()
    answer = ask(address)
    return answer.seconds, process.seconds() - began


def figure(name: str, value: float, unit: str, floor: float) -> Figure:
    """Return one figure."""
    return {
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "floor": round(floor, 3),
        "ratio": round(value / floor, 4),
    }
