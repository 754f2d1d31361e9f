"""Right, coarse and wrong: the contract's examples, and a hair on both sides of every edge."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from exercises.checking.comparing import COARSE, RIGHT, VERDICTS, WRONG, Target, compare, judge
from exercises.checking.reading import Typed, read_array, read_number
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Verdict

DEFAULT = Tolerance()
LOSS = 0.4076059644443803


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("0.408", LOSS, Verdict.RIGHT),
        ("0.4076", LOSS, Verdict.RIGHT),
        ("0.407", LOSS, Verdict.RIGHT),
        ("0.41", LOSS, Verdict.COARSE),
        ("0.4", LOSS, Verdict.COARSE),
        ("0.42", LOSS, Verdict.WRONG),
        ("0", LOSS, Verdict.WRONG),
        ("0.0", LOSS, Verdict.WRONG),
        ("0.3", 0.2906638105723191, Verdict.COARSE),
        ("5", 5, Verdict.RIGHT),
        ("8", 5, Verdict.WRONG),
        ("1", 0.6, Verdict.COARSE),
        ("-5.5", 5.5, Verdict.WRONG),
        ("2/5", LOSS, Verdict.WRONG),
        ("1/3", 1 / 3, Verdict.RIGHT),
        ("1e-9", 2e-9, Verdict.WRONG),
        ("0", 2e-9, Verdict.WRONG),
        ("2e-9", 2e-9, Verdict.RIGHT),
        ("0", 3e-17, Verdict.RIGHT),
        ("0.0000", 3e-17, Verdict.RIGHT),
        ("0.01", 3e-17, Verdict.WRONG),
        ("-0", 0, Verdict.RIGHT),
        ("0.3", 0.1 + 0.2, Verdict.RIGHT),
    ],
)
def test_the_default_reads_like_a_careful_marker(
    text: str, expected: float, verdict: Verdict
) -> None:
    typed = read_number(text)

    assert compare(typed, expected, DEFAULT) is verdict
    assert VERDICTS[int(judge(typed.value, typed.half, expected, DEFAULT))] is verdict


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        pytest.param("0.748 0.184 0.068", [0.74777, 0.1844, 0.06784], Verdict.RIGHT, id="rounded"),
        pytest.param("0.748 0.184 0.07", [0.74777, 0.1844, 0.06784], Verdict.RIGHT, id="shorter"),
        pytest.param("0.748 0.2 0.068", [0.74777, 0.1844, 0.06784], Verdict.COARSE, id="too short"),
        pytest.param("0.748 0.2 0.09", [0.74777, 0.1844, 0.06784], Verdict.WRONG, id="worst"),
        pytest.param("0.75 0.18 0.000", [0.75, 0.18, 0.0004], Verdict.RIGHT, id="small entry"),
        pytest.param("0.75 0.18 0", [0.75, 0.18, 0.02], Verdict.WRONG, id="zero is never coarse"),
        pytest.param("0.0900 0.2447 0.6652", [0.09003, 0.24473, 0.66524], Verdict.RIGHT, id="sum"),
        pytest.param("0.09 0.24 0.57", [0.09003, 0.24473, 0.66524], Verdict.WRONG, id="one off"),
        pytest.param("0.333 0.333 0.333", [1 / 3] * 3, Verdict.RIGHT, id="thirds"),
        pytest.param("0.25", [0.25] * 4, Verdict.SHAPE, id="one for four"),
        pytest.param("0.25 0.25", [[0.25, 0.25]] * 2, Verdict.SHAPE, id="a row for a matrix"),
        pytest.param("[]", [1.0], Verdict.SHAPE, id="none for one"),
        pytest.param("[]", [], Verdict.RIGHT, id="none for none"),
        pytest.param("1 2 3", [1.0, 2.0], Verdict.SHAPE, id="three for two"),
        pytest.param("[[1], [2]]", [1.0, 2.0], Verdict.SHAPE, id="column"),
        pytest.param("[1 3; 2 4]", [[1.0, 2.0], [3.0, 4.0]], Verdict.WRONG, id="transposed"),
    ],
)
def test_arrays_by_their_worst_entry(text: str, expected: list[object], verdict: Verdict) -> None:
    assert compare(read_array(text), np.array(expected), DEFAULT) is verdict


def codes(value: float, half: float, expected: float, tolerance: Tolerance) -> tuple[int, int]:
    """Judge one entry both ways: alone and in arrays."""
    target = Target((), (expected,), tolerance)
    many = judge([value], [half], [expected], tolerance)
    if tolerance.exact or tolerance.decimals is not None or tolerance.sigfigs is not None:
        typed = Typed((), (value,), (half,), (repr(value),))
        return target.codes(typed)[0], int(many[0])
    return target.code(value, half, target.flat[0]), int(many[0])


HAIR = 1e-9


@pytest.mark.parametrize(
    ("value", "half", "expected", "tolerance", "code"),
    [
        pytest.param(1000000.01, 0.0, 1e6, Tolerance(rtol=None, atol=0.01), RIGHT, id="atol"),
        pytest.param(100000.06, 0.005, 100000.055, Tolerance(rtol=0.0), RIGHT, id="rounded"),
        pytest.param(
            100000.06, 0.005, 100000.055, Tolerance(rtol=None, decimals=2), RIGHT, id="decimals"
        ),
        pytest.param(
            100000.06, 0.005, 100000.055, Tolerance(rtol=None, sigfigs=8), RIGHT, id="figures"
        ),
    ],
)
def test_an_edge_far_from_zero_is_inclusive_in_spite_of_round_off(
    value: float, half: float, expected: float, tolerance: Tolerance, code: int
) -> None:
    assert abs(value - expected) > max(half, tolerance.atol or 0.0)
    assert codes(value, half, expected, tolerance) == (code, code)


EDGES = [
    # what is on the edge, its value, half, reference, tolerance, code inside, code outside
    ("rtol above", 1.002, 0.0, 1.0, DEFAULT, RIGHT, WRONG),
    ("rtol of a large scale", 1002.0, 0.0, 1000.0, DEFAULT, RIGHT, WRONG),
    ("rtol of a negative", -1.002, 0.0, -1.0, DEFAULT, RIGHT, WRONG),
    ("declared rtol", 1.05, 0.0, 1.0, Tolerance(rtol=0.05), RIGHT, WRONG),
    (
        "rtol is scale-free, small",
        1.05e-33,
        0.0,
        1e-33,
        Tolerance(rtol=0.05, atol=0.0),
        RIGHT,
        WRONG,
    ),
    ("rtol is scale-free, large", 1.05e33, 0.0, 1e33, Tolerance(rtol=0.05), RIGHT, WRONG),
    ("floor", 1e-15, 0.0, 0.0, DEFAULT, RIGHT, WRONG),
    ("atol", 1.05, 0.0, 1.0, Tolerance(rtol=None, atol=0.05), RIGHT, WRONG),
    ("atol at zero", 0.05, 0.0, 0.0, Tolerance(rtol=None, atol=0.05), RIGHT, WRONG),
    ("both, atol larger", 1.05, 0.0, 1.0, Tolerance(rtol=0.01, atol=0.05), RIGHT, WRONG),
    ("both, rtol larger", 1.05, 0.0, 1.0, Tolerance(rtol=0.05, atol=0.01), RIGHT, WRONG),
    ("rounded as typed", 1.005, 0.005, 1.0, Tolerance(rtol=0.0), RIGHT, WRONG),
    ("rounded as typed, coarse", 1.05, 0.05, 1.0, Tolerance(rtol=0.0), COARSE, WRONG),
    ("half on the near side", 0.499, 0.0005, 0.4985, Tolerance(rtol=0.0), RIGHT, WRONG),
    ("decimals, tie above", 0.499, 0.0005, 0.4985, Tolerance(rtol=None, decimals=3), RIGHT, WRONG),
    ("figures, tie above", 0.499, 0.0005, 0.4985, Tolerance(rtol=None, sigfigs=3), RIGHT, WRONG),
]


@pytest.mark.parametrize(
    ("value", "half", "expected", "tolerance", "inside", "outside"),
    [row[1:] for row in EDGES],
    ids=[row[0] for row in EDGES],
)
def test_an_edge_is_inclusive_and_a_hair_beyond_is_out(
    value: float, half: float, expected: float, tolerance: Tolerance, inside: int, outside: int
) -> None:
    hair = HAIR * abs(value - expected)
    away = math.copysign(hair, value - expected)

    assert codes(value, half, expected, tolerance) == (inside, inside)
    assert codes(value - away, half, expected, tolerance) == (inside, inside)
    assert codes(value + away, half, expected, tolerance) == (outside, outside)


@pytest.mark.parametrize(
    ("half", "code"),
    [
        pytest.param(0.01, RIGHT, id="one per cent"),
        pytest.param(0.01 * (1 - HAIR), RIGHT, id="a hair less"),
        pytest.param(0.01 * (1 + HAIR), COARSE, id="a hair more"),
    ],
)
def test_rounding_is_right_up_to_one_per_cent_of_the_scale(half: float, code: int) -> None:
    assert codes(1.009, half, 1.0, DEFAULT) == (code, code)


def test_the_scale_is_the_largest_absolute_entry_of_the_reference_alone() -> None:
    reference = [-10.0, 0.001]

    assert compare(read_array("-10; 0.021"), reference, DEFAULT) is Verdict.RIGHT
    assert compare(read_array("-10; 0.0211"), reference, DEFAULT) is Verdict.WRONG
    assert compare(read_number("4.44"), 4.0, Tolerance(rtol=0.1)) is Verdict.WRONG


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("-5.2", -5.5, Verdict.RIGHT),
        ("- 5.5", -5.5, Verdict.RIGHT),
        ("5.5", -5.5, Verdict.WRONG),
        ("-6", -5.5, Verdict.RIGHT),
        ("-6.1", -5.5, Verdict.WRONG),
        ("7", 6.4, Verdict.WRONG),
        ("0", 0.1, Verdict.RIGHT),
    ],
)
def test_with_atol_alone_rounding_earns_nothing(
    text: str, expected: float, verdict: Verdict
) -> None:
    assert compare(read_number(text), expected, Tolerance(rtol=None, atol=0.5)) is verdict


def test_a_given_atol_replaces_the_floor() -> None:
    assert compare(read_number("1e-16"), 0, Tolerance(rtol=None, atol=0.0)) is Verdict.WRONG
    assert compare(read_number("1e-16"), 0, Tolerance(rtol=0.1, atol=0.0)) is Verdict.WRONG
    assert compare(read_number("0"), 0, Tolerance(rtol=None, atol=0.0)) is Verdict.RIGHT
    assert compare(read_number("1e-16"), 0, DEFAULT) is Verdict.RIGHT


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("0.499", 0.4985, Verdict.RIGHT),
        ("0.498", 0.4985, Verdict.RIGHT),
        ("0.4985", 0.4985, Verdict.RIGHT),
        ("0.408", LOSS, Verdict.RIGHT),
        ("0.407", LOSS, Verdict.WRONG),
        ("0.4076", LOSS, Verdict.RIGHT),
        ("4.08e-1", LOSS, Verdict.RIGHT),
        ("0.41", LOSS, Verdict.COARSE),
        ("0.42", LOSS, Verdict.WRONG),
        ("0.5", 0.5, Verdict.COARSE),
        ("0.500", 0.5, Verdict.RIGHT),
        ("1/2", 0.5, Verdict.RIGHT),
        ("2/5", LOSS, Verdict.WRONG),
        ("0", 0, Verdict.RIGHT),
        ("0.000", 0.0004, Verdict.RIGHT),
        ("0", 0.0004, Verdict.WRONG),
        ("12", 12.0001, Verdict.COARSE),
    ],
)
def test_three_decimals(text: str, expected: float, verdict: Verdict) -> None:
    assert compare(read_number(text), expected, Tolerance(rtol=None, decimals=3)) is verdict


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("12.35", 12.3456, Verdict.RIGHT),
        ("12.34", 12.3456, Verdict.WRONG),
        ("12.3", 12.3456, Verdict.COARSE),
        ("2.67", 2.675, Verdict.RIGHT),
        ("2.68", 2.675, Verdict.RIGHT),
        ("2.69", 2.675, Verdict.WRONG),
    ],
)
def test_two_decimals(text: str, expected: float, verdict: Verdict) -> None:
    assert compare(read_number(text), expected, Tolerance(rtol=None, decimals=2)) is verdict


@pytest.mark.parametrize(
    ("text", "expected", "figures", "verdict"),
    [
        ("0.500", 0.5, 3, Verdict.RIGHT),
        ("5.00e-1", 0.5, 3, Verdict.RIGHT),
        ("-0.500", -0.5, 3, Verdict.RIGHT),
        ("0.5", 0.5, 3, Verdict.COARSE),
        ("500", 500, 3, Verdict.RIGHT),
        ("100", 100, 3, Verdict.RIGHT),
        ("13000", 12700, 2, Verdict.RIGHT),
        ("12000", 12700, 2, Verdict.WRONG),
        ("1000", 999, 2, Verdict.RIGHT),
        ("1E3", 999, 2, Verdict.COARSE),
        ("0.0498", 0.04985, 3, Verdict.RIGHT),
        ("0.0499", 0.04985, 3, Verdict.RIGHT),
        ("3.141", math.pi, 4, Verdict.WRONG),
        ("3.142", math.pi, 4, Verdict.RIGHT),
        ("3.1416", math.pi, 4, Verdict.RIGHT),
        ("3.14", math.pi, 4, Verdict.COARSE),
        ("3.147", math.pi, 4, Verdict.WRONG),
        ("1.5", 1.5, 3, Verdict.COARSE),
        ("8.250434", 8.25, 4, Verdict.RIGHT),
        ("138*10^-3", 0.138, 3, Verdict.RIGHT),
        ("6.022e+23", 6.0221409e23, 4, Verdict.RIGHT),
        ("6.02e+23", 6.0221409e23, 4, Verdict.COARSE),
        ("1/3", 1 / 3, 3, Verdict.RIGHT),
        ("0", 0, 3, Verdict.RIGHT),
        ("0.001", 0, 3, Verdict.WRONG),
        ("0.00100", 0, 3, Verdict.WRONG),
        ("1000", 1000, 4, Verdict.RIGHT),
        ("0.0010", 0.001, 2, Verdict.RIGHT),
        ("0.001", 0.001, 2, Verdict.COARSE),
    ],
)
def test_significant_figures(text: str, expected: float, figures: int, verdict: Verdict) -> None:
    tolerance = Tolerance(rtol=None, sigfigs=figures)

    assert compare(read_number(text), expected, tolerance) is verdict


def test_digits_are_asked_of_each_entry() -> None:
    tolerance = Tolerance(rtol=None, sigfigs=3)

    assert compare(read_array("665 0.0900"), [665.24, 0.09003], tolerance) is Verdict.RIGHT
    assert compare(read_array("665 0.09"), [665.24, 0.09003], tolerance) is Verdict.COARSE


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("12345678901234568", 12345678901234567, Verdict.WRONG),
        ("12345678901234567", 12345678901234567, Verdict.RIGHT),
        ("124400000", 124439808, Verdict.WRONG),
        ("3.0", 3, Verdict.RIGHT),
        ("3e0", 3, Verdict.RIGHT),
        ("6/2", 3, Verdict.RIGHT),
        ("5/2", 3, Verdict.WRONG),
        ("3.2", 3, Verdict.WRONG),
        ("3.0000000000000000000000001", 3, Verdict.WRONG),
        ("5.0", 5, Verdict.RIGHT),
        ("50", 5, Verdict.WRONG),
        ("15", 5, Verdict.WRONG),
        ("0.5", 0.5, Verdict.RIGHT),
        ("10^20", 10**20, Verdict.RIGHT),
    ],
)
def test_counts_compare_exactly(text: str, expected: float, verdict: Verdict) -> None:
    tolerance = Tolerance(rtol=None, exact=True)

    assert Target((), (expected,), tolerance).verdict(read_number(text)) is verdict


def test_a_count_beyond_a_double_is_finite_and_keeps_its_sign() -> None:
    target = Target((), (-(10**400),), Tolerance(rtol=None, exact=True))

    assert target.finite
    assert target.flat == (-math.inf,)
    assert target.verdict(read_number("-1" + "0" * 400, huge=True)) is Verdict.RIGHT
    assert target.verdict(read_number("1" + "0" * 400, huge=True)) is Verdict.WRONG


def test_arrays_of_counts_compare_exactly() -> None:
    tolerance = Tolerance(rtol=None, exact=True)

    assert compare(read_array("[1, 0, 0]"), np.array([1, 0, 0]), tolerance) is Verdict.RIGHT
    assert compare(read_array("[1, 0, 0.0001]"), np.array([1, 0, 0]), tolerance) is Verdict.WRONG


@pytest.mark.parametrize("tolerance", [DEFAULT, Tolerance(rtol=None, exact=True)])
@pytest.mark.parametrize("expected", [math.nan, math.inf, -math.inf, 1.0])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.0])
def test_non_finite_values_match_only_themselves(
    value: float, expected: float, tolerance: Tolerance
) -> None:
    same = value == expected or (math.isnan(value) and math.isnan(expected))
    typed = read_number(str(value), nonfinite=True)

    assert (compare(typed, expected, tolerance) is Verdict.RIGHT) is same
    assert bool(judge(value, typed.half, expected, tolerance) == RIGHT) is same


def test_an_infinite_entry_does_not_widen_the_others() -> None:
    expected = [math.inf, 1.0]

    assert compare(read_array("inf; 1.002", nonfinite=True), expected, DEFAULT) is Verdict.RIGHT
    assert compare(read_array("inf; 1.003", nonfinite=True), expected, DEFAULT) is Verdict.WRONG
    assert judge([math.inf, 1.003], [0, 5e-4], expected, DEFAULT, entry_axes=1) == WRONG


@pytest.mark.parametrize(
    ("value", "half", "code"),
    [
        pytest.param(0.9, 0.0, RIGHT, id="on the lower bound"),
        pytest.param(1.0, 0.0, RIGHT, id="inside"),
        pytest.param(1.1, 0.0, RIGHT, id="on the upper bound"),
        pytest.param(1.1021, 0.0, WRONG, id="above"),
        pytest.param(0.8979, 0.0, WRONG, id="below"),
        pytest.param(1.102, 0.0, RIGHT, id="as far above as rtol allows"),
        pytest.param(1.15, 0.05, COARSE, id="rounded to a bound"),
        pytest.param(0.891, 0.009, RIGHT, id="finely rounded to a bound"),
    ],
)
def test_a_value_within_what_the_reference_may_be_is_right(
    value: float, half: float, code: int
) -> None:
    assert judge(value, half, 1.0, DEFAULT, low=0.9, high=1.1) == code


def test_exact_values_within_bounds_are_right() -> None:
    tolerance = Tolerance(rtol=None, exact=True)

    assert judge(4.0, 0.5, 5.0, tolerance, low=4.0, high=6.0) == RIGHT
    assert judge(3.0, 0.5, 5.0, tolerance, low=4.0, high=6.0) == WRONG


def test_many_answers_are_judged_each_by_its_own_reference_and_scale() -> None:
    expected = np.array([[1.0, 0.1], [100.0, 0.1]])
    values = np.array([[1.0, 0.11], [100.0, 0.11]])
    halves = np.zeros((2, 2))

    assert judge(values, halves, expected, DEFAULT, entry_axes=1).tolist() == [WRONG, RIGHT]
    assert judge(values[:, 1], halves[:, 1], expected[:, 1], DEFAULT).tolist() == [WRONG, WRONG]
    given_scale = judge(values, halves, expected, DEFAULT, scale=[100.0, 1.0], entry_axes=1)
    assert given_scale.tolist() == [RIGHT, WRONG]


def test_one_reference_serves_many_answers() -> None:
    values = np.array([[1.0, 2.0], [1.0, 2.1], [1.0, math.nan]])

    found = judge(values, np.zeros((3, 2)), [1.0, 2.0], DEFAULT, entry_axes=1)

    assert found.dtype == np.int8
    assert found.tolist() == [RIGHT, WRONG, WRONG]


def test_no_entries_are_right() -> None:
    assert judge(
        np.zeros((2, 0)), np.zeros((2, 0)), np.zeros(0), DEFAULT, entry_axes=1
    ).tolist() == [
        RIGHT,
        RIGHT,
    ]


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from(
    [0.0, 1.0, 1.002, 0.998, 0.41, 0.408, LOSS, 1e-15, 3e-17]
)
tolerances = st.one_of(
    st.just(DEFAULT),
    st.builds(Tolerance, rtol=st.floats(0, 0.5), atol=st.none() | st.floats(0, 1)),
    st.builds(Tolerance, rtol=st.none(), atol=st.floats(0, 1)),
    st.builds(Tolerance, rtol=st.none(), decimals=st.integers(0, 6)),
    st.builds(Tolerance, rtol=st.none(), sigfigs=st.integers(1, 6)),
)


@settings(max_examples=1500, deadline=None)
@given(
    entries=st.lists(
        st.tuples(numbers, st.sampled_from([0.0, 0.5, 0.05, 5e-4, 5e-7]), numbers),
        min_size=1,
        max_size=4,
    ),
    tolerance=tolerances,
)
def test_one_by_one_and_all_at_once_agree(
    entries: list[tuple[float, float, float]], tolerance: Tolerance
) -> None:
    values, halves, expected = (list(column) for column in zip(*entries, strict=True))
    shape = (len(entries),)
    typed = read_array("[" + "; ".join(["1"] * len(entries)) + "]")
    typed.flat, typed.halves = tuple(values), tuple(halves)

    alone = Target(shape, expected, tolerance).verdict(typed)
    together = judge([values, values], [halves, halves], expected, tolerance, entry_axes=1)

    assert [VERDICTS[code] for code in together] == [alone, alone]


def distance(values: ArrayLike, expected: float) -> list[float]:
    """Return how far each value is from the reference."""
    return [abs(float(value) - expected) for value in np.asarray(values).tolist()]


@settings(max_examples=500, deadline=None)
@given(
    expected=st.floats(-1e6, 1e6),
    near=st.floats(-1, 1),
    far=st.floats(-1, 1),
    half=st.sampled_from([0.0, 0.5, 0.05, 5e-4]),
)
def test_a_nearer_value_is_never_judged_worse(
    expected: float, near: float, far: float, half: float
) -> None:
    near, far = sorted((near, far), key=abs)
    values = [expected + near, expected + far]
    if distance(values, expected) != sorted(distance(values, expected)) or 0.0 in values:
        return

    first, second = judge(values, [half, half], [expected, expected], DEFAULT)

    assert first <= second
