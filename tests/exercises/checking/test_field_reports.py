"""Faults that other systems were reported for, each as a test of its kind (reading, tolerance)."""

import time
from collections.abc import Mapping

import pytest

from exercises.checking.answers import check_line

RIGHT, COARSE, WRONG = "right", "coarse", "wrong"
UNREADABLE, UNIT, SHAPE, BLANK = "unreadable", "unit", "shape", "blank"

EXACT: Mapping[str, object] = {"tolerance": {"exact": True}}
PERCENT: Mapping[str, object] = {"percent": True}

Row = tuple[str, object, str, Mapping[str, object], str]

NUMBERS: list[Row] = [
    # the kind of fault, what is expected, what is typed, the field, the verdict
    ("decimal comma", 0.408, "0,408", {}, RIGHT),
    ("ten thousand, comma group", 10000, "10,000", {}, UNREADABLE),
    ("ten thousand, comma group declared", 10000, "10,000", {"decimal": "point"}, RIGHT),
    ("ten thousand, blank group", 10000, "10 000", {}, RIGHT),
    ("ten thousand, point in a real-valued field", 10000, "10.000", {}, WRONG),
    ("ten, point in a real-valued field", 10, "10.000", {}, RIGHT),
    ("ten thousand, point in a count", 10000, "10.000", EXACT, UNREADABLE),
    ("ten thousand, badly grouped", 10000, "100,00", {}, WRONG),
    ("pasted groups", 78.539816339, "78.539 816 339", {}, RIGHT),
    ("superscript power", 0.001, "10⁻³", {}, RIGHT),
    ("superscript power of ten", 0.001, "1×10⁻³", {}, RIGHT),
    ("superscript is not in line", 22, "2²", {}, WRONG),
    ("superscript is a power", 4, "2²", {}, RIGHT),
    ("superscript power is no subtraction", 7, "10⁻³", {}, WRONG),
    ("exponent", 0.001, "1e-3", {}, RIGHT),
    ("capital exponent", 0.001, "1E-3", {}, RIGHT),
    ("blank before the exponent", 0.001, "1 e-3", {}, RIGHT),
    ("letter x", 0.001, "1x10^-3", {}, RIGHT),
    ("times sign", 0.001, "1 × 10^-3", {}, RIGHT),
    ("star", 0.001, "1*10^-3", {}, RIGHT),
    ("bare power", 0.001, "10^-3", {}, RIGHT),
    ("bare power by stars", 0.001, "10**-3", {}, RIGHT),
    ("whole significand", 0.138, "138*10^-3", {}, RIGHT),
    ("tower of powers", 1, "10^10^10", {}, UNREADABLE),
    ("tower of nines", 1, "9**9**9**9", {}, UNREADABLE),
    ("absurd exponent", 1, "1e999999999", {}, UNREADABLE),
    ("absurd negative exponent", 0, "0.111*10^-960000000", {}, UNREADABLE),
    ("five thousand nines", 1, "9" * 5000, {}, UNREADABLE),
    ("division by zero", 1, "1/0", {}, UNREADABLE),
    ("quotient of powers", 1, "1e200/1e-200", {}, UNREADABLE),
    ("ten thousand brackets", 1, "(" * 10000, {}, UNREADABLE),
    ("percent", 0.5, "50%", PERCENT, RIGHT),
    ("percent with a point", 0.5, "50.0%", PERCENT, RIGHT),
    ("percent with a blank", 0.5, "50 %", PERCENT, RIGHT),
    ("fraction beside percent", 0.5, "1/2", PERCENT, RIGHT),
    ("fifty is not one half", 0.5, "50", PERCENT, WRONG),
    ("percent not allowed", 0.5, "50%", {}, UNREADABLE),
    ("no leading zero", 0.408, ".408", {}, RIGHT),
    ("full stop", 0.408, "0.408.", {}, RIGHT),
    ("equals sign", 0.408, "= 0.408", {}, RIGHT),
    ("label", 0.408, "p = 0.408", {}, RIGHT),
    ("about", 0.408, "≈0.408", {}, RIGHT),
    ("tilde", 0.408, "~0.408", {}, RIGHT),
    ("plus", 0.408, "+0.408", {}, RIGHT),
    ("line break", 0.408, "0.408\n", {}, RIGHT),
    ("unit that is not asked for", 0.408, "0.408 nats", {}, UNIT),
    ("two points", 0.408, "0.4.08", {}, UNREADABLE),
    ("underscore", 1000, "1_000", {}, UNREADABLE),
    ("underscore between ids", 101171109, "10117_1109", {}, UNREADABLE),
    ("digit of another script", 3, "٣", {}, UNREADABLE),
    ("hexadecimal", 16, "0x10", {}, UNREADABLE),
    ("infinity", 1, "infinity", {}, UNREADABLE),
    ("True", 1, "True", {}, UNREADABLE),
    ("LaTeX fraction", 0.5, r"\frac{1}{2}", {}, UNREADABLE),
    ("LaTeX display fraction", 0.5, r"\dfrac12", {}, UNREADABLE),
    ("LaTeX mathematics", 0.5, "$0.5$", {}, UNREADABLE),
    ("LaTeX short fraction", 0.5, r"\frac12", {}, UNREADABLE),
    ("LaTeX groups", 11111, "11{,}111", {}, UNREADABLE),
    ("computed zero, zero", 3e-17, "0", {"tolerance": {"atol": 1e-10}}, RIGHT),
    ("computed zero, zeros", 3e-17, "0.0000", {"tolerance": {"atol": 1e-10}}, RIGHT),
    ("computed zero, dust", 3e-17, "1e-12", {"tolerance": {"atol": 1e-10}}, RIGHT),
    ("computed zero, a hundredth", 3e-17, "0.01", {"tolerance": {"atol": 1e-10}}, WRONG),
    ("small value, half of it", 2e-9, "1e-9", {}, WRONG),
    ("small value, zero", 2e-9, "0", {}, WRONG),
    ("small value", 2e-9, "2e-9", {}, RIGHT),
    ("tie up", 0.4985, "0.499", {"tolerance": {"decimals": 3}}, RIGHT),
    ("tie down", 0.4985, "0.498", {"tolerance": {"decimals": 3}}, RIGHT),
    ("tie itself", 0.4985, "0.4985", {"tolerance": {"decimals": 3}}, RIGHT),
    ("rounded", 0.4076, "0.408", {"tolerance": {"decimals": 3}}, RIGHT),
    ("cut off", 0.4076, "0.407", {"tolerance": {"decimals": 3}}, WRONG),
    ("sign dropped", -5.5, "5.5", {"tolerance": {"atol": 0.5}}, WRONG),
    ("negative within", -5.5, "-5.2", {"tolerance": {"atol": 0.5}}, RIGHT),
    ("blank after the sign", -5.5, "- 5.5", {"tolerance": {"atol": 0.5}}, RIGHT),
    ("share of a negative, within", -100, "-95", {"tolerance": {"rtol": 0.1}}, RIGHT),
    ("share of a negative, beyond", -100, "-111", {"tolerance": {"rtol": 0.1}}, WRONG),
    ("figures", 0.5, "0.500", {"tolerance": {"sigfigs": 3}}, RIGHT),
    ("too few figures", 0.5, "0.5", {"tolerance": {"sigfigs": 3}}, COARSE),
    ("figures of an exponent", 0.5, "5.00e-1", {"tolerance": {"sigfigs": 3}}, RIGHT),
    ("figures of a negative", -0.5, "-0.500", {"tolerance": {"sigfigs": 3}}, RIGHT),
    ("figures that may be zeros", 500, "500", {"tolerance": {"sigfigs": 3}}, RIGHT),
    ("large count off by one", 12345678901234567, "12345678901234568", EXACT, WRONG),
    ("rounded count", 124439808, "124400000", EXACT, WRONG),
    ("whole with a zero", 3, "3.0", EXACT, RIGHT),
    ("not whole", 3, "3.2", EXACT, WRONG),
    ("ten times too much", 5, "50", {}, WRONG),
    ("contains the digit", 5, "15", {}, WRONG),
    ("with a zero", 5, "5.0", {}, RIGHT),
    ("nan is no answer", 5.0, "nan", {"tolerance": {"rtol": 0.01}}, UNREADABLE),
]

