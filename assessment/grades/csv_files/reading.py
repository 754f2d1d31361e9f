"""Reads the CSV files that spreadsheet programs and LMSs save, or says which line does not fit."""

import csv
import io
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from assessment.grades.csv_files.cells import restore

MAX_BYTES = 10_000_000
MAX_ROWS = 100_000
_LONGEST_CELL = 20_000
_DELIMITERS = (",", ";", "\t")


class FileRefusedError(Exception):
    """The file cannot be read; the text says which line and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the file, by column name; ``line`` is where it begins."""

    line: int
    values: Mapping[str, str]

    def get(self, column: str) -> str:
        """Return a cell without blanks around it, empty where there is none."""
        return self.values.get(column, "").strip()

    def key(self, column: str) -> str:
        """Return a cell to look something up by: accents in their one encoding."""
        return unicodedata.normalize("NFC", self.get(column))


@dataclass(frozen=True, slots=True)
class Table:
    """A whole file."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def read_table(content: bytes, known: Collection[str] = ()) -> Table:
    """Return the table in a file.

    The byte-order mark, both encodings of accents, quotes or none, and comma, semicolon or tab are
    all understood. ``known`` names columns that help to tell the separator.

    Raises
    ------
    FileRefusedError
        With the line and what to do about it.
    """
    if len(content) > MAX_BYTES:
        raise FileRefusedError(
            gettext("The file has more than %(most)s MB.") % {"most": MAX_BYTES // 1_000_000}
        )
    text = _decoded(content)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=_delimiter(text, known), strict=True
    )
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    begins = 1
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if not any(value.strip() for value in cells):
                continue
            if not columns:
                columns = _columns(cells)
                continue
            rows.append(Row(line, _values(columns, cells, line)))
            if len(rows) > MAX_ROWS:
                raise FileRefusedError(
                    gettext("The file has more than %(most)s lines.") % {"most": MAX_ROWS}
                )
    except csv.Error as error:
        raise FileRefusedError(
            gettext("Line %(line)s cannot be read (%(error)s): is a quote left open?")
            % {"line": begins, "error": error}
        ) from error
    if not columns:
        raise FileRefusedError(gettext("The file is empty: its first line names the columns."))
    return Table(columns, tuple(rows))


def _decoded(content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileRefusedError(
            gettext(
                "Line %(line)s is not UTF-8. In the spreadsheet program choose “CSV UTF-8” when"
                " you save."
            )
            % {"line": line}
        ) from error


def _delimiter(text: str, known: Collection[str]) -> str:
    """Return the separator under which the first line names most known columns, then most."""
    first = text.lstrip("\r\n").partition("\n")[0]

    def score(delimiter: str) -> tuple[int, int]:
        names = [_name(each) for each in first.split(delimiter)]
        return sum(name in known for name in names), len(names)

    return max(_DELIMITERS, key=score)


def _name(text: str) -> str:
    plain = text.strip().strip('"').strip()
    return unicodedata.normalize("NFC", plain).casefold()


def _columns(cells: list[str]) -> tuple[str, ...]:
    names = tuple(_name(restore(value)) for value in cells)
    doubled = {name for name in names if name and names.count(name) > 1}
    if doubled:
        raise FileRefusedError(
            gettext("The columns %(names)s stand there twice.") % {"names": ", ".join(doubled)}
        )
    return names


def _values(columns: tuple[str, ...], cells: list[str], line: int) -> dict[str, str]:
    if len(cells) > len(columns) and any(value.strip() for value in cells[len(columns) :]):
        raise FileRefusedError(
            gettext("Line %(line)s has %(found)s cells under %(named)s columns.")
            % {"line": line, "found": len(cells), "named": len(columns)}
        )
    if any(len(value) > _LONGEST_CELL for value in cells):
        raise FileRefusedError(
            gettext("Line %(line)s has a cell of more than %(most)s characters.")
            % {"line": line, "most": _LONGEST_CELL}
        )
    return {name: restore(value) for name, value in zip(columns, cells, strict=False) if name}
