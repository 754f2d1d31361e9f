"""Charts as geometry: pure functions whose result a template draws as SVG.

Lengths along the chart are in per cent of its width, written as text (``"43.2%"``), so that a chart
fits any screen without shrinking its words and no language's decimal comma gets into the markup.
Heights are in pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

ONE_THIRD: Final = Fraction(1, 3)
ROW_HEIGHT: Final = 52
TOP_ROOM: Final = 26
BOTTOM_ROOM: Final = 26
BAR_HEIGHT: Final = 16
_TOPS: Final = (Fraction(1, 2), Fraction(3, 4), Fraction(1))
_TICK: Final = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar as given: what it counts, how many, and the page behind it.

    ``is_fault`` is false where reaching beyond the line is no reason for an alarm.
    """

    label: str
    count: int
    url: str = ""
    is_untagged: bool = False
    is_fault: bool = True


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: its place, its per cent, and how its words are anchored."""

    x: str
    percent: int
    anchor: str


@dataclass(frozen=True, slots=True)
class BarRow:
    """One bar as drawn. ``y`` is the top of its row, ``bar_y`` of the bar itself.

    The threshold is a stroke across each bar, clear of the words above it.
    """

    label: str
    count: int
    percent: int
    url: str
    is_untagged: bool
    is_over: bool
    width: str
    y: int
    text_y: int
    bar_y: int
    line_top: int
    line_end: int
    height: int = ROW_HEIGHT
    bar_height: int = BAR_HEIGHT


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars of one group of ``n``, with the line that the alarm rests on."""

    key: str
    title: str
    rows: tuple[BarRow, ...]
    ticks: tuple[Tick, ...]
    n: int
    tagged: int
    untagged: int
    threshold: str
    height: int
    axis_y: int
    text_y: int

    @property
    def over(self) -> tuple[BarRow, ...]:
        """The bars that reach beyond the line."""
        return tuple(row for row in self.rows if row.is_over)


@dataclass(frozen=True, slots=True)
class Change:
    """Counts of one thing before and after, each with the size of its group."""

    label: str
    before: int
    before_n: int
    after: int
    after_n: int
    url: str = ""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as drawn: two points on one track."""

    change: Change
    before_percent: int
    after_percent: int
    before_x: str
    after_x: str
    y: int
    text_y: int
    track_y: int
    height: int = ROW_HEIGHT


@dataclass(frozen=True, slots=True)
class ChangeChart:
    """Shares of a group before and after, on one axis."""

    key: str
    title: str
    before: str
    after: str
    rows: tuple[ChangeRow, ...]
    ticks: tuple[Tick, ...]
    height: int
    axis_y: int
    text_y: int


def bar_chart(
    *,
    key: str,
    title: str,
    bars: Sequence[Bar],
    n: int,
    tagged: int,
    top: Fraction | None = None,
) -> BarChart:
    """Lay out one bar for each count, as a share of the group.

    Parameters
    ----------
    key
        A short name, unique on the page, that its ids are made of.
    bars
        In the order in which they are drawn. Untagged ones never count as over the line.
    n, tagged
        The size of the group, and how many of it carry a tag.
    top
        The share at the right edge; give the same to charts that stand side by side. By default
        the smallest of a half, three quarters and one that holds every bar.

    Returns
    -------
    BarChart
        A bar is over when its share is more than one third; exactly one third is not over.
    """
    shares = [_share(bar.count, n) for bar in bars]
    top = top or _top([*shares, ONE_THIRD])
    rows = tuple(
        BarRow(
            label=bar.label,
            count=bar.count,
            percent=round(share * 100),
            url=bar.url,
            is_untagged=bar.is_untagged,
            is_over=not bar.is_untagged and share > ONE_THIRD,
            width=_along(share, top),
            y=TOP_ROOM + index * ROW_HEIGHT,
            text_y=TOP_ROOM + index * ROW_HEIGHT + 18,
            bar_y=TOP_ROOM + index * ROW_HEIGHT + 26,
            line_top=TOP_ROOM + index * ROW_HEIGHT + 22,
            line_end=TOP_ROOM + index * ROW_HEIGHT + 46,
        )
        for index, (bar, share) in enumerate(zip(bars, shares, strict=True))
    )
    axis_y = TOP_ROOM + len(rows) * ROW_HEIGHT
    return BarChart(
        key=key,
        title=title,
        rows=rows,
        ticks=_ticks(top),
        n=n,
        tagged=tagged,
        untagged=max(0, n - tagged),
        threshold=_along(ONE_THIRD, top),
        height=axis_y + BOTTOM_ROOM,
        axis_y=axis_y,
        text_y=axis_y + 18,
    )


def change_chart(
    *, key: str, title: str, before: str, after: str, changes: Sequence[Change]
) -> ChangeChart:
    """Lay out two points for each change: its share before, its share after.

    ``before`` and ``after`` name the two moments, in the words of the page.
    """
    pairs = [(_share(c.before, c.before_n), _share(c.after, c.after_n)) for c in changes]
    top = _top([share for pair in pairs for share in pair])
    rows = tuple(
        ChangeRow(
            change=change,
            before_percent=round(first * 100),
            after_percent=round(second * 100),
            before_x=_along(first, top),
            after_x=_along(second, top),
            y=index * ROW_HEIGHT,
            text_y=index * ROW_HEIGHT + 18,
            track_y=index * ROW_HEIGHT + 36,
        )
        for index, (change, (first, second)) in enumerate(zip(changes, pairs, strict=True))
    )
    axis_y = len(rows) * ROW_HEIGHT
    return ChangeChart(
        key=key,
        title=title,
        before=before,
        after=after,
        rows=rows,
        ticks=_ticks(top),
        height=axis_y + BOTTOM_ROOM,
        axis_y=axis_y,
        text_y=axis_y + 18,
    )


def _share(count: int, n: int) -> Fraction:
    """Return the share of the group, held between 0 and 1; an empty group has none."""
    return min(Fraction(1), Fraction(max(0, count), n)) if n > 0 else Fraction(0)


def _top(shares: Sequence[Fraction]) -> Fraction:
    highest = max(shares, default=Fraction(0))
    return next(top for top in _TOPS if highest <= top)


def _along(share: Fraction, top: Fraction) -> str:
    hundredths = round(min(Fraction(1), share / top) * 10_000)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}%"


def _ticks(top: Fraction) -> tuple[Tick, ...]:
    count = int(top / _TICK)
    return tuple(
        Tick(
            x=_along(_TICK * index, top),
            percent=round(_TICK * index * 100),
            anchor="start" if index == 0 else "end" if index == count else "middle",
        )
        for index in range(count + 1)
    )
