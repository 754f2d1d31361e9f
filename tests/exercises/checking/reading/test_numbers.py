"""What is read as a number, what is refused, and why."""

import math
from fractions import Fraction

import pytest

from exercises.checking.reading import (
    AmbiguousError,
    BlankError,
    OutOfRangeError,
    ReadingError,
    TooLargeError,
    UnitError,
    read_number,
)
from exercises.checking.reading.characters import Decimal

READ = [
    # how it is written, the text, its value, half a unit of its last digit
    ("point", "0.408", 0.408, 5e-4),
    ("comma", "0,408", 0.408, 5e-4),
    ("comma and two digits", "100,00", 100.0, 5e-3),
    ("comma and four digits", "1,2345", 1.2345, 5e-5),
    ("comma after zeros", "00,408", 0.408, 5e-4),
    ("comma in front", ",5", 0.5, 0.05),
    ("no leading zero", ".5", 0.5, 0.05),
    ("trailing point", "3.", 3.0, 0.5),
    ("whole", "42", 42.0, 0.5),
    ("leading zeros", "00120", 120.0, 0.5),
    ("trailing full stop", "0.408.", 0.408, 5e-4),
    ("plus", "+3", 3.0, 0.5),
    ("blank after plus", "+ 3", 3.0, 0.5),
    ("blank after minus", "- 5.5", -5.5, 0.05),
    ("minus zero", " - 0", 0.0, 0.5),
    ("true minus", "−3", -3.0, 0.5),
    ("en dash", "–3", -3.0, 0.5),
    ("em dash", "—3", -3.0, 0.5),
    ("figure dash", "‒3", -3.0, 0.5),
    ("horizontal bar", "―3", -3.0, 0.5),
    ("hyphen", "‐3", -3.0, 0.5),
    ("small hyphen", "﹣3", -3.0, 0.5),
    ("full-width minus", "－3", -3.0, 0.5),
    ("full-width digits", "１２．５", 12.5, 0.05),
    ("equals sign", "= 0.408", 0.408, 5e-4),
    ("label", "p = 0.408", 0.408, 5e-4),
    ("label with digit", "p1=0.408", 0.408, 5e-4),
    ("label with about", "loss ≈ 0.408", 0.408, 5e-4),
    ("label with an index", "softmax[0] = 0.408", 0.408, 5e-4),
    ("label with an argument", "p(y) ≈ 0.408", 0.408, 5e-4),
    ("about", "≈0.408", 0.408, 5e-4),
    ("tilde", "~0.408", 0.408, 5e-4),
    ("new line behind", "0.408\n", 0.408, 5e-4),
    ("blanks around", "  0.408\t", 0.408, 5e-4),
    ("no-break blanks around", "\u00a00.408\u202f", 0.408, 5e-4),
    ("byte order mark", "\ufeff0.408", 0.408, 5e-4),
    ("groups by blank", "10 000", 10_000.0, 0.5),
    ("groups by no-break blank", "1\u00a0234", 1234.0, 0.5),
    ("groups by thin blank", "1\u2009234\u2009567", 1_234_567.0, 0.5),
    ("groups by narrow blank", "1\u202f234,5", 1234.5, 0.05),
    ("groups by apostrophe", "1'234'567.89", 1_234_567.89, 5e-3),
    ("groups by curly apostrophe", "1’234", 1234.0, 0.5),
    ("groups by comma", "1,234,567", 1_234_567.0, 0.5),
    ("groups by comma, decimals", "1,234,567.89", 1_234_567.89, 5e-3),
    ("one group by comma, decimals", "1,234.5", 1234.5, 0.05),
    ("groups by point", "1.234.567", 1_234_567.0, 0.5),
    ("one group by point, comma decimals", "1.234,5", 1234.5, 0.05),
    ("groups by point, comma decimals", "1.234.567,89", 1_234_567.89, 5e-3),
    ("groups by blank, comma decimals", "-1 234,0", -1234.0, 0.05),
    ("groups by blank, three comma decimals", "1 234,567", 1234.567, 5e-4),
    ("groups by blank, point decimals", "1 234.5", 1234.5, 0.05),
    ("Indian groups", "12,34,567.89", 1_234_567.89, 5e-3),
    ("Indian groups of five digits and more", "1,23,456.78", 123_456.78, 5e-3),
    ("Indian groups without decimals", "1,23,456", 123_456.0, 0.5),
    ("grouped decimals", "78.539 816 339", 78.539816339, 5e-10),
    ("grouped decimals, last short", "-2.222 222 2e+0", -2.2222222, 5e-8),
    ("grouped decimals and exponent", "1.234 567e+6", 1_234_567.0, 0.5),
    ("exponent", "1e-3", 1e-3, 5e-4),
    ("capital exponent", "1E-3", 1e-3, 5e-4),
    ("signed exponent", "1E+3", 1000.0, 500.0),
    ("blank before exponent", "1 e-3", 1e-3, 5e-4),
    ("blanks around exponent", "1.23 e 2", 123.0, 0.5),
    ("comma and exponent", "2,79e-5", 2.79e-5, 5e-8),
    ("point without decimals and exponent", "3.e5", 3e5, 5e4),
    ("letter x", "1x10^-3", 1e-3, 5e-4),
    ("letter x with blanks", "2.5 x 10^3", 2500.0, 50.0),
    ("times sign", "1 × 10^-3", 1e-3, 5e-4),
    ("times sign, true minus", "1 × 10^−3", 1e-3, 5e-4),
    ("dot", "1·10^-3", 1e-3, 5e-4),
    ("dot operator", "1⋅10^-3", 1e-3, 5e-4),
    ("star", "138*10^-3", 0.138, 5e-4),
    ("two stars", "1*10**-3", 1e-3, 5e-4),
    ("exponent in brackets", "1*10^(-3)", 1e-3, 5e-4),
    ("superscript exponent", "1×10⁻³", 1e-3, 5e-4),
    ("superscript exponent, no sign", "3.67x10²", 367.0, 0.5),
    ("superscript exponent, plus", "3.67x10⁺²", 367.0, 0.5),
    ("bare power", "10^-3", 1e-3, 5e-4),
    ("bare power, two stars", "10**-3", 1e-3, 5e-4),
    ("bare power, superscript", "10⁻³", 1e-3, 5e-4),
    ("bare power, minus", "-10^2", -100.0, 50.0),
    ("superscript on a whole number", "2²", 4.0, 0.0),
    ("negative superscript", "2⁻²", 0.25, 0.0),
    ("minus before a superscript", "-2²", -4.0, 0.0),
    ("fraction", "1/2", 0.5, 0.0),
    ("fraction with blanks", "1 / 2", 0.5, 0.0),
    ("fraction slash", "1⁄2", 0.5, 0.0),
    ("division sign", "1÷2", 0.5, 0.0),
    ("two signs", "-1/-2", 0.5, 0.0),
    ("sign below", "1/-3", -1 / 3, 0.0),
    ("sign above", "-1/3", -1 / 3, 0.0),
    ("one half", "½", 0.5, 0.0),
    ("minus three quarters", "-¾", -0.75, 0.0),
    ("smallest double", "5e-324", 5e-324, 0.0),
    ("largest double", "1.7976931348623157e308", 1.7976931348623157e308, 5e291),
]


