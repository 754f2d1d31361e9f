"""Read a rubric, a table or one sentence; its points add up to what its heading says."""

import re
from collections.abc import Sequence
from decimal import Decimal

from exercises.documents.session import Criterion, Rubric
from exercises.documents.text import (
    DASH,
    Document,
    Line,
    amount,
    bare,
    heading_text,
    plain,
    table,
    title,
)

RUBRIC_HEADING = re.compile(
    rf"^Rubric(?: for)?(?:\s*{DASH})?\s+Exercise (?P<number>\d{{1,3}})\s*{DASH}?\s*"
    r"/\s*(?P<total>\d[\d.,]*)(?:\s*points?)?$",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"^(?P<points>\d[\d.,]*)\s+points?\s+(?:per|for each|each)\b[^:]*:\s*(?P<names>.+)$",
    re.IGNORECASE,
)


def read_rubric(document: Document, part: Sequence[Line], number: int) -> Rubric:
    """Read the rubric of exercise ``number``; its heading is the first line."""
    heading = part[0]
    match = RUBRIC_HEADING.match(heading_text(heading))
    if match is None:
        raise document.error(heading, "is no heading of a rubric")
    if int(match["number"]) != number:
        raise document.error(
            heading, f"the rubric of exercise {match['number']} stands below exercise {number}"
        )
    total = amount(document, heading, match["total"])
    rows = [line for line in part[1:] if line.text.lstrip().startswith("|")]
    criteria = _table(document, rows) if rows else _prose(document, part, total)
    stray = [line for line in part[1:] if rows and line not in rows]
    if stray:
        raise document.error(stray[0], "this line belongs neither to the rubric nor to an exercise")
    names = [bare(criterion.title) for criterion in criteria]
    if len(set(names)) != len(names):
        raise document.error(heading, "two criteria of the rubric have one name")
    points = sum((criterion.points for criterion in criteria), Decimal(0))
    if points != total:
        raise document.error(
            heading, f"the points add up to {points.normalize():f}, the rubric says /{total:f}"
        )
    return Rubric(total, criteria)


def _table(document: Document, rows: Sequence[Line]) -> tuple[Criterion, ...]:
    return tuple(
        Criterion(title(document, row.line, row.cells[0]), amount(document, row.line, row.cells[1]))
        for row in table(document, rows, 2)
    )


def _prose(document: Document, part: Sequence[Line], total: Decimal) -> tuple[Criterion, ...]:
    """Read “2 points per element: a, b, and c.”; the total settles a comma left out."""
    match = _PROSE.match(plain(part[1].text)) if len(part) > 1 else None
    if match is None or len(part) > 2:  # noqa: PLR2004 - a heading and its one sentence
        raise document.error(
            part[-1], "the rubric is neither a table nor “n points per element: a, b, and c”"
        )
    points = amount(document, part[1], match["points"])
    names = [
        re.sub(r"^and\s+", "", n.strip()) for n in re.split(r"[;,]", match["names"].rstrip("."))
    ]
    names = [name for name in names if name]
    if (len(names) + 1) * points == total and " and " in names[-1]:
        names[-1:] = names[-1].rsplit(" and ", 1)
    return tuple(Criterion(title(document, part[1], name), points) for name in names)
