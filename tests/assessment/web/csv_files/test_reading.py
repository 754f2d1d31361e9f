"""Files as spreadsheet programs save them: read, or refused with the line."""

import unicodedata

import pytest

from assessment.web.csv_files.cells import Notation
from assessment.web.csv_files.reading import FileRefusedError, read_table
from assessment.web.csv_files.writing import lines

NAMES = ["Ørsted, Émile", '王小明 "Ming"', "عائشة", "Zoë\nLine", "=cmd()", "-1.5", "'=x", "a;=b"]
KNOWN = ("name", "points")


@pytest.mark.parametrize("mark", [True, False])
def test_what_is_written_is_read_back(mark: bool) -> None:
    text = "".join(
        lines(("Name", "Points"), ((name, 1) for name in NAMES), Notation(for_spreadsheets=mark))
    )

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


@pytest.mark.parametrize("first", [b"sep=;\r\n", b'"sep=;"\r\n', b"\xef\xbb\xbfSEP=;\n"])
def test_a_first_line_that_names_the_separator_is_none_of_the_table(first: bytes) -> None:
    (row,) = read_table(first + b"name,x;points\nAda;7\n").rows

    assert (row.line, row.get("name,x"), row.get("points")) == (3, "Ada", "7")


def test_windows_1252_is_read_and_said() -> None:
    table = read_table("name;points\r\nÉmile “Œ” 5 €;7,5\r\n".encode("cp1252"), KNOWN)

    assert table.rows[0].get("name") == "Émile “Œ” 5 €"
    assert "Line 2 is not UTF-8" in table.remark


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("points;x\n2,125;a\n", "2.125", id="semicolons"),
        pytest.param("points;x\n2.125;a\n", "2.125", id="semicolons, a point"),
        pytest.param("points\tx\n2,125\ta\n", "2,125", id="tabs: two readings"),
        pytest.param("points\tx\n2,125\ta\n2,5\tb\n", "2.125", id="tabs, a clear comma"),
        pytest.param("points\tx\n2,125\ta\n2.5\tb\n", "2,125", id="tabs, a point"),
        pytest.param('points,x\n"2,125",2\n"0,25",2\n', "2.125", id="commas, a clear comma"),
    ],
)
def test_a_decimal_comma_is_told_by_the_whole_file(text: str, points: str) -> None:
    table = read_table(text.encode(), ("points", "x")).with_decimal_points(["points", "other"])

    assert table.rows[0].get("points") == points


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
        pytest.param(b"PK\x03\x04" + b"x" * 80, "Excel", id="a workbook"),
        pytest.param(b"\xd0\xcf\x11\xe0" + b"x" * 80, "Excel", id="an old workbook"),
        pytest.param(b"<html><table>", "HTML", id="a web page"),
        pytest.param(b"name\n\x81\x8d\n", "damaged", id="no encoding at all"),
        pytest.param(b"\xff\xfea", "damaged", id="half of UTF-16"),
        pytest.param(b"n\0a\0m\0e\0\n\0", "NUL", id="UTF-16 without its mark"),
        pytest.param(b"a,a\n1,2\n", "twice", id="a column twice"),
        pytest.param(b"a\n1,2\n", "Line 2 has 2 cells under 1 columns", id="too many cells"),
        pytest.param(b'a\n"1\n', "quote left open", id="open quote"),
        pytest.param(b"a\n" + b"x" * 20_001, "20000 characters", id="a huge cell"),
        pytest.param(b"a\n" + b"1\n" * 100_001, "100000 lines", id="too many lines"),
        pytest.param(b"x" * 10_000_001, "10 MB", id="too large"),
        pytest.param(b",".join(b"%d" % each for each in range(1001)), "1000 columns", id="wide"),
        pytest.param(b" " * 501 + b"a,b", "500 characters", id="a long name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(content: bytes, said: str) -> None:
    with pytest.raises(FileRefusedError, match=said):
        read_table(content)
