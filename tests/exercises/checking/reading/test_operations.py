"""Written operations: bounded arithmetic over numbers and names."""

import math
import time

import numpy as np
import pytest
from numpy.typing import ArrayLike

from exercises.checking.reading import (
    AmbiguousError,
    BlankError,
    OutOfRangeError,
    ReadingError,
    TooLargeError,
    evaluate_operation,
)

NAMES: dict[str, ArrayLike] = {
    "logits": [2, 1, 0],
    "softmax": [0.665, 0.245, 0.09],
    "sum": 11.107,
    "target": 0,
    "m_hat": 0.2,
    "mask": [[1, 1], [1, 0]],
    "θ": 0.5,
}

EVALUATED: list[tuple[str, str, ArrayLike]] = [
    ("sum", "1 + 2", 3.0),
    ("difference", "1 − 2 – 3", -4.0),
    ("product", "2 · 3 × 4 * 5 ⋅ 6", 720.0),
    ("quotient", "8 / 2 ÷ 4", 1.0),
    ("power", "2^3", 8.0),
    ("power by stars", "2**3", 8.0),
    ("power to the right", "2^3^2", 512.0),
    ("minus before a power", "-2^2", -4.0),
    ("negative power", "2^-1", 0.5),
    ("superscript", "2³", 8.0),
    ("negative superscript", "2⁻¹", 0.5),
    ("signs", "--2", 2.0),
    ("minus after an operator", "3*-2", -6.0),
    ("precedence", "1 + 2 * 3 - 4 / 2", 5.0),
    ("brackets", "(1 + 2) * 3", 9.0),
    ("decimal comma", "0,5 + 0,25", 0.75),
    ("exponent", "1e-3 * 2E3", 2.0),
    ("exp", "exp(1)", math.e),
    ("ln", "ln(10)", math.log(10)),
    ("log is natural", "log(10)", math.log(10)),
    ("log10", "log10(100)", 2.0),
    ("log2", "log2(8)", 3.0),
    ("sqrt", "sqrt(9)", 3.0),
    ("root sign", "√(9)", 3.0),
    ("abs", "abs(-3)", 3.0),
    ("worked line", "-2 + ln(11.107)", -2 + math.log(11.107)),
    ("share", "exp(2)/(exp(2)+exp(1)+exp(0))", math.exp(2) / (math.exp(2) + math.e + 1)),
    ("Euler's number", "e^2", math.e**2),
    ("given", "target + 1", 1.0),
    ("given of another script", "θ * 2", 1.0),
    ("name with an underscore", "m_hat * 2", 0.4),
    ("step named like a function", "sum + 1", 12.107),
    ("function of that name", "sum(logits)", 3.0),
    ("entry", "softmax[0]", 0.665),
    ("entry by underscore", "logits_0 + logits_1", 3.0),
    ("entry of a matrix", "mask[1, 0]", 1.0),
    ("entry of a row", "mask[1][1]", 0.0),
    ("row", "mask[0]", [1.0, 1.0]),
    ("entrywise", "exp(logits)", [math.e**2, math.e, 1.0]),
    ("array over number", "exp(logits) / sum", [math.e**2 / 11.107, math.e / 11.107, 1 / 11.107]),
    ("array minus array", "softmax - softmax", [0.0, 0.0, 0.0]),
    ("mean", "mean(logits)", 1.0),
    ("max of an array", "max(logits)", 2.0),
    ("min of an array", "min(logits)", 0.0),
    ("max of several", "max(2; 1; 0)", 2.0),
    ("max of several by spaced commas", "max(2, 1, 0)", 2.0),
    ("max of several by commas", "max(2,1,0)", 2.0),
    ("sum of several, comma decimals", "sum(1,5; 2)", 8.0),
    ("sum of a list", "sum([1, 2, 3])", 6.0),
    ("list", "[1, 2] * 2", [2.0, 4.0]),
    ("mean of a matrix", "mean(mask)", 0.75),
    ("label in front", "loss = -ln(0.5)", math.log(2)),
    ("label with an index", "softmax[0] = exp(0)/2", 0.5),
    ("result behind", "-ln(0.5) = 0.693", math.log(2)),
    ("both", "loss = -ln(0.5) ≈ 0,693", math.log(2)),
    ("full width", "１＋２", 3.0),
    ("twenty brackets", "(" * 20 + "1" + ")" * 20, 1.0),
]


@pytest.mark.parametrize(
    ("text", "value"), [row[1:] for row in EVALUATED], ids=[row[0] for row in EVALUATED]
)
def test_an_operation_is_evaluated(text: str, value: ArrayLike) -> None:
    found = np.asarray(evaluate_operation(text, NAMES).value, dtype=np.float64)

    np.testing.assert_allclose(found, np.asarray(value, dtype=np.float64), rtol=1e-14)


