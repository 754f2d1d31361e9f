"""Following one chain: the status of each step, the first break, faults and score."""

import json
from typing import Any

import pytest

from exercises import references
from exercises.checking.steps import GivenError
from exercises.checking.tolerance import Tolerance
from tests.exercises.checking.tracing import (
    LOGITS,
    MASKED,
    MEMORY,
    RIGHT,
    broken,
    check,
    cross_entropy,
    faults,
    follow,
    status_of,
    statuses,
    step_of,
)

CARRIED = {"sum": "3", "softmax": "2.463 0.906 0.333", "loss": "-0.901"}


def test_the_example_of_a_right_trace() -> None:
    checked = cross_entropy()

    assert statuses(checked) == ["right"] * 4
    assert checked["steps"][0]["read"] == [7.389, 2.718, 1.0]
    assert checked["first_break"] is None
    assert checked["faults"] == []
    assert checked["score"] == 1.0


def test_steps_come_in_the_order_of_the_reference() -> None:
    answers = dict(reversed(RIGHT.items()))

    names = [step["name"] for step in check("cross_entropy", LOGITS, answers)["steps"]]

    assert names == ["exp", "sum", "softmax", "loss"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param({}, ["right"] * 4, id="right"),
        pytest.param(CARRIED, ["right", "wrong", "carried", "carried"], id="carried along"),
        pytest.param(
            {"sum": "3"}, ["right", "wrong", "unsupported", "right"], id="rejoined by another route"
        ),
        pytest.param(
            {"sum": None}, ["right", "missing", "unsupported", "right"], id="missing line before"
        ),
        pytest.param(
            {"softmax": "0.5 0.3 0.2"}, ["right", "right", "wrong", "right"], id="loss from the sum"
        ),
        pytest.param(
            {"sum": "12", "softmax": "0.5 0.3 0.2"},
            ["right", "wrong", "wrong", "unsupported"],
            id="right loss from no line of one's own",
        ),
        pytest.param(
            {"exp": None, "sum": None, "softmax": None},
            ["missing", "missing", "missing", "unsupported"],
            id="a right result without a chain",
        ),
        pytest.param(
            {"exp": "7.389 2.718"}, ["shape", "unsupported", "unsupported", "right"], id="shape"
        ),
        pytest.param(
            {"sum": "eleven"}, ["right", "unreadable", "unsupported", "right"], id="unreadable"
        ),
        pytest.param({"loss": "0.41"}, ["right", "right", "right", "coarse"], id="coarse"),
        pytest.param({"loss": "0.42"}, ["right", "right", "right", "wrong"], id="wrong"),
        pytest.param(
            {"loss": "0"}, ["right", "right", "right", "wrong"], id="no digit is not coarse"
        ),
        pytest.param(
            {"sum": "11.107 GB"},
            ["right", "unit", "unsupported", "right"],
            id="unit where none is",
        ),
        pytest.param({"loss": "   "}, ["right", "right", "right", "missing"], id="blank"),
        pytest.param({"loss": {}}, ["right", "right", "right", "missing"], id="empty object"),
        pytest.param({"loss": 0.408}, ["right", "right", "right", "unreadable"], id="no text"),
        pytest.param({"loss": ["0.408"]}, ["right", "right", "right", "unreadable"], id="a list"),
    ],
)
def test_statuses(answers: dict[str, Any], expected: list[str]) -> None:
    assert statuses(cross_entropy(**answers)) == expected


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        pytest.param({}, 1.0, id="right counts one"),
        pytest.param({"loss": "0.41"}, 1.0, id="coarse counts one"),
        pytest.param(CARRIED, 0.75, id="carried counts one"),
        pytest.param({"sum": "3"}, 0.625, id="unsupported counts a half"),
        pytest.param(
            {"loss": {"operation": "-ln(softmax[0])", "result": "0.48"}}, 0.875, id="slip"
        ),
        pytest.param({"loss": "0.42"}, 0.75, id="wrong counts nothing"),
        pytest.param({"loss": None}, 0.75, id="missing counts nothing"),
    ],
)
def test_the_score(answers: dict[str, Any], score: float) -> None:
    assert cross_entropy(**answers)["score"] == score


