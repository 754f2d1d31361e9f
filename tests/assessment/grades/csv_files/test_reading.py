"""Files as spreadsheet programs save them: read, or refused with the line."""

import unicodedata

import pytest

from assessment.grades.csv_files.reading import FileRefusedError, read_table
from assessment.grades.csv_files.writing import lines

NAMES = ["Ørsted, Émile", '王小明 "Ming"', "عائشة", "Zoë\nLine", "=cmd()", "-1.5", "'=x", "a;=b"]
KNOWN = ("name", "points")


@pytest.mark.parametrize("mark", [True, False])
def test_what_is_written_is_read_back(mark: bool) -> None:
    text = "".join(lines(("Name", "Points"), ((name, 1) for name in NAMES), mark=mark))

    table = read_table(text.encode())

    assert [row.values["name"] for row in table.rows] == NAMES
    assert table.columns == ("name", "points")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"name,points\nAda,7\n", id="plain"),
        pytest.param("\ufeffname,points\r\nAda,7".encode(), id="mark, Windows lines"),
        pytest.param(b'"name","points"\n"Ada","7"\n', id="quotes"),
        pytest.param(b"name;points\nAda;7\n", id="semicolons"),
        pytest.param("name\tpoints\nAda\t7\n".encode("utf-16"), id="Unicode text of a spreadsheet"),
        pytest.param(b" Name , POINTS \nAda,7\n\n,\n", id="blanks, capitals, empty lines"),
        pytest.param('\ufeff"name";"points"\n"Ada";"7"\n'.encode(), id="mark and quotes"),
    ],
)
def test_every_usual_way_of_saving_is_read(content: bytes) -> None:
    (row,) = read_table(content, KNOWN).rows

    assert (row.get("name"), row.get("points")) == ("Ada", "7")


def test_both_encodings_of_accents_are_one_key() -> None:
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize("NFC" if form == "NFC" else "NFD", "name\nÉmile\n")
        (row,) = read_table(text.encode()).rows
        assert row.key("name") == "Émile"


def test_lines_are_counted_through_cells_that_span_several() -> None:
    table = read_table(b'name\n"a\nb"\nc\n')

    assert [row.line for row in table.rows] == [2, 4]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"\n\n", "empty", id="blank"),
        pytest.param(b"name\n\xc9mile\n", "Line 2 is not UTF-8", id="another encoding"),
        pytest.param(b"a,a\n1,2\n", "twice", id="a column twice"),
        pytest.param(b"a\n1,2\n", "Line 2 has 2 cells under 1 columns", id="too many cells"),
        pytest.param(b'a\n"1\n', "quote left open", id="open quote"),
        pytest.param(b"a\n" + b"x" * 20_001, "20000 characters", id="a huge cell"),
        pytest.param(b"a\n" + b"1\n" * 100_001, "100000 lines", id="too many lines"),
        pytest.param(b"x" * 10_000_001, "10 MB", id="too large"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(content: bytes, said: str) -> None:
    with pytest.raises(FileRefusedError, match=said):
        read_table(content)
