"""Which commas separate, which rows make a matrix, and what is refused."""

import pytest

from exercises.checking.reading import (
    AmbiguousError,
    BlankError,
    ReadingError,
    TooLargeError,
    read_array,
)
from exercises.checking.reading.characters import Decimal

READ = [
    ("semicolons", "0.4; 0.6", [0.4, 0.6]),
    ("semicolons without blanks", "0.4;0.6", [0.4, 0.6]),
    ("semicolons in brackets", "[0.4; 0.6]", [0.4, 0.6]),
    ("semicolons, comma decimals", "0,4; 0,6", [0.4, 0.6]),
    ("blanks", "0.665 0.245 0.090", [0.665, 0.245, 0.09]),
    ("blanks in brackets", "[0.665 0.245 0.090]", [0.665, 0.245, 0.09]),
    ("blanks, comma decimals", "0,4 0,6", [0.4, 0.6]),
    ("blanks, comma decimals in brackets", "[0,4 0,6]", [0.4, 0.6]),
    ("no-break blanks", "0.4\u00a00.6", [0.4, 0.6]),
    ("line breaks", "0.4\n0.6", [0.4, 0.6]),
    ("spaced commas", "0.4, 0.6", [0.4, 0.6]),
    ("spaced commas in brackets", "[7.389, 2.718, 1]", [7.389, 2.718, 1.0]),
    ("commas with blanks before", "1 ,2 ,3", [1.0, 2.0, 3.0]),
    ("bare commas in brackets", "[1,0,0]", [1.0, 0.0, 0.0]),
    ("bare commas, even count in brackets", "[0,4,0,6]", [0.0, 4.0, 0.0, 6.0]),
    ("bare commas in round brackets", "(2,1,0)", [2.0, 1.0, 0.0]),
    ("bare commas between decimals", "0.4,0.6", [0.4, 0.6]),
    ("bare commas, odd count", "1,0,0", [1.0, 0.0, 0.0]),
    ("one entry", "0.25", [0.25]),
    ("one entry in brackets", "[0.25]", [0.25]),
    ("none", "[]", []),
    ("one entry with a comma", "[0,408; 1]", [0.408, 1.0]),
    ("label", "p = [0.1; 0.2]", [0.1, 0.2]),
    ("full stop", "[0.1; 0.2].", [0.1, 0.2]),
    ("about", "≈ 0.1; 0.2", [0.1, 0.2]),
    ("trailing points", "[1., 0., 0.]", [1.0, 0.0, 0.0]),
    ("printed by NumPy", "[[1. 0.]\n [0. 1.]]", [[1.0, 0.0], [0.0, 1.0]]),
    ("nested", "[[1, 2], [3, 4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ("nested, bare commas", "[[1,2],[3,4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ("nested, bare commas within spaced rows", "[[1,0], [0,1]]", [[1.0, 0.0], [0.0, 1.0]]),
    ("nested, semicolons between rows", "[[1 2]; [3 4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ("nested, nothing between rows", "[[1 2][3 4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ("nested round brackets", "((1, 2), (3, 4))", [[1.0, 2.0], [3.0, 4.0]]),
    ("mixed brackets", "[(1, 2), (3, 4)]", [[1.0, 2.0], [3.0, 4.0]]),
    ("rows by semicolon", "[1 2; 3 4]", [[1.0, 2.0], [3.0, 4.0]]),
    ("rows by semicolon, spaced commas", "[1, 2; 3, 4]", [[1.0, 2.0], [3.0, 4.0]]),
    ("rows by semicolon without brackets", "1 2; 3 4", [[1.0, 2.0], [3.0, 4.0]]),
    ("rows whose commas can only separate", "[1.5,2; 3,4]", [[1.5, 2.0], [3.0, 4.0]]),
    ("one row", "[[1, 2, 3]]", [[1.0, 2.0, 3.0]]),
    ("one column", "[[1], [2]]", [[1.0], [2.0]]),
    ("three axes", "[[[1, 2]], [[3, 4]]]", [[[1.0, 2.0]], [[3.0, 4.0]]]),
    ("signs", "[-1; +2; −3]", [-1.0, 2.0, -3.0]),
    ("a blank after a sign", "[- 1; - 2]", [-1.0, -2.0]),
    ("a blank after a sign, commas", "- 1, - 2", [-1.0, -2.0]),
    ("powers of ten", "1 × 10^-3; 2 x 10^2", [1e-3, 200.0]),
    ("powers of ten by blanks", "1×10⁻³ 2 × 10⁻³", [1e-3, 2e-3]),
    ("powers of ten in brackets", "[10^(-3), 2]", [1e-3, 2.0]),
    ("exponents", "[1e-3, 2E3]", [1e-3, 2000.0]),
    ("fractions", "1/2, 1 / 4", [0.5, 0.25]),
    ("groups by apostrophe", "1'000; 2'000", [1000.0, 2000.0]),
    ("full-width", "［１，　２］", [1.0, 2.0]),
]


@pytest.mark.parametrize(("text", "value"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_an_array_is_read(text: str, value: list[object]) -> None:
    typed = read_array(text)

    assert typed.value.tolist() == value  # type: ignore[union-attr] # an array


TWO_READINGS = [
    ("some commas spaced", "0,4, 0,6", "[0; 4; 0; 6]", "[0.4; 0.6]"),
    ("some commas spaced in brackets", "[1, 0,0]", "[1; 0; 0]", "[1; 0.0]"),
    ("even count of whole numbers", "0,4,0,6", "[0; 4; 0; 6]", "[0.4; 0.6]"),
    ("two whole numbers", "1,2", "[1; 2]", "[1.2]"),
    ("bare commas and semicolons in brackets", "[0,4; 0,6]", "[0 4; 0 6]", "[0.4; 0.6]"),
]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [row[1:] for row in TWO_READINGS],
    ids=[row[0] for row in TWO_READINGS],
)
def test_commas_with_two_readings_are_refused_with_both(text: str, first: str, second: str) -> None:
    with pytest.raises(AmbiguousError) as caught:
        read_array(text)

    assert (caught.value.params["first"], caught.value.params["second"]) == (first, second)
    assert first in str(caught.value)
    assert second in str(caught.value)


REFUSED = [
    ("commas that may separate", "1,-1", "unclear_commas"),
    ("some commas spaced between decimals", "0.665,0.245, 0.090", "unclear_commas"),
    ("three digits after a comma", "7,389; 2,718; 1", "ambiguous"),
    ("ragged", "[[1, 2], [3]]", "ragged"),
    ("ragged by semicolon", "1 2; 3", "ragged"),
    ("ragged depth", "[[1, 2], [[3], [4]]]", "ragged"),
    ("braces", "{1; 2}", "latex"),
    ("LaTeX", r"\begin{pmatrix}1\end{pmatrix}", "latex"),
    ("not closed", "[1, 2", "bracket_open"),
    ("closed by another", "[1, 2)", "bracket"),
    ("closed twice", "[1, 2]]", "after_bracket"),
    ("not opened", "1, 2]", "bracket"),
    ("text behind", "[1, 2] m", "after_bracket"),
    ("text between rows", "[[1] x [2]]", "between_rows"),
    ("number beside a row", "[1 [2]]", "between_rows"),
    ("number behind a row", "[[2] 1]", "between_rows"),
    ("comma after the last row", "[[1],]", "between_rows"),
    ("two commas", "[1,,2]", "empty_entry"),
    ("comma at the end", "[1, 2,]", "empty_entry"),
    ("comma at the end without brackets", "1, 2,", "empty_entry"),
    ("semicolon at the end", "[1; 2;]", "empty_entry"),
    ("two semicolons", "[1;; 2]", "empty_entry"),
    ("a sign alone", "1 - 2", "arithmetic"),
    ("word", "[1; two]", "no_number"),
    ("dots", "[1; ...]", "character"),
    ("unit", "[1s; 2s]", "unit_unexpected"),
    ("percent", "[50 %; 50 %]", "percent"),
    ("not a number", "[nan; 1]", "nonfinite"),
    ("hexadecimal", "[0x1; 2]", "word"),
    ("underscore", "[1_0; 2]", "underscore"),
    ("out of range", "[1e400; 1]", "out_of_range"),
    ("function", "array([1, 2])", "bracket"),
]


@pytest.mark.parametrize(
    ("text", "code"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_no_array_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(ReadingError) as caught:
        read_array(text)

    assert caught.value.code == code
    assert str(caught.value)


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        pytest.param("0,4, 0,6", "point", [0, 4, 0, 6], id="commas separate"),
        pytest.param("0,4,0,6", "point", [0, 4, 0, 6], id="bare commas separate"),
        pytest.param("[0,4; 0,6]", "point", [[0, 4], [0, 6]], id="commas make rows"),
        pytest.param("[0,4; 0,6]", "comma", [0.4, 0.6], id="commas are decimal marks"),
        pytest.param("7,389 2,718", "comma", [7.389, 2.718], id="three decimals"),
        pytest.param("0,4, 0,6", "comma", [0.4, 0.6], id="spaced commas separate"),
        pytest.param("0,408", "comma", [0.408], id="one entry"),
        pytest.param("[1; 2]", "comma", [1, 2], id="no commas"),
        pytest.param("[1, 2, 3]", "comma", [1, 2, 3], id="spaced commas separate all the same"),
    ],
)
def test_the_decimal_mark_may_be_declared(text: str, decimal: Decimal, value: list[object]) -> None:
    assert read_array(text, decimal=decimal).value.tolist() == value  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["[0,4]", "[1,2,3,4]", "0,4,0,6"])
def test_bare_commas_are_unclear_where_the_comma_is_decimal(text: str) -> None:
    with pytest.raises(AmbiguousError):
        read_array(text, decimal="comma")


def test_an_entry_with_trouble_is_named() -> None:
    with pytest.raises(ReadingError) as caught:
        read_array("[0.1; 0.2; x]")

    assert caught.value.entry == 3
    assert str(caught.value).startswith("Entry 3")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 21 + "1" + "]" * 21, id="twenty-one levels"),
        pytest.param("[" * 1500, id="only brackets"),
        pytest.param("[" * 10_000, id="ten thousand brackets"),
        pytest.param("1 " * 1001, id="too many characters"),
        pytest.param("1;" * 1000 + "1", id="a thousand and one entries"),
    ],
)
def test_more_than_a_field_takes_is_refused(text: str) -> None:
    with pytest.raises(TooLargeError):
        read_array(text)


def test_twenty_levels_and_a_thousand_entries_are_read() -> None:
    assert read_array("[" * 20 + "1" + "]" * 20).shape == (1,) * 20
    assert read_array(" ".join("1" * 1000)).shape == (1000,)


@pytest.mark.parametrize("text", ["", "  ", "\u00a0"])
def test_nothing_is_blank(text: str) -> None:
    with pytest.raises(BlankError):
        read_array(text)


def test_each_entry_has_its_own_last_digit() -> None:
    typed = read_array("[0.665; 2; 1/3; 1e2]")

    assert typed.halves == pytest.approx((5e-4, 0.5, 0.0, 50.0))
    assert typed.half.shape == (4,)  # type: ignore[union-attr] # an array


def test_percent_and_non_finite_entries_are_read_where_they_are_allowed() -> None:
    typed = read_array("66.5 %; 1; ∞", percent=True, nonfinite=True)

    assert typed.flat == (0.665, 1.0, float("inf"))


@pytest.mark.parametrize("shape", [(0,), (3,), (2, 2), (2, 0), (1, 2, 2)])
def test_what_was_understood_reads_back(shape: tuple[int, ...]) -> None:
    texts = {
        (0,): "[]",
        (3,): "1; 2,5; 1/3",
        (2, 2): "[1 2; 3 4]",
        (2, 0): "[[], []]",
        (1, 2, 2): "[[[1, 2], [3, 4]]]",
    }
    typed = read_array(texts[shape])
    again = read_array(typed.echo)

    assert typed.shape == shape
    assert (again.shape, again.flat, again.halves) == (shape, typed.flat, typed.halves)
