"""Notation that other systems read or mark, as our rules have it."""

import pytest

from exercises.checking.answers import check_line
from exercises.checking.reading import read_number

DECIMALS_2 = {"decimals": 2}
FIGURES_3 = {"sigfigs": 3}

NUMBERS = [
    # the system and case, what is typed, what is expected, the tolerance, the verdict
    ("numbas groups", "1,234,567.89", 1234567.89, None, "right"),
    ("numbas no groups", "1,2,3", 123, None, "unreadable"),
    ("numbas minus zero", " - 0", 0, None, "right"),
    ("numbas blanks are no groups", "1 2 3", 123, None, "unreadable"),
    ("numbas point groups", "1.234.567,89", 1234567.89, None, "right"),
    ("numbas points are no groups", "1.2.3", 123, None, "unreadable"),
    ("numbas French", "-1 234,0", -1234, None, "right"),
    ("numbas Swiss", "1'234'567.89", 1234567.89, None, "right"),
    ("numbas Indian", "12,34,567.89", 1234567.89, None, "right"),
    ("numbas Indian five digits", "1,23,456.78", 123456.78, None, "right"),
    ("numbas scientific", "315e6", 315e6, None, "right"),
    ("numbas grouped significand", "1.234 567e+6", 1234567, None, "right"),
    ("numbas plain", "123456", 123456, None, "right"),
    ("numbas fraction", "1/2", 0.5, None, "right"),
    ("numbas two signs", "-1/-2", 0.5, None, "right"),
    ("numbas plus", "+3", 3, None, "right"),
    ("numbas no leading zero", ".5", 0.5, None, "right"),
    ("numbas comma", "1,5", 1.5, None, "right"),
    ("numbas no-break blank", "1\u00a0234", 1234, None, "right"),
    ("numbas malformed group", "1,2345", 12345, None, "wrong"),
    ("numbas percent", "50%", 0.5, None, "unreadable"),
    ("numbas times ten", "1×10^3", 1000, None, "right"),
    ("numbas unit", "9.81 m/s", 9.81, None, "unit"),
    ("numbas hexadecimal", "0x10", 16, None, "unreadable"),
    ("numbas not a number", "NaN", 1, None, "unreadable"),
    ("numbas round-off", "0.3", 0.1 + 0.2, None, "right"),
    ("numbas blank after the sign", "- 3", -3, None, "right"),
    ("numbas two ones", "1 1", 2, None, "unreadable"),
    ("numbas sign below", "1/-3", -1 / 3, None, "right"),
    ("numbas mixed number", "1 1/2", 1.5, None, "unreadable"),
    ("numbas fraction slash", "1⁄2", 0.5, None, "right"),
    ("numbas rounded third", "0.3333", 1 / 3, {"exact": True}, "wrong"),
    ("numbas point is decimal", "1.234", 1.234, None, "right"),
    ("numbas rounded as asked", "12.35", 12.3456, DECIMALS_2, "right"),
    ("numbas cut off", "12.34", 12.3456, DECIMALS_2, "wrong"),
    ("numbas too few", "12.3", 12.3456, DECIMALS_2, "coarse"),
    ("numbas tie down", "2.67", 2.675, DECIMALS_2, "right"),
    ("numbas tie up", "2.68", 2.675, DECIMALS_2, "right"),
    ("numbas trailing zeros", "100", 100, FIGURES_3, "right"),
    ("numbas significand", "6.022e+23", 6.0221409e23, {"sigfigs": 4}, "right"),
    ("numbas too few in the significand", "1e10", 1e10, {"sigfigs": 4}, "coarse"),
    ("numbas more than asked", "0.1000", 0.1, DECIMALS_2, "right"),
    ("numbas two figures", "13000", 12700, {"sigfigs": 2}, "right"),
    ("numbas blanks around e", "1.23 e 2", 123, None, "right"),
    ("numbas computed target", "403.208", 403.2079999999, None, "right"),
    ("numbas integer asked", "5/2", 2, {"exact": True}, "wrong"),
    ("numbas more precision", "1.27", 1.27, {"decimals": 1}, "right"),
    ("stack plain", "1.23", 1.23, None, "right"),
    ("stack mixed marks", "1.2+2,3", 3.5, None, "unreadable"),
    ("stack two numbers", "12 3.7", 123.7, None, "unreadable"),
    ("stack letter x", "3.67x10^2", 367, None, "right"),
    ("stack mixed sevenths", "1 3/7", 10 / 7, None, "unreadable"),
    ("stack upper bound", "1.05", 1, {"rtol": 0.05}, "right"),
    ("stack small scale", "1.05e-33", 1e-33, {"rtol": 0.05, "atol": 0}, "right"),
    ("stack large scale", "1.06e33", 1e33, {"rtol": 0.05}, "wrong"),
    ("stack infinity", "inf", 0, {"rtol": 0.05}, "unreadable"),
    ("stack absolute bound", "1.05", 1, {"atol": 0.05}, "right"),
    ("stack times ten", "1.41*10^-3", 0.00141, {"atol": 0.0001}, "right"),
    ("stack cut off", "3.141", 3.1415927, {"sigfigs": 4}, "wrong"),
    ("stack far off", "3.147", 3.1415927, {"sigfigs": 4}, "wrong"),
    ("stack trailing zeros", "1.5", 1.5, FIGURES_3, "coarse"),
    ("stack ambiguous zeros", "1000", 999, {"sigfigs": 2}, "right"),
    ("stack one figure", "1E3", 999, {"sigfigs": 2}, "coarse"),
    ("stack other side of the half", "0.0498", 0.04985, FIGURES_3, "right"),
    ("stack more figures", "8.250434", 8.25, {"sigfigs": 4}, "right"),
    ("stack product form", "138*10^-3", 0.138, FIGURES_3, "right"),
    ("stack three decimals of four", "7.000", 7, {"decimals": 4}, "coarse"),
    ("stack target rounded", "4.000", 3.99999, {"decimals": 3}, "right"),
    ("stack misplaced point", "3.141", 31.41, {"sigfigs": 4}, "wrong"),
    ("stack sign ignored", "-3.14", 3.14159, FIGURES_3, "wrong"),
    ("stack blanks around x", "2.5 x 10^3", 2500, None, "right"),
    ("stack whole significand", "1*10^5", 100000, None, "right"),
    ("prairielearn grouped", "1 234.5", 1234.5, None, "right"),
    ("prairielearn wide minus", "－3", -3, None, "right"),
    ("formulas trailing point", "3.", 3, None, "right"),
    ("formulas blank after plus", "+ 3", 3, None, "right"),
    ("formulas pi", "π", 3.14159265, None, "unreadable"),
    ("formulas product", "3 4 5", 60, None, "unreadable"),
    ("formulas blank before e", "3 e10", 3e10, None, "right"),
    ("formulas list", "[1,2]", 1, None, "unreadable"),
    ("formulas exact sum", "0.3", 0.1 + 0.2, {"rtol": 0}, "right"),
    ("khan bound", "2.3", 2.45, {"atol": 0.15}, "right"),
    ("khan comma", "0,5", 0.5, None, "right"),
    ("khan group", "1,234", 1234, None, "unreadable"),
    ("khan minus", "−3", -3, None, "right"),
    ("imathas brackets", "(1234)", -1234, None, "unreadable"),
    ("imathas zero", "0.000001", 0, {"atol": 1.5e-6}, "right"),
    ("imathas dash", "–3", -3, None, "right"),
    ("imathas currency", "$12.50", 12.5, None, "unreadable"),
    ("edx larger of both", "4.44", 4.0, {"rtol": 0.1}, "wrong"),
    ("edx fixed floor", "2e-7", 1e-7, None, "wrong"),
    ("relate not a number", "nan", 5.0, {"rtol": 0.01}, "unreadable"),
    ("doenet computed zero", "0", 3e-15, {"rtol": 1e-3, "atol": 1e-12}, "right"),
    ("submitty sign", "-2.0", -2.0, None, "right"),
    ("submitty other sign", "2.0", -2.0, None, "wrong"),
    ("oli prefix", "50", 5, None, "wrong"),
]