REFUSED = [
    ("name that nobody gave", "logit + 1", "unknown_name"),
    ("case matters", "Logits + 1", "unknown_name"),
    ("function that is none", "sin(1)", "unknown_function"),
    ("given as a function", "logits(0)", "implicit_product"),
    ("number before a bracket", "2(3)", "implicit_product"),
    ("number before a name", "2 exp(1)", "implicit_product"),
    ("bracket before a bracket", "(2)(3)", "implicit_product"),
    ("two numbers", "1 2", "implicit_product"),
    ("nothing behind", "1 +", "operation_end"),
    ("nothing before", "* 2", "operation_sign"),
    ("empty brackets", "exp()", "operation_sign"),
    ("function without brackets", "exp 2", "unknown_name"),
    ("not closed", "(1 + 2", "bracket_open"),
    ("closed by another", "(1 + 2]", "bracket"),
    ("not opened", "1 + 2)", "bracket"),
    ("two values for one", "exp(1; 2)", "one_argument"),
    ("arrays among several", "max(logits; 1)", "numbers_only"),
    ("shapes that differ", "logits + mask", "operation_shapes"),
    ("entry beyond the end", "logits[3]", "index_range"),
    ("entry by underscore beyond the end", "logits_7", "index_range"),
    ("entry of a number", "target[0]", "index_range"),
    ("entry that is not whole", "logits[0.5]", "index"),
    ("entry before the first", "logits[-1]", "index"),
    ("underscore in a number", "1_000 + 1", "underscore"),
    ("hexadecimal", "0x10 + 1", "implicit_product"),
    ("equation", "1 = 2 = 3", "character"),
    ("percent", "50 % * 2", "percent_place"),
    ("LaTeX", r"\frac{1}{2}", "latex"),
    ("digits of another script", "٣ + 1", "foreign_digit"),
    ("attribute", "logits.__class__", "character"),
    ("call of what nobody gave", "__import__('os')", "underscore"),
    ("text", "'a' * 9", "character"),
]


@pytest.mark.parametrize(
    ("text", "code"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_no_operation_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(ReadingError) as caught:
        evaluate_operation(text, NAMES)

    assert caught.value.code == code
    assert str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("9**9**9**9", id="tower"),
        pytest.param("10^10^10", id="tower of tens"),
        pytest.param("1/0", id="division by zero"),
        pytest.param("0/0", id="zero by zero"),
        pytest.param("ln(0)", id="logarithm of zero"),
        pytest.param("ln(-1)", id="logarithm of a negative"),
        pytest.param("(-8)^(1/3)", id="root of a negative"),
        pytest.param("exp(1000)", id="overflow"),
        pytest.param("1e200*1e200", id="product too large"),
        pytest.param("1e999", id="number too large"),
        pytest.param("[1; 0] / [1; 0]", id="one entry not finite"),
    ],
)
def test_a_value_that_is_not_finite_is_refused(text: str) -> None:
    with pytest.raises(OutOfRangeError):
        evaluate_operation(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 21 + "1" + ")" * 21, id="twenty-one brackets"),
        pytest.param("(" * 1900, id="only brackets"),
        pytest.param("^".join("2" * 30), id="thirty powers"),
        pytest.param("+".join("1" * 400), id="too many parts"),
        pytest.param("1" * 2001, id="too many characters"),
    ],
)
def test_more_than_an_operation_takes_is_refused(text: str) -> None:
    with pytest.raises(TooLargeError):
        evaluate_operation(text, NAMES)


@pytest.mark.parametrize("text", ["1,234 + 1", "max(1, 2,3)", "sum([1,5, 2])"])
def test_commas_with_two_readings_are_refused(text: str) -> None:
    with pytest.raises(AmbiguousError):
        evaluate_operation(text, NAMES)


def test_nothing_is_blank() -> None:
    with pytest.raises(BlankError):
        evaluate_operation(" ", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "11.107 + 2.5",
        "11.107 - 2.5",
        "11.107 * 2.5",
        "11.107 / 2.5",
        "11.107 ^ 2.5",
        "exp(2.5)",
        "ln(11.107)",
        "log10(11.107)",
        "log2(11.107)",
        "sqrt(11.107)",
        "abs(-2.5)",
        "sum(11.107; 2.5)",
        "mean(11.107; 2.5)",
        "2 * 2.5",
        "ln(2.5) / (11.107 - 1)^2",
    ],
)
def test_the_typed_digits_leave_open_what_changing_them_changes(text: str) -> None:
    evaluated = evaluate_operation(text, {})
    changed = 0.0
    for digits, thousandth_of_half in (("11.107", "5/10000000"), ("2.5", "5/100000")):
        moved = evaluate_operation(text.replace(digits, f"({digits}+{thousandth_of_half})"), {})
        changed += abs(float(moved.value) - float(evaluated.value)) * 1000

    assert evaluated.half == pytest.approx(changed, rel=1e-3)


def test_the_largest_of_several_is_as_open_as_the_most_open() -> None:
    assert evaluate_operation("max(11.107; 2.5)", {}).half == pytest.approx(0.05)


def test_whole_numbers_and_fractions_are_exact() -> None:
    assert evaluate_operation("2 / 3 + 10", {}).half == 0.0


def test_named_values_leave_open_what_is_said_of_them() -> None:
    opened = evaluate_operation("2 * p", {"p": 0.5}, halves={"p": 0.05})
    entrywise = evaluate_operation("p[1]", {"p": [0.5, 0.4]}, halves={"p": [0.05, 0.005]})

    assert opened.half == pytest.approx(0.1)
    assert entrywise.half == pytest.approx(0.005)


def test_zero_to_a_power_leaves_no_undefined_opening() -> None:
    assert evaluate_operation("0^2", {}).half == 0.0
    assert np.isfinite(evaluate_operation("sqrt(0)", {}).half)


def test_the_longest_operation_answers_in_time() -> None:
    names = {"x": np.linspace(1, 2, 1000)}
    texts = ["+".join(["x"] * 249), "*".join(["exp(x)"] * 99), "-" * 400 + "1"]
    for text in texts:
        times = []
        for _ in range(4):
            began = time.thread_time()
            evaluate_operation(text, names)
            times.append(time.thread_time() - began)
        assert min(times) < 0.02