ARRAYS: list[Row] = [
    ("semicolon, decimal commas", [0.4, 0.6], "0,4; 0,6", {}, RIGHT),
    ("blank, decimal commas", [0.4, 0.6], "0,4 0,6", {}, RIGHT),
    ("commas of both kinds", [0.4, 0.6], "0,4, 0,6", {}, UNREADABLE),
    ("bare commas", [0.4, 0.6], "0,4,0,6", {}, UNREADABLE),
    ("semicolon in brackets", [0.4, 0.6], "[0.4; 0.6]", {}, RIGHT),
    ("one number for four alike", [0.25] * 4, "0.25", {}, SHAPE),
    ("one row for two alike", [[1, 2], [1, 2]], "[1, 2]", {}, SHAPE),
    ("nothing for one", [1], "[]", {}, SHAPE),
    ("three for two", [1, 2], "1 2 3", {}, SHAPE),
    ("rounded shares", [0.09003, 0.24473, 0.66524], "0.0900 0.2447 0.6652", {}, RIGHT),
    ("thirds", [1 / 3] * 3, "0.333 0.333 0.333", {}, RIGHT),
    ("shares that miss", [0.09003, 0.24473, 0.66524], "0.09 0.24 0.57", {}, WRONG),
    ("non-finite entry", [1, 2], "[1; nan]", {}, UNREADABLE),
]

OTHERS: list[Row] = [
    ("shape with an exponent", [100], "1e2", {"kind": "shape"}, UNREADABLE),
    ("shape with a decimal", [2], "2.0", {"kind": "shape"}, UNREADABLE),
    ("shape with a sign", [3], "-3", {"kind": "shape"}, UNREADABLE),
    ("zero with a wrong unit", 0.0, "0 V*m/A", {"kind": "quantity", "unit": "V"}, UNIT),
    ("comma with a unit", 9.81, "9,81 m/s^2", {"kind": "quantity", "unit": "m/s^2"}, RIGHT),
    ("comma with a unit is no group", 981, "9,81 m/s^2", {"kind": "quantity", "unit": "m/s^2"},
     WRONG),
    ("unit that is asked for", 0.408, "0.408 nats", {"kind": "quantity", "unit": "nat"}, RIGHT),
]  # fmt: skip

ROWS = [
    pytest.param(kind, *rest, id=name)
    for kind, rows in (("number", NUMBERS), ("array", ARRAYS), ("", OTHERS))
    for name, *rest in rows
]


@pytest.mark.parametrize(("kind", "expected", "typed", "field", "verdict"), ROWS)
def test_a_reported_fault_does_not_happen_here(
    kind: str, expected: object, typed: str, field: Mapping[str, object], verdict: str
) -> None:
    line = {"kind": kind, "expected": expected, "answer": typed, **field}
    began = time.thread_time()

    found = check_line(line)

    assert found["verdict"] == verdict
    assert time.thread_time() - began < 0.2
