"""Open a document, bounded, and cut it into numbered lines; the marks that all documents share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

MAX_BYTES = 2_000_000  # a session's longest document has about 13,000; a book has 1,000,000
MAX_LINES = 20_000  # the longest has about 230
MAX_LINE = 20_000  # one paragraph is one line in these documents
MAX_TITLE = 200

DASH = r"[—–―-]"
_BOM = "\ufeff"
_BULLET = re.compile(r"^\s*[•‣▪*-]\s+(?P<text>.+)$")
_NUMBERED = re.compile(r"^\s*(?P<number>\d{1,3})[.)]\s+(?P<text>.+)$")
_SENTENCE_END = re.compile(r"[.!?…][\"”»’)\]]*\s+(?=[\"“«‘(\[]?\s?(?P<first>[^\W_]))")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|al|vs|cf|approx|fig|eq|resp)\.\s+$", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\*\*(?P<bold>[^*]{1,80}?):?\*\*:?|(?P<name>[^:.*]{1,60}):)(?:\s+|$)(?P<text>.*)$"
)
_MOST_POINTS = 1_000
# A Windows-1252 file that was read as Latin-1 and saved as UTF-8 keeps its quotes as controls.
_WINDOWS_CONTROLS = {code: bytes([code]).decode("cp1252") for code in (*range(0x91, 0x98), 0x85)}


class DocumentError(Exception):
    """A document that cannot be read: which ``file``, which ``line`` (or None), and ``reason``."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file = file
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"{place(self.file, self.line)}: {self.reason}"


def place(file: str, line: int | None) -> str:
    """Say where: ``line 12 of slides.txt``, or the file's name alone."""
    return file if line is None else f"line {line} of {file}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands in the file, without its end; ``number`` counts from 1."""

    number: int
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing is typed."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Document:
    """A document's name, for messages, and its lines."""

    name: str
    lines: tuple[Line, ...]

    def error(self, line: Line | int | None, reason: str) -> DocumentError:
        """Return the error to raise for this line."""
        return DocumentError(self.name, line.number if isinstance(line, Line) else line, reason)


def open_document(path: Path) -> Document:
    """Read a file of at most ``MAX_BYTES`` bytes; raise DocumentError when it is unusable."""
    return document_from_bytes(path.name, read_bounded(path))


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a file; never reads more than ``MAX_BYTES``."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise DocumentError(path.name, None, f"cannot be opened ({reason})") from error
    if len(data) > MAX_BYTES:
        raise DocumentError(
            path.name, None, f"is larger than {MAX_BYTES // 1_000_000} MB, too large for a document"
        )
    return data


def document_from_bytes(name: str, data: bytes) -> Document:
    """Decode UTF-8, with or without a byte-order mark, with any line ends."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentError(name, 1, "the file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DocumentError(
            name,
            line,
            f"byte 0x{data[error.start]:02x} is not UTF-8 (Windows-1252, perhaps); "
            "save the file as UTF-8",
        ) from error
    return document_from_text(name, text)


def document_from_text(name: str, text: str) -> Document:
    """Cut a text into lines, whatever ends them; refuse what no document holds."""
    text = text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")
    text = text.translate(_WINDOWS_CONTROLS)
    lines = tuple(
        Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), start=1)
    )
    if len(lines) > MAX_LINES:
        raise DocumentError(name, MAX_LINES + 1, f"the file has more than {MAX_LINES} lines")
    for line in lines:
        if len(line.text) > MAX_LINE:
            raise DocumentError(name, line.number, f"the line is longer than {MAX_LINE} characters")
        if any(ord(character) < ord(" ") and character != "\t" for character in line.text):
            raise DocumentError(name, line.number, "the line holds a control character")
    if all(line.is_blank for line in lines):
        raise DocumentError(name, None, "is empty")
    return Document(name, lines)


def bare(text: str) -> str:
    """Return a heading or label as it is compared: no marks, no case, one blank between words."""
    text = re.sub(r"[*_`#]+", " ", text)
    text = re.sub(DASH, "-", text)
    return " ".join(text.split()).casefold().removesuffix(":").strip()


def plain(text: str) -> str:
    """Return a text without surrounding blanks and emphasis marks."""
    return re.sub(r"\*\*(.+?)\*\*", r"\1", text.strip())


def heading_text(line: Line) -> str:
    """Return a line as a heading: no Markdown marks around it."""
    return plain(line.text.lstrip("# ")).strip("* ")


def unquoted(text: str) -> str:
    """Return a statement without the quotation marks around the whole of it."""
    text = text.strip()
    for opening, closing in ("“”", "«»", '""', "„“", "‘’", "''"):
        whole = len(text) > 1 and text[0] == opening and text[-1] == closing
        if whole and not {opening, closing} & set(text[1:-1]):
            return text[1:-1].strip()
    return text


def sentences(text: str) -> tuple[str, ...]:
    """Cut a paragraph into sentences; decimals, abbreviations and initials do not end one."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        starts_lower = match["first"].islower()
        if starts_lower or _ABBREVIATION.search(text, start, match.end()):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return tuple(sentence for sentence in found if sentence)


