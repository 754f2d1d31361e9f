"""Reads ``who_may.txt``: what each caller gets at each route, declared by hand."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

FILE = Path(__file__).with_name("who_may.txt")
METHODS = ("GET", "POST")


@dataclass(frozen=True)
class Row:
    """One route and method, with what each caller gets there; ``any`` is any status below 500."""

    method: str
    route: str
    cells: dict[str, str]

    def differences(self, found: "Row") -> dict[str, str]:
        """Return where another row of the same callers is not what this one says."""
        return {
            caller: f"{self.cells[caller]} in the table, {outcome} from the service"
            for caller, outcome in found.cells.items()
            if self.cells[caller] not in {outcome, "any" if outcome < "500" else outcome}
        }


def read() -> list[Row]:
    """Return the rows; the first line that is no comment names the callers."""
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    (_method, _route, *callers), *rest = [words for words in lines if words]
    return [
        Row(method, route, dict(zip(callers, cells, strict=True))) for method, route, *cells in rest
    ]


def write_line(row: Row) -> str:
    """Return a row as it stands in the file."""
    cells = " ".join(f"{cell:>{max(4, len(name))}}" for name, cell in row.cells.items())
    return f"{row.method:<5} {row.route:<86} {cells}"


def row_for(rows: list[Row], method: str, route: str) -> Row | None:
    """Return the row of a route: its own, else one that ends in ``**`` and covers it."""
    of_method = [row for row in rows if row.method == method]
    own = (row for row in of_method if row.route == route)
    wide = (row for row in of_method if row.route.endswith("**") and fnmatchcase(route, row.route))
    return next(own, None) or next(wide, None)
