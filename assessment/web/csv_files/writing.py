"""Streams rows as CSV: UTF-8, with a byte-order mark for spreadsheet programs."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

from assessment.web.csv_files.cells import Notation, Value, cell

BYTE_ORDER_MARK = "\ufeff"
_PART = 500


class _Line:
    """Takes what the CSV writer writes and hands it back."""

    def write(self, text: str) -> str:
        return text


def lines(
    header: Sequence[str], rows: Iterable[Sequence[Value]], notation: Notation
) -> Iterator[str]:
    """Yield the file in parts of some hundred lines."""
    writer = csv.writer(_Line(), delimiter=notation.separator, lineterminator="\r\n")
    mark = BYTE_ORDER_MARK if notation.for_spreadsheets else ""
    part = [mark + str(writer.writerow(header))]
    for row in rows:
        part.append(str(writer.writerow([cell(value, notation) for value in row])))
        if len(part) >= _PART:
            yield "".join(part)
            part = []
    yield "".join(part)


def stream(
    name: str, header: Sequence[str], rows: Iterable[Sequence[Value]], notation: Notation
) -> StreamingHttpResponse:
    """Return a file to be saved, made while it is sent."""
    response = StreamingHttpResponse(
        lines(header, rows, notation), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "no-store"
    return response
