"""Bars and changes as geometry."""

from fractions import Fraction
from itertools import pairwise

import pytest

from assessment.web.charts import Bar, Change, bar_chart, change_chart


@pytest.mark.parametrize(
    ("count", "n", "over"),
    [
        pytest.param(8, 24, False, id="exactly one third"),
        pytest.param(9, 24, True, id="one more than a third"),
        pytest.param(333_333, 1_000_000, False, id="a hair below"),
        pytest.param(333_334, 1_000_000, True, id="a hair above"),
        pytest.param(0, 0, False, id="an empty group"),
    ],
)
def test_a_bar_is_over_only_beyond_one_third(count: int, n: int, over: bool) -> None:
    chart = bar_chart(key="k", title="t", bars=[Bar("Shapes", count)], n=n, tagged=n)

    assert chart.rows[0].is_over is over


def test_the_untagged_are_never_over_the_line() -> None:
    bars = [Bar("Not yet tagged", 20, is_untagged=True)]

    chart = bar_chart(key="k", title="t", bars=bars, n=24, tagged=4)

    assert chart.over == ()
    assert (chart.tagged, chart.untagged) == (4, 20)


@pytest.mark.parametrize(
    ("count", "n", "top", "width"),
    [
        pytest.param(6, 24, None, "50.00%", id="a quarter on an axis to one half"),
        pytest.param(15, 24, None, "83.33%", id="five eighths on an axis to three quarters"),
        pytest.param(24, 24, None, "100.00%", id="everybody"),
        pytest.param(6, 24, Fraction(1), "25.00%", id="an axis given by the page"),
        pytest.param(24, 24, Fraction(1, 2), "100.00%", id="held inside an axis that is too short"),
    ],
)
def test_a_bar_is_as_long_as_its_share_of_the_axis(
    count: int, n: int, top: Fraction | None, width: str
) -> None:
    chart = bar_chart(key="k", title="t", bars=[Bar("Shapes", count)], n=n, tagged=n, top=top)

    assert chart.rows[0].width == width


def test_the_line_stands_at_one_third_of_the_axis() -> None:
    chart = bar_chart(key="k", title="t", bars=[Bar("Shapes", 1)], n=24, tagged=1, top=Fraction(1))

    assert chart.threshold == "33.33%"
    assert [tick.percent for tick in chart.ticks] == [0, 25, 50, 75, 100]


def test_rows_follow_each_other_without_overlap() -> None:
    bars = [Bar(name, 1) for name in "abcde"]

    chart = bar_chart(key="k", title="t", bars=bars, n=5, tagged=5)

    tops = [row.y for row in chart.rows]
    assert tops == sorted(tops)
    assert all(b - a == chart.rows[0].height for a, b in pairwise(tops))
    assert chart.rows[-1].line_end <= chart.axis_y < chart.height


def test_a_change_has_each_share_of_its_own_group() -> None:
    changes = [Change("Operation", before=9, before_n=24, after=3, after_n=12)]

    chart = change_chart(key="k", title="t", before="then", after="now", changes=changes)

    row = chart.rows[0]
    assert (row.before_x, row.after_x) == ("75.00%", "50.00%")
    assert (row.before_percent, row.after_percent) == (38, 25)


def test_a_chart_of_nothing_is_still_a_chart() -> None:
    bars = bar_chart(key="k", title="t", bars=[], n=0, tagged=0)
    changes = change_chart(key="k", title="t", before="then", after="now", changes=[])

    assert (bars.rows, changes.rows) == ((), ())