@pytest.mark.parametrize(
    ("text", "value", "half"), [row[1:] for row in READ], ids=[row[0] for row in READ]
)
def test_a_number_is_read(text: str, value: float, half: float) -> None:
    typed = read_number(text)

    assert typed.value == value
    assert typed.half == pytest.approx(half, rel=1e-12)


REFUSED = [
    ("two points", "0.4.08", "groups"),
    ("two trailing points", "0.408..", "groups"),
    ("mixed number", "1 1/2", "mixed_number"),
    ("mixed number, sevenths", "1 3/7", "mixed_number"),
    ("mixed number with a vulgar fraction", "1½", "mixed_number"),
    ("grouped numerator", "1 100/200", "mixed_number"),
    ("grouped denominator", "1/2 000", "several_numbers"),
    ("two numbers", "1 1", "several_numbers"),
    ("three numbers", "1 2 3", "several_numbers"),
    ("two numbers, one decimal", "12 3.7", "several_numbers"),
    ("list by comma", "1,2,3", "groups"),
    ("bad first group", "0,123,456", "groups"),
    ("zero and a group by blank", "0 408", "several_numbers"),
    ("short last group", "1,234,56", "groups"),
    ("group after the decimal mark", "1.234,567.8", "groups"),
    ("mixed groups", "1'234 567", "several_numbers"),
    ("comma at the end", "3,", "groups"),
    ("list in brackets", "[1,2]", "list"),
    ("list by semicolon", "1;2", "list"),
    ("underscore", "1_000", "underscore"),
    ("underscore between ids", "10117_1109", "underscore"),
    ("Arabic-Indic digit", "٣", "foreign_digit"),
    ("Arabic-Indic digit behind", "3٣", "foreign_digit"),
    ("Devanagari digit", "५", "foreign_digit"),
    ("hexadecimal", "0x10", "word"),
    ("infinity spelt out", "infinity", "no_number"),
    ("True", "True", "no_number"),
    ("word behind", "0.408 about", "word"),
    ("pi", "π", "no_number"),
    ("not a number", "NaN", "nonfinite"),
    ("infinite", "inf", "nonfinite"),
    ("minus infinite sign", "-∞", "nonfinite"),
    ("sum", "1+1", "arithmetic"),
    ("sum with blanks", "1.2 + 2,3", "arithmetic"),
    ("product", "2*3", "arithmetic"),
    ("power", "2^3", "arithmetic"),
    ("tower", "10^10^10", "arithmetic"),
    ("tower of nines", "9**9**9**9", "arithmetic"),
    ("quotient of powers", "1e200/1e-200", "arithmetic"),
    ("quotient of decimals", "7.389/11.107", "arithmetic"),
    ("fraction of fractions", "1/2/3", "arithmetic"),
    ("nothing below", "1/", "arithmetic"),
    ("brackets", "(1234)", "arithmetic"),
    ("two signs", "--3", "arithmetic"),
    ("plus and minus", "+-3", "arithmetic"),
    ("superscript on a decimal", "2.5²", "arithmetic"),
    ("function", "ln(2)", "no_number"),
    ("percent not allowed", "66.5 %", "percent"),
    ("percent of a fraction", "1/2 %", "percent_place"),
    ("percent inside", "5%5", "percent_place"),
    ("LaTeX fraction", r"\frac{1}{2}", "latex"),
    ("LaTeX display fraction", r"\dfrac12", "latex"),
    ("LaTeX short fraction", r"\frac12", "latex"),
    ("LaTeX mathematics", "$0.5$", "latex"),
    ("LaTeX groups", "11{,}111", "latex"),
    ("LaTeX exponent", "10^{-3}", "latex"),
    ("currency", "$12.50", "latex"),
    ("sign alone", "-", "arithmetic"),
    ("equals sign alone", "=", "no_number"),
    ("two equals signs", "= = 1", "character"),
    ("point alone", ".", "character"),
    ("blank after the point", "0. 408", "several_numbers"),
    ("unit alone", "m/s", "unit_alone"),
    ("zero-width blank inside", "0.4\u200b08", "several_numbers"),
    ("null character", "0.4\x0008", "character"),
    ("lone surrogate", "0.4\ud80008", "character"),
]