def bullet(line: Line) -> str | None:
    """Return the text of a bulleted line, or None."""
    match = _BULLET.match(line.text)
    return match["text"].strip() if match else None


def numbered(line: Line) -> tuple[int, str] | None:
    """Return number and text of a numbered line, or None."""
    match = _NUMBERED.match(line.text)
    return (int(match["number"]), match["text"].strip()) if match else None


def labelled(text: str) -> tuple[str, str] | None:
    """Cut ``> **Label:** text`` or ``Label: text`` into bare label and text, or None."""
    text = re.sub(r"^\s*(?:>\s*)?(?:[•*-]\s+(?=\*\*))?", "", text)
    match = _LABEL.match(text)
    if match is None:
        return None
    return bare(match["bold"] or match["name"]), match["text"].strip()


def title(document: Document, line: Line, text: str) -> str:
    """Return a heading's text, bounded."""
    found = plain(text)
    if not found:
        raise document.error(line, "the heading has no text")
    if len(found) > MAX_TITLE:
        raise document.error(line, f"the heading is longer than {MAX_TITLE} characters")
    return found


def amount(document: Document, line: Line, text: str) -> Decimal:
    """Read a number of points: at most two decimals, positive, below 1,000."""
    try:
        points = Decimal(plain(text).replace(",", "."))
    except InvalidOperation:
        raise document.error(line, f"“{text[:40]}” is not a number of points") from None
    if not points.is_finite() or not 0 < points < _MOST_POINTS:
        raise document.error(line, f"“{text[:40]}” is not a number of points between 0 and 1,000")
    if points != points.quantize(Decimal("0.01")):
        raise document.error(line, f"“{text[:40]}” has more than two decimals")
    return points.normalize() if points != points.to_integral() else points.quantize(Decimal(1))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table row's line and cells, as many as the header has."""

    line: Line
    cells: tuple[str, ...]


def table(document: Document, lines: Sequence[Line], columns: int) -> tuple[TableRow, ...]:
    """Read the one Markdown table among these lines, without its header."""
    rows = [line for line in lines if line.text.lstrip().startswith("|")]
    if not rows:
        raise document.error(lines[0] if lines else None, "a table is missing here")
    body: list[TableRow] = []
    for position, line in enumerate(rows):
        cells = _cells(line.text)
        if len(cells) != columns:
            raise document.error(
                line, f"the table row has {len(cells)} cells where {columns} belong"
            )
        if position == 1 and all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            continue
        if position == 0:
            continue
        if not all(cells):
            raise document.error(line, f"cell {cells.index('') + 1} of the table row is empty")
        body.append(TableRow(line, cells))
    if not body:
        raise document.error(rows[0], "the table has no rows")
    return tuple(body)


def _cells(text: str) -> tuple[str, ...]:
    inner = text.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner))