@pytest.mark.parametrize(
    ("typed", "expected", "tolerance", "verdict"),
    [row[1:] for row in NUMBERS],
    ids=[row[0] for row in NUMBERS],
)
def test_a_number_is_marked(
    typed: str, expected: float, tolerance: dict[str, object] | None, verdict: str
) -> None:
    line = {"kind": "number", "expected": expected, "answer": typed, "tolerance": tolerance}

    assert check_line(line)["verdict"] == verdict


ARRAYS = [
    ("numbas transposed", "[[1,3],[2,4.5]]", [[1, 2], [3, 4.5]], None, "wrong"),
    ("numbas one cell", "[[1,2],[3,5]]", [[1, 2], [3, 4.5]], None, "coarse"),
    ("numbas comma cell", "[1 2; 3 4,5]", [[1, 2], [3, 4.5]], None, "right"),
    ("stack entries off", "[3,1.414]", [3.14159, 1.41421], {"rtol": 0.01}, "coarse"),
    ("stack braces", "{1;23}", [1, 23], None, "unreadable"),
    ("stack decimal commas", "1,2; 3", [1.2, 3], None, "right"),
    ("stack both roles in brackets", "[1,2; 3]", [1.2, 3], None, "right"),
]


@pytest.mark.parametrize(
    ("typed", "expected", "tolerance", "verdict"),
    [row[1:] for row in ARRAYS],
    ids=[row[0] for row in ARRAYS],
)
def test_an_array_is_marked(
    typed: str, expected: list[object], tolerance: dict[str, object] | None, verdict: str
) -> None:
    line = {"kind": "array", "expected": expected, "answer": typed, "tolerance": tolerance}

    assert check_line(line)["verdict"] == verdict