@pytest.mark.parametrize(
    ("text", "code"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_no_number_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(ReadingError) as caught:
        read_number(text)

    assert caught.value.code == code
    assert str(caught.value)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        pytest.param("1,234", "1.234", "1234", id="one digit"),
        pytest.param("10,000", "10.000", "10000", id="two digits"),
        pytest.param("-999,999", "999.999", "999999", id="three digits"),
        pytest.param("1,234e5", "1.234", "1234", id="with an exponent"),
        pytest.param("= 1,234", "1.234", "1234", id="decorated"),
    ],
)
def test_a_comma_and_three_digits_have_two_readings(text: str, first: str, second: str) -> None:
    with pytest.raises(AmbiguousError) as caught:
        read_number(text)

    assert (caught.value.params["first"], caught.value.params["second"]) == (first, second)
    assert first in str(caught.value)
    assert second in str(caught.value)


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        pytest.param("1,234", "point", 1234.0, id="comma groups where the point is decimal"),
        pytest.param("1,234", "comma", 1.234, id="comma is decimal where it is said"),
        pytest.param("10,000", "point", 10_000.0, id="ten thousand"),
        pytest.param("0,408", "point", 0.408, id="no group starts with zero"),
        pytest.param("0.408", "comma", 0.408, id="nor does one by point"),
        pytest.param("1.23", "comma", 1.23, id="two digits are no group"),
        pytest.param("1.234,5", "point", 1234.5, id="both marks decide each other"),
        pytest.param("1,234.5", "comma", 1234.5, id="also where the comma is decimal"),
        pytest.param("1.234.567", "point", 1_234_567.0, id="two groups are groups"),
        pytest.param("1,234,567", "comma", 1_234_567.0, id="also by comma"),
        pytest.param("2,5", "comma", 2.5, id="plain comma"),
        pytest.param("1234.567", "comma", 1234.567, id="four digits before are no group"),
    ],
)
def test_the_decimal_mark_may_be_declared(text: str, decimal: Decimal, value: float) -> None:
    assert read_number(text, decimal=decimal).value == value


