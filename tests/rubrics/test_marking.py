from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrics.marking import (
    Criterion,
    Evidence,
    Reason,
    StepFinding,
    as_json,
    propose,
    total,
)

STATUSES = (
    "right",
    "coarse",
    "carried",
    "unsupported",
    "slip",
    "wrong",
    "shape",
    "unit",
    "unreadable",
    "missing",
)
EVIDENCE = ("trace", "prediction", "shapes", "interpretation", "limitation", "text")


def steps(*statuses: str) -> list[StepFinding]:
    return [{"name": f"s{n}", "status": status} for n, status in enumerate(statuses)]


def points(criterion: Criterion, evidence: Evidence) -> Decimal | None:
    (proposal,) = propose([criterion], evidence)
    return proposal.points


@pytest.mark.parametrize(
    ("worth", "statuses", "earned"),
    [
        pytest.param("3", ["right"] * 4, "3.00", id="all right"),
        pytest.param("3", ["right", "right", "right", "wrong"], "2.25", id="three of four"),
        pytest.param("3", ["coarse", "carried", "right", "right"], "3.00", id="coarse and carried"),
        pytest.param("3", ["slip", "unsupported", "wrong", "missing"], "0.75", id="halves"),
        pytest.param("2", ["right", "wrong", "wrong"], "0.67", id="two thirds, rounded up"),
        pytest.param("1", ["right", "wrong", "wrong"], "0.33", id="a third, rounded down"),
        pytest.param("0.01", ["slip"], "0.01", id="half a hundredth goes up"),
        pytest.param("2.5", ["slip", "right"], "1.88", id="1.875 goes up"),
        pytest.param("3", ["missing"] * 4, "0.00", id="nothing"),
        pytest.param("7", ["a status from later"], "0.00", id="unknown earns nothing"),
    ],
)
def test_a_trace_earns_its_share(worth: str, statuses: list[str], earned: str) -> None:
    criterion = Criterion("c", Decimal(worth), "trace")

    assert points(criterion, Evidence(steps(*statuses))) == Decimal(earned)


def test_what_a_track_gives_earns_nothing_and_is_named() -> None:
    evidence = Evidence(steps("right", "right", "right", "right"), given_steps={"s0"})

    (proposal,) = propose([Criterion("c", Decimal(4), "trace")], evidence)

    assert (proposal.points, proposal.credit, proposal.steps) == (Decimal(3), Fraction(3), 4)
    assert proposal.given == ("s0",)


@pytest.mark.parametrize(
    ("evidence", "answer", "earned", "reason"),
    [
        ("trace", Evidence(), None, Reason.NO_TRACE),
        ("prediction", Evidence(is_predicted=True), Decimal("2.5"), Reason.PREDICTED),
        ("prediction", Evidence(steps("right")), Decimal(0), Reason.NOT_PREDICTED),
        ("limitation", Evidence(written={"limitation"}), None, Reason.FOR_A_PERSON),
        ("limitation", Evidence(written={"text"}), None, Reason.BLANK),
        ("text", Evidence(written={"text"}), None, Reason.FOR_A_PERSON),
        ("shapes", Evidence(steps("right")), None, Reason.BLANK),
        ("interpretation", Evidence(written={"interpretation"}), None, Reason.FOR_A_PERSON),
    ],
)
def test_each_kind_of_evidence_says_why(
    evidence: str, answer: Evidence, earned: Decimal | None, reason: Reason
) -> None:
    (proposal,) = propose([Criterion("c", Decimal("2.5"), evidence)], answer)

    assert (proposal.points, proposal.reason) == (earned, reason)


@given(
    worth=st.decimals("0.01", "999.99", places=2),
    statuses=st.lists(st.sampled_from(STATUSES), min_size=1, max_size=12),
    kind=st.sampled_from(EVIDENCE),
    is_predicted=st.booleans(),
)
def test_what_is_proposed_is_whole_hundredths_up_to_the_worth(
    *, worth: Decimal, statuses: list[str], kind: str, is_predicted: bool
) -> None:
    earned = points(
        Criterion("c", worth, kind), Evidence(steps(*statuses), is_predicted=is_predicted)
    )

    assert earned is None or (0 <= earned <= worth and earned * 100 % 1 == 0)


@given(st.lists(st.one_of(st.none(), st.decimals("0", "15", places=2)), max_size=30))
def test_a_total_is_exact_in_any_order(scores: list[Decimal | None]) -> None:
    hundredths = sum(int(score * 100) for score in scores if score is not None)

    assert total(scores) * 100 == hundredths
    assert total(reversed(scores)) == total(scores)


def test_tenths_add_up_without_dust() -> None:
    assert str(total([Decimal("0.1"), Decimal("0.2"), Decimal("0.4")])) == "0.7"


def test_json_keeps_points_as_exact_text() -> None:
    criteria = [Criterion("a", Decimal("7.5"), "prediction"), Criterion("b", Decimal(1), "text")]

    found = as_json(propose(criteria, Evidence(is_predicted=True)))

    assert (found["a"]["points"], found["a"]["maximum"]) == ("7.5", "7.5")
    assert (found["b"]["points"], found["b"]["reason"]) == (None, "blank")
