"""Reads the CSV files that spreadsheet programs and LMSs save, or says which line does not fit."""

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from assessment.web.csv_files.cells import restore

MAX_BYTES = 10_000_000
MAX_ROWS = 100_000
MAX_COLUMNS = 1_000
_LONGEST_NAME = 500
_LONGEST_CELL = 20_000
_DELIMITERS = (",", ";", "\t")
# Excel reads and writes a first line that only names the separator.
_NAMED_DELIMITER = re.compile(r'"?sep=([,;\t])"?\r?\n?', re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
# Three digits after a comma could be a group; these cannot.
_ONLY_DECIMAL = re.compile(r"[+-]?(?:0+,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))")
# How files begin that are no CSV, whatever their names say.
_OTHER_KINDS = (
    (b"PK\x03\x04", "Excel (.xlsx) / OpenDocument (.ods)"),
    (b"\xd0\xcf\x11\xe0", "Excel (.xls)"),
    (b"%PDF", "PDF"),
    (b"<", "HTML / XML"),
    (b"{\\rtf", "RTF"),
)


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
    """A whole file; ``remark`` says what was noticed about how it was saved."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    separator: str = ","
    remark: str = ""

    def with_decimal_points(self, columns: Iterable[str]) -> "Table":
        """Return the table with a decimal point in these columns.

        A program that separates cells by semicolons writes ``2,125`` for two and an eighth, and so
        does one that wrote ``2,5`` elsewhere and no point; else a text with two readings stays one.
        """
        names = set(columns) & set(self.columns)
        numbers = [row.get(name) for row in self.rows for name in names]
        commas = any(map(_ONLY_DECIMAL.fullmatch, numbers)) and not any("." in n for n in numbers)
        if not (self.separator == ";" or commas):
            return self
        rows = [replace(row, values=_pointed(row.values, names)) for row in self.rows]
        return replace(self, rows=tuple(rows))


def read_table(content: bytes, known: Collection[str] = ()) -> Table:
    """Return the table in a file.

    The byte-order mark, UTF-16, Windows-1252 (with a remark), both encodings of accents, quotes or
    none, a first line ``sep=;``, and comma, semicolon or tab are all understood. ``known`` names
    columns that help to tell the separator.

    Raises
    ------
    FileRefusedError
        With the line and what to do about it.
    """
    if len(content) > MAX_BYTES:
        raise FileRefusedError(
            gettext("The file has more than %(most)s MB.") % {"most": MAX_BYTES // 1_000_000}
        )
    _refuse_other_kinds(content)
    text, remark = _decoded(content)
    named = _NAMED_DELIMITER.match(text)
    text = text[named.end() :] if named else text
    separator = named[1] if named else _delimiter(text, known)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    above = 1 if named else 0
    begins = 1 + above
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1 + above
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
    return Table(columns, tuple(rows), separator, remark)


def _pointed(values: Mapping[str, str], columns: Collection[str]) -> dict[str, str]:
    return {
        name: value.replace(",", ".")
        if name in columns and _DECIMAL_COMMA.fullmatch(value.strip())
        else value
        for name, value in values.items()
    }


def _refuse_other_kinds(content: bytes) -> None:
    start = content[:64].lstrip()
    kind = next((name for sign, name in _OTHER_KINDS if start.startswith(sign)), "")
    if kind:
        raise FileRefusedError(
            gettext(
                "This is no CSV but another kind of file: %(kind)s. Open it in the spreadsheet"
                " program, save it as “CSV UTF-8”, and hand that file in."
            )
            % {"kind": kind}
        )


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text, and what to say about its encoding."""
    utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text, remark = content.decode("utf-16" if utf_16 else "utf-8-sig"), ""
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        text = "" if utf_16 else _decoded_as_windows(content)
        remark = gettext(
            "Line %(line)s is not UTF-8, so the file was read as Windows-1252: look whether"
            " accents are right. “CSV UTF-8” in the spreadsheet program loses no character."
        ) % {"line": line}
    if not text.strip("\ufeff") and content.strip():
        raise FileRefusedError(
            gettext("The file is damaged, or no text. Save it again as “CSV UTF-8”.")
        )
    if "\0" in text:
        raise FileRefusedError(
            gettext("The file holds a NUL character, so it is no text. Save it as “CSV UTF-8”.")
        )
    return text, remark


def _decoded_as_windows(content: bytes) -> str:
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return ""


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
    if len(cells) > MAX_COLUMNS or any(len(value) > _LONGEST_NAME for value in cells):
        raise FileRefusedError(
            gettext("A table has at most %(most)s columns, each named in %(length)s characters.")
            % {"most": MAX_COLUMNS, "length": _LONGEST_NAME}
        )
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