def test_a_point_and_three_digits_have_two_readings_where_the_comma_is_decimal() -> None:
    with pytest.raises(AmbiguousError):
        read_number("1.234", decimal="comma")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1e-400", id="below the smallest"),
        pytest.param("1e999999999", id="absurd exponent"),
        pytest.param("0.111*10^-960000000", id="absurd negative exponent"),
        pytest.param("1e309", id="just above the largest"),
        pytest.param("10^400", id="bare power"),
        pytest.param("0e400", id="zero whose last digit is too large"),
        pytest.param("9" * 400, id="four hundred nines"),
        pytest.param("9⁹⁹⁹", id="large superscript"),
        pytest.param("1/0", id="division by zero"),
        pytest.param("0/0", id="zero by zero"),
        pytest.param("1" + "0" * 400 + "/3", id="quotient too large"),
        pytest.param("1/1" + "0" * 400, id="quotient too small"),
    ],
)
def test_what_a_double_cannot_hold_is_out_of_range(text: str) -> None:
    with pytest.raises(OutOfRangeError):
        read_number(text)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u00a0\u2009", "\u200b"])
def test_nothing_is_blank(text: str) -> None:
    with pytest.raises(BlankError):
        read_number(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("9" * 5000, id="five thousand nines"),
        pytest.param("(" * 10_000, id="ten thousand brackets"),
        pytest.param(" " * 2001, id="blanks"),
    ],
)
def test_more_than_a_field_takes_is_refused(text: str) -> None:
    with pytest.raises(TooLargeError):
        read_number(text)