def test_each_fault_is_listed_in_order_in_the_form_of_the_first_break() -> None:
    checked = cross_entropy(
        exp="100 10 1", sum="111", softmax="0.9009 0.0901 0.0090", loss="-0.104"
    )

    assert statuses(checked) == ["wrong", "carried", "carried", "wrong"]
    assert faults(checked) == ["exp", "loss"]
    assert checked["first_break"] == checked["faults"][0]
    assert set(checked["first_break"]) == {"step", "status", "break", "cause", "message"}
    assert broken(checked) == ("exp", "operation", "power_of_ten")
    assert checked["faults"][1]["cause"] == "missing_minus"


def test_an_unsupported_step_is_no_fault_of_its_own() -> None:
    assert faults(cross_entropy(sum="3")) == ["sum"]


@pytest.mark.parametrize("status", ["missing", "shape", "unreadable", "wrong"])
def test_a_line_that_is_not_there_or_not_right_is_a_fault(status: str) -> None:
    text = {"missing": "", "shape": "1 2", "unreadable": "?", "wrong": "1 2 3"}[status]
    checked = cross_entropy(exp=text)

    assert status_of(checked, "exp") == status
    assert checked["first_break"]["step"] == "exp"


def test_an_unreadable_or_missing_line_does_not_stop_the_later_ones() -> None:
    checked = cross_entropy(exp="?", sum="", softmax="0.5 0.3 0.2", loss="0.693")

    assert statuses(checked) == ["unreadable", "missing", "wrong", "carried"]


def test_a_step_that_rests_on_givens_alone_is_never_unsupported_or_carried() -> None:
    checked = check("masked_mean_loss", MASKED, {"valid_positions": "4", "total": "3.9"})

    assert statuses(checked) == ["wrong", "right", "missing"]


def test_a_route_from_the_givens_supports_a_line_whatever_stands_before_it() -> None:
    checked = check("optimizer_memory", MEMORY, {"weights": "27e9", "moments": "56e9"})

    assert statuses(checked)[:2] == ["wrong", "right"]


def test_a_route_from_the_line_before_carries_its_error_along() -> None:
    checked = check("optimizer_memory", MEMORY, {"weights": "27e9", "moments": "54e9"})

    assert statuses(checked)[:2] == ["wrong", "carried"]


def test_values_of_another_shape_are_followed_too() -> None:
    checked = cross_entropy(exp="7.389 2.718", sum="10.107", softmax="0.731 0.269", loss="0.313")

    assert statuses(checked) == ["shape", "carried", "carried", "carried"]
    assert broken(checked) == ("exp", "shapes", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("0.25", "shape", id="a number is not broadcast"),
        pytest.param("[[0.665, 0.245, 0.090]]", "shape", id="a row is no vector"),
        pytest.param("[0.665, 0.245]", "shape", id="an entry short"),
        pytest.param("[0.665, 0.245, 0.090, 0]", "shape", id="an entry over"),
        pytest.param("[]", "shape", id="nothing inside"),
    ],
)
def test_shapes_come_before_values(text: str, expected: str) -> None:
    step = step_of(cross_entropy(softmax=text), "softmax")

    assert (step["status"], step["break"]) == (expected, "shapes")


@pytest.mark.parametrize("text", ["[11.107]", "7.389 2.718 1", "[[11.107]]"])
def test_a_list_on_the_line_of_a_number_is_a_fault_of_shape(text: str) -> None:
    assert status_of(cross_entropy(sum=text), "sum") == "shape"


def test_a_wrong_number_of_logits_does_not_reach_past_its_end() -> None:
    given = {"logits": [2, 1, 0], "target": 2}
    checked = check("cross_entropy", given, {"softmax": "0.7 0.3", "loss": "1.204"})

    assert statuses(checked)[2:] == ["shape", "wrong"]


@pytest.mark.parametrize(
    ("softmax", "loss"),
    [
        pytest.param("[0.333, 0.333, 0.333]", "1.099", id="all equal"),
        pytest.param("[0, 0, 0]", "inf", id="all zero"),
    ],
)
def test_following_from_a_degenerate_value_earns_nothing(softmax: str, loss: str) -> None:
    checked = cross_entropy(sum=None, softmax=softmax, loss=loss)
    step = step_of(checked, "loss")

    assert (step["status"], step["cause"]) == ("wrong", "degenerate")
    assert faults(checked) == ["sum", "softmax"]


