"""Tolerances as lines and content files declare them."""

import math

import pytest

from exercises.checking.tolerance import Tolerance, ToleranceError


@pytest.mark.parametrize(
    ("given", "tolerance"),
    [
        (None, Tolerance(rtol=0.002)),
        ({"rtol": 0.01}, Tolerance(rtol=0.01)),
        ({"rtol": 0}, Tolerance(rtol=0.0)),
        ({"atol": 0.01}, Tolerance(rtol=None, atol=0.01)),
        ({"rtol": 0.01, "atol": 1}, Tolerance(rtol=0.01, atol=1.0)),
        ({"decimals": 0}, Tolerance(rtol=None, decimals=0)),
        ({"decimals": 30}, Tolerance(rtol=None, decimals=30)),
        ({"sigfigs": 1}, Tolerance(rtol=None, sigfigs=1)),
        ({"exact": True}, Tolerance(rtol=None, exact=True)),
    ],
)
def test_a_tolerance_is_read(given: object, tolerance: Tolerance) -> None:
    assert Tolerance.from_json(given) == tolerance


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="nothing said"),
        pytest.param(0.01, id="no object"),
        pytest.param([], id="a list"),
        pytest.param({"rtol": "0.01"}, id="text"),
        pytest.param({"rtol": True}, id="true"),
        pytest.param({"rtol": None}, id="null"),
        pytest.param({"rtol": -0.01}, id="negative"),
        pytest.param({"atol": math.inf}, id="infinite"),
        pytest.param({"atol": math.nan}, id="not a number"),
        pytest.param({"rel": 0.01}, id="unknown name"),
        pytest.param({"decimals": 3, "rtol": 0.1}, id="two that exclude each other"),
        pytest.param({"decimals": 2.5}, id="half a decimal"),
        pytest.param({"decimals": -1}, id="negative decimals"),
        pytest.param({"decimals": 31}, id="too many decimals"),
        pytest.param({"decimals": True}, id="true decimals"),
        pytest.param({"sigfigs": 0}, id="no figures"),
        pytest.param({"exact": False}, id="exact false"),
        pytest.param({"exact": 1}, id="exact one"),
    ],
)
def test_what_is_no_tolerance_is_refused(given: object) -> None:
    with pytest.raises(ToleranceError) as caught:
        Tolerance.from_json(given)

    assert str(caught.value)