def test_two_thousand_characters_are_read() -> None:
    assert read_number("0." + "1" * 1998).value == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    "text", ["9.81 m/s", "9,81 m/s^2", "0.408 nats", "5 GB", "0 V*m/A", "100cm", "2,1 s"]
)
def test_a_unit_is_refused_as_a_unit(text: str) -> None:
    with pytest.raises(UnitError):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        pytest.param("66.5 %", 0.665, 5e-4, id="blank before the sign"),
        pytest.param("66,5%", 0.665, 5e-4, id="comma"),
        pytest.param("50%", 0.5, 5e-3, id="whole"),
        pytest.param("50.0%", 0.5, 5e-4, id="with a zero"),
        pytest.param("1e2 %", 1.0, 0.5, id="exponent"),
        pytest.param("50", 50.0, 0.5, id="without the sign it is fifty"),
        pytest.param("６６％", 0.66, 5e-3, id="full width"),
    ],
)
def test_a_percentage_is_read_where_it_is_allowed(text: str, value: float, half: float) -> None:
    typed = read_number(text, percent=True)

    assert typed.value == value
    assert typed.half == pytest.approx(half)


def test_a_percentage_not_allowed_is_shown_as_a_decimal() -> None:
    with pytest.raises(ReadingError) as caught:
        read_number("66,5 %")

    assert "0.665" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NaN", math.nan),
        ("nan", math.nan),
        ("inf", math.inf),
        ("+inf", math.inf),
        ("-inf", -math.inf),
        ("−inf", -math.inf),
        ("∞", math.inf),
        ("-∞", -math.inf),
    ],
)
def test_a_non_finite_value_is_read_where_it_is_allowed(text: str, value: float) -> None:
    typed = read_number(text, nonfinite=True)

    assert typed.value == pytest.approx(value, nan_ok=True)
    assert (typed.half, typed.exact, typed.decimals) == (0.0, (None,), (None,))


@pytest.mark.parametrize("text", ["infinity", "+nan1", "Infinite", "1e999"])
def test_other_words_are_no_infinity(text: str) -> None:
    with pytest.raises(ReadingError):
        read_number(text, nonfinite=True)


@pytest.mark.parametrize(
    ("text", "decimals", "figures"),
    [
        ("0.0", 1, 1),
        ("0.00", 2, 2),
        ("0.000", 3, 3),
        ("0", 0, 1),
        ("100.0", 1, 4),
        ("100.", 0, 3),
        ("2000", 0, 4),
        ("00120", 0, 3),
        ("-121000", 0, 6),
        ("-1.10", 2, 3),
        ("1.23E-6", 8, 3),
        ("4.320e-3", 6, 4),
        ("0.020e3", 0, 2),
        ("1.0000", 4, 5),
        (".001030", 6, 4),
        ("138*10^-3", 3, 3),
        ("66.5e2", 0, 3),
        ("1/3", None, None),
        ("2²", None, None),
    ],
)
def test_digits_are_counted_on_the_text(
    text: str, decimals: int | None, figures: int | None
) -> None:
    typed = read_number(text)

    assert (typed.decimals, typed.sigfigs) == ((decimals,), (figures,))


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("12345678901234568", Fraction(12345678901234568)),
        ("12 345 678 901 234 568", Fraction(12345678901234568)),
        ("0.1", Fraction(1, 10)),
        ("-12.50e-3", Fraction(-1, 80)),
        ("-2/6", Fraction(-1, 3)),
        ("10^20", Fraction(10**20)),
        ("2²", Fraction(4)),
    ],
)
def test_no_digit_is_lost(text: str, exact: Fraction) -> None:
    assert read_number(text).exact == (exact,)


def test_a_count_beyond_a_double_keeps_its_digits_where_it_is_asked_for() -> None:
    typed = read_number("-" + "9" * 400, huge=True)

    assert (typed.value, typed.exact) == (-math.inf, (Fraction(1 - 10**400),))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        pytest.param("1_000", 2, id="underscore"),
        pytest.param("  1_000", 4, id="behind blanks"),
        pytest.param("p = 0.4.08", 5, id="behind a label"),
        pytest.param("0.4 x", 5, id="word"),
        pytest.param("12+3", 3, id="operator"),
    ],
)
def test_the_place_of_the_trouble_is_named(text: str, column: int) -> None:
    with pytest.raises(ReadingError) as caught:
        read_number(text)

    assert caught.value.column == column
    assert str(column) in str(caught.value)