def test_a_value_with_some_zeros_is_not_degenerate() -> None:
    given = {"logits": [2, 1, 0], "target": 1}
    checked = check("cross_entropy", given, {"softmax": "0.0 0.5 0.4", "loss": "0.693"})

    assert status_of(checked, "loss") == "carried"


def test_a_value_that_follows_only_by_broadcasting_does_not_follow() -> None:
    answers = {"softmax": "[0.5]", "one_hot": "1 0 0", "gradient": "-0.5 0.5 0.5"}
    checked = check("softmax_gradient", LOGITS, answers)

    assert statuses(checked) == ["shape", "right", "wrong"]


def test_a_line_is_looked_at_again_where_one_of_its_routes_has_a_gap() -> None:
    answers = {
        "max": "2",
        "shifted": "0 -1 -2",
        "sum": "1.503",
        "log_softmax": "-0.408 -1.408 -2.408",
        "loss": "0.43",
    }
    checked = check("stable_cross_entropy", LOGITS, answers)

    assert statuses(checked) == ["right", "right", "missing", "unsupported", "right", "wrong"]


def test_two_equal_entries_are_degenerate_too() -> None:
    given = {"logits": [2, 0], "target": 0}
    checked = check("cross_entropy", given, {"softmax": "0.5 0.5", "loss": "0.693"})

    assert step_of(checked, "loss")["cause"] == "degenerate"


def test_a_value_that_follows_coarsely_from_a_degenerate_one_earns_nothing_either() -> None:
    checked = cross_entropy(sum=None, softmax="0.333 0.333 0.333", loss="1.1")

    assert step_of(checked, "loss")["cause"] == "degenerate"


def test_what_was_read_is_given_back_in_its_own_shape() -> None:
    checked = cross_entropy(exp="[[1, 2, 3], [4, 5, 6]]", sum="[[[1, 2]], [[3, 4]]]")

    assert step_of(checked, "exp")["read"] == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert step_of(checked, "sum")["read"] == [[[1.0, 2.0]], [[3.0, 4.0]]]


def test_a_degenerate_value_withholds_nothing_where_another_route_agrees() -> None:
    checked = cross_entropy(exp="7 3 2", sum="12", softmax="0.333 0.333 0.333", loss="0.485")

    assert status_of(checked, "loss") == "carried"


def test_equal_values_that_are_right_are_not_degenerate() -> None:
    given = {"logits": [1, 1], "target": 0}
    checked = check("cross_entropy", given, {"exp": "2.718 2.718", "sum": "5.437"})

    assert statuses(checked)[:2] == ["right", "right"]


def test_equal_values_by_rounding_are_not_degenerate() -> None:
    given = {"logits": [0.02, 0.01, 0.0], "target": 0}
    answers = {"exp": "1 1 1", "sum": "3", "softmax": "0.33 0.33 0.33", "loss": "1.1"}

    assert faults(check("cross_entropy", given, answers)) == []


def test_overflow_is_read_where_a_known_mistake_gives_it() -> None:
    given = {"logits": [1000, 999, 2], "target": 0}
    answers = {"max": "1000", "shifted": "0 -1 -998", "exp": "[inf, inf, 7.389]", "sum": "inf"}
    checked = check("stable_cross_entropy", given, answers)

    assert statuses(checked)[2:4] == ["wrong", "carried"]
    assert broken(checked) == ("exp", "operation", "no_shift")
    assert checked["steps"][2]["read"] == ["inf", "inf", 7.389]


def test_nan_is_read_where_the_own_values_give_it() -> None:
    given = {"logits": [1000, 999, 2], "target": 0}
    answers = {"exp": "inf inf 7.389", "sum": "inf", "log_softmax": "nan nan -inf", "loss": "nan"}
    checked = check("stable_cross_entropy", given, answers)

    assert statuses(checked)[4:] == ["carried", "carried"]