QUANTITIES = [
    ("stack unit alone", "m/s", 12.3, "m/s", "unreadable"),
    ("stack convertible", "25 g", 0.025, "kg", "right"),
    ("stack not converted", "0.025 g", 0.025, "kg", "wrong"),
    ("stack zero and wrong unit", "0.0 m", 0.0, "m/s", "unit"),
    ("stack written otherwise", "-9.81 m/s/s", -9.81, "m/s^2", "right"),
    ("stack off", "12 m/s", 12.7, "m/s", "wrong"),
    ("formulas power", "-7.5e-3 m^2", -0.0075, "m^2", "right"),
    ("formulas no blank", "100cm", 1.0, "m", "right"),
    ("webwork zero and junk", "0 V*m/A", 5.0, "V", "unit"),
    ("numbas no leading zero", ".823 W/K", 0.823, "W/K", "right"),
]


@pytest.mark.parametrize(
    ("typed", "expected", "unit", "verdict"),
    [row[1:] for row in QUANTITIES],
    ids=[row[0] for row in QUANTITIES],
)
def test_a_quantity_is_marked(typed: str, expected: float, unit: str, verdict: str) -> None:
    line = {"kind": "quantity", "expected": expected, "answer": typed, "unit": unit}

    assert check_line(line)["verdict"] == verdict


FIGURES = [
    ("1.23E-6", 3),
    ("-1.10", 3),
    ("0.0", 1),
    ("0.00", 2),
    ("0.000", 3),
    ("100.0", 4),
    ("100.", 3),
    ("4.320e-3", 4),
    ("0.020e3", 2),
    ("1.0000", 5),
    (".001030", 4),
    ("420.", 3),
    ("0.000690", 3),
]


@pytest.mark.parametrize(("typed", "figures"), FIGURES)
def test_figures_are_counted_as_typed(typed: str, figures: int) -> None:
    assert read_number(typed).sigfigs == (figures,)
