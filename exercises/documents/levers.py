"""Cut the rows of a levers table that has lost its column marks.

Marks that are there (a tab, a bar, two blanks) decide. Without them a column begins with a capital:
certain when a row has as many capitals as columns to begin, and none after a small word, else a
guess that a warning names and that checks.yaml can declare (``slides: levers: starts:``).
"""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from exercises.documents.session import Levers
from exercises.documents.text import Document, Line, place

Starts = Mapping[int, Sequence[str]]

_PLAIN_WORD = re.compile(r"^[A-ZÀ-Þ][a-zà-ÿ’']+(?:-[\w’']+)*[,;:]?$")
_SMALL_WORD = re.compile(
    r"an?|and|as|at|by|each|every|for|from|in|into|its|of|on|or|per|than|the|to|with|without",
    re.IGNORECASE,
)
_MOST_CANDIDATES = 12


def read_levers(
    document: Document, title: str, lines: Sequence[Line], starts: Starts
) -> tuple[Levers, tuple[str, ...]]:
    """Return the table, its header being the first line, and what was guessed.

    Parameters
    ----------
    starts
        By row, counted from 1: the word that begins each column after the first.
    """
    columns = _marked(lines[0].text) or _header(lines[0].text)
    if len(columns) < 2:  # noqa: PLR2004 - a table has two columns
        raise document.error(lines[0], "the header of the levers table names no second column")
    rows: list[tuple[str, ...]] = []
    warnings: list[str] = []
    for number, line in enumerate(lines[1:], start=1):
        marked = _marked(line.text)
        if marked and len(marked) != len(columns):
            raise document.error(
                line, f"the table row has {len(marked)} cells where {len(columns)} belong"
            )
        declared = starts.get(number)
        if marked:
            rows.append(marked)
        elif declared is not None:
            rows.append(_declared(document, line, declared, len(columns)))
        else:
            cells, is_certain = _guessed(line.text, len(columns))
            rows.append(cells)
            if not is_certain:
                warnings.append(
                    f"{place(document.name, line.number)}: the columns of the lever “{cells[0]}” "
                    "are a guess; declare them in checks.yaml (slides, levers, starts)"
                )
    return Levers(title, columns, tuple(rows)), tuple(warnings)


def _marked(text: str) -> tuple[str, ...]:
    # A run of blanks is looked at once: alternatives that begin with blanks would look for ever.
    runs = re.sub(
        r"\s+", lambda run: " " if run[0] == " " else "\t", text.strip().strip("|").strip()
    )
    cells = tuple(cell.strip() for cell in runs.replace(" | ", "\t").split("\t"))
    return cells if len(cells) > 1 and all(cells) else ()


def _header(text: str) -> tuple[str, ...]:
    words = text.split()
    starts = [index for index, word in enumerate(words) if word[0].isupper()]
    return _cut(words, starts if starts[:1] == [0] else [0, *starts])


def _guessed(text: str, columns: int) -> tuple[tuple[str, ...], bool]:
    """Cut at capitals, the likeliest first; a row that has too few keeps its last cells empty."""
    words = text.split()
    after = range(1, len(words))
    free = {i for i in after if not _SMALL_WORD.fullmatch(words[i - 1])}
    capitals = [i for i in after if words[i][0].isupper()]
    likely = [i for i in capitals if i in free and _PLAIN_WORD.match(words[i])]
    figures = [i for i in after if i in free and words[i][0].isdigit()]
    for starts in (
        likely,
        [i for i in capitals if i in free],
        capitals,
        sorted(capitals + figures),
    ):
        if len(starts) >= columns - 1:
            best = min(
                combinations(starts[:_MOST_CANDIDATES], columns - 1),
                key=lambda chosen: max(len(cell) for cell in _cut(words, [0, *chosen])),
            )
            is_certain = len(capitals) == columns - 1 and free.issuperset(capitals)
            return _cut(words, [0, *best]), is_certain
    cells = _cut(words, [0, *capitals])
    return cells + ("",) * (columns - len(cells)), False


def _declared(
    document: Document, line: Line, declared: Sequence[str], columns: int
) -> tuple[str, ...]:
    words = line.text.split()
    starts = [0]
    for word in declared:
        found = next((i for i in range(starts[-1] + 1, len(words)) if words[i] == word), None)
        if found is None:
            raise document.error(
                line, f"“{word}”, declared to begin a column, does not stand in the row"
            )
        starts.append(found)
    if len(starts) != columns:
        raise document.error(
            line, f"{len(starts)} columns are declared where the table has {columns}"
        )
    return _cut(words, starts)


def _cut(words: Sequence[str], starts: Sequence[int]) -> tuple[str, ...]:
    ends = [*starts[1:], len(words)]
    return tuple(" ".join(words[a:b]) for a, b in zip(starts, ends, strict=True))