def test_nan_alone_is_the_mistake_of_the_naive_form() -> None:
    given = {"logits": [1000, 999, 998], "target": 0}
    checked = check("stable_cross_entropy", given, {"loss": "NaN"})

    assert checked["faults"][-1]["cause"] == "naive_nan"
    assert checked["steps"][-1]["read"] == "nan"


@pytest.mark.parametrize("text", ["inf", "nan", "∞", "-inf"])
def test_a_value_that_is_not_finite_is_unreadable_where_nothing_gives_it(text: str) -> None:
    step = step_of(cross_entropy(loss=text), "loss")

    assert step["status"] == "unreadable"
    assert step["read"] is None
    assert "number" in step["message"]


def test_an_unreadable_infinity_is_no_input_of_the_next_step() -> None:
    assert statuses(cross_entropy(exp="inf 1 1", sum="inf"))[:2] == ["unreadable", "unreadable"]


def test_a_number_may_carry_the_unit_of_its_step_or_none() -> None:
    answers = {"weights": "28 GB", "moments": "56000000000", "total": "78.231 GiB", "ratio": "3"}

    assert statuses(check("optimizer_memory", MEMORY, answers)) == ["right"] * 4


def test_a_unit_of_another_dimension() -> None:
    checked = check("optimizer_memory", MEMORY, {"weights": "28 s"})

    assert statuses(checked)[0] == "unit"
    assert broken(checked) == ("weights", None, None)


def test_a_count_is_exact() -> None:
    def counted(text: str) -> str:
        return statuses(check("masked_mean_loss", MASKED, {"valid_positions": text}))[0]

    assert [counted(text) for text in ("5", "5.0", "5.001", "4")] == [
        "right",
        "right",
        "wrong",
        "wrong",
    ]


def test_a_tolerance_holds_for_its_step_alone() -> None:
    reference = references.get("cross_entropy")
    wide = {"loss": Tolerance(rtol=0.1)}
    answers = RIGHT | {"sum": "11.2", "loss": "0.42"}

    assert statuses(follow(reference, LOGITS, answers, tolerances=wide)) == [
        "right",
        "wrong",
        "unsupported",
        "right",
    ]


def test_the_decimal_mark_may_be_declared() -> None:
    reference = references.get("cross_entropy")
    answers = {"exp": "7,389; 2,718; 1", "sum": "11,107"}

    assert statuses(follow(reference, LOGITS, answers))[1] == "unreadable"
    assert statuses(follow(reference, LOGITS, answers, decimal="comma"))[1] == "right"


@pytest.mark.parametrize(
    ("answers", "step", "says"),
    [
        pytest.param({"exp": "1 2 3"}, "exp", "from the given values", id="first line"),
        pytest.param({"sum": "12.3"}, "sum", "from the lines before", id="later line"),
        pytest.param({"sum": ""}, "sum", "Nothing is written", id="blank"),
        pytest.param({"loss": "0.41"}, "loss", "type more digits", id="coarse"),
        pytest.param({"sum": "3"}, "softmax", "show the preceding line", id="unsupported"),
        pytest.param({"softmax": "1 2"}, "softmax", "A list of 3 entries is asked", id="shape"),
        pytest.param({"sum": "[1 2; 3 4]"}, "sum", "shape 2 × 2 was read", id="a table"),
        pytest.param({"sum": "[11]"}, "sum", "a list of 1 entry was read", id="a list of one"),
        pytest.param(CARRIED, "loss", "carried along", id="carried"),
    ],
)
def test_the_message_says_what_to_look_at(answers: dict[str, Any], step: str, says: str) -> None:
    assert says in step_of(cross_entropy(**answers), step)["message"]


def test_the_result_is_json_and_the_same_each_time() -> None:
    answers = {"exp": "inf inf inf", "sum": "nan", "loss": {"operation": "(", "result": "-0.1"}}
    first, second = (json.dumps(cross_entropy(**answers), allow_nan=False) for _ in range(2))

    assert first == second


def test_givens_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(GivenError, match="target: must be a class index from 0 to 2"):
        check("cross_entropy", {"logits": [2, 1, 0], "target": 3}, {})
