"""Streams rows as CSV: UTF-8, with a byte-order mark for spreadsheet programs unless refused."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

from assessment.grades.csv_files.cells import Value, cell

BYTE_ORDER_MARK = "\ufeff"
_PART = 500


class _Line:
    """Takes what the CSV writer writes and hands it back."""

    def write(self, text: str) -> str:
        return text


def lines(header: Sequence[str], rows: Iterable[Sequence[Value]], *, mark: bool) -> Iterator[str]:
    """Yield the file in parts of some hundred lines."""
    writer = csv.writer(_Line(), lineterminator="\r\n")
    part = [(BYTE_ORDER_MARK if mark else "") + str(writer.writerow(header))]
    for row in rows:
        part.append(str(writer.writerow([cell(value) for value in row])))
        if len(part) >= _PART:
            yield "".join(part)
            part = []
    yield "".join(part)


def stream(
    name: str, header: Sequence[str], rows: Iterable[Sequence[Value]], *, mark: bool
) -> StreamingHttpResponse:
    """Return a file to be saved, made while it is sent."""
    response = StreamingHttpResponse(
        lines(header, rows, mark=mark), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "no-store"
    return response
