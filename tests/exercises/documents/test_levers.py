import pytest

from exercises.documents.levers import read_levers
from exercises.documents.text import DocumentError, document_from_text

HEADER = "Lever What it buys What it costs"


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        pytest.param(
            "Batching Fewer launches Latency of the first",
            ("Batching", "Fewer launches", "Latency of the first"),
            id="a capital for each column",
        ),
        pytest.param(
            "BF16 (compute) Half the bytes FP32 copies",
            ("BF16 (compute)", "Half the bytes", "FP32 copies"),
            id="an acronym begins a column",
        ),
        pytest.param(
            "Batching | fewer launches | latency",
            ("Batching", "fewer launches", "latency"),
            id="bars",
        ),
        pytest.param(
            "Batching\tfewer launches\tlatency",
            ("Batching", "fewer launches", "latency"),
            id="tabs",
        ),
        pytest.param(
            "Batching  fewer launches   latency",
            ("Batching", "fewer launches", "latency"),
            id="blanks",
        ),
    ],
)
def test_a_row_that_is_certain_is_cut_without_a_warning(row: str, cells: tuple[str, ...]) -> None:
    document = document_from_text("slides.txt", f"{HEADER}\n{row}")

    levers, warnings = read_levers(document, "Levers", document.lines, {})

    assert levers.columns == ("Lever", "What it buys", "What it costs")
    assert levers.rows == (cells,)
    assert warnings == ()


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        pytest.param(
            "Sharding Room for the GPU count Messages between ranks",
            ("Sharding", "Room for the GPU count", "Messages between ranks"),
            id="an acronym inside a column",
        ),
        pytest.param(
            "Clipping Bounds spikes, avoids NaNs Fixes no data",
            ("Clipping", "Bounds spikes, avoids NaNs", "Fixes no data"),
            id="a name inside a column",
        ),
        pytest.param(
            "Paging Fewer holes 5% more time",
            ("Paging", "Fewer holes", "5% more time"),
            id="a figure begins a column",
        ),
        pytest.param(
            "paging fewer holes", ("paging fewer holes", "", ""), id="nothing begins a column"
        ),
    ],
)
def test_a_guess_is_stored_and_named_with_its_line(row: str, cells: tuple[str, ...]) -> None:
    document = document_from_text("slides.txt", f"{HEADER}\n{row}")

    levers, warnings = read_levers(document, "Levers", document.lines, {})

    assert levers.rows == (cells,)
    assert warnings[0].startswith("line 2 of slides.txt: the columns of the lever")


def test_a_declared_split_decides_without_a_warning() -> None:
    document = document_from_text("slides.txt", f"{HEADER}\nThe GPU pool more room more messages")

    levers, warnings = read_levers(document, "L", document.lines, {1: ("more", "more")})

    assert levers.rows == (("The GPU pool", "more room", "more messages"),)
    assert warnings == ()


def test_a_marked_row_with_a_missing_cell_is_refused() -> None:
    document = document_from_text("slides.txt", f"{HEADER}\nBatching | fewer launches")

    with pytest.raises(DocumentError, match=r"line 2 of slides\.txt: .* 2 cells where 3 belong"):
        read_levers(document, "L", document.lines, {})
