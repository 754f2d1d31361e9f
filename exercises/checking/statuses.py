"""The status of every step of many traces at once.

A step is judged by two questions: does it agree with the exact value (*exact*), and with
what follows from the learner's own inputs (*own*)?
"""

from dataclasses import dataclass

import numpy as np

from exercises.checking.comparing import COARSE, RIGHT, WRONG
from exercises.checking.following import Reach
from exercises.checking.groups import CODE, STATUSES, Codes, Group, Mask, Rows
from exercises.checking.steps import FloatArray, Route, Step
from exercises.checking.verdicts import Status

# What is a fault until something speaks for it.
OPEN = (Status.WRONG, Status.SHAPE)
_IS_OPEN = np.array([status in OPEN for status in STATUSES])

# Rounding moves a result by less than this share of it, or the step is beyond help.
FARTHEST_BY_ROUNDING = 0.25


@dataclass
class Judged:
    """How the rows of one step compare; arrays of shape (rows,)."""

    rows: Rows
    exact: Codes
    own: Codes
    own_eligible: Codes
    is_withheld: Mask
    follows: list[tuple[Rows, Reach]]


def judge_step(group: Group, step: Step) -> Judged:
    """Compare one step of every trace with the exact and with the own value, and note both."""
    column, exact = group.columns[step.name], group.exact[step.name]
    rows = np.flatnonzero(column.is_read)
    value, half = column.value[rows], column.half[rows]
    fits = column.value.shape == exact.shape
    if fits:
        to_exact = group.judge(step, value, half, exact[rows])
    else:
        to_exact = np.full(len(rows), WRONG, dtype=np.int8)
    judged = _own(group, step, rows, to_exact)
    status = column.status.copy()
    status[rows] = _statuses(judged, fits=fits)
    group.status[step.name] = status
    good = np.zeros(len(status), dtype=bool)
    good[rows] = (status[rows] == CODE[Status.RIGHT]) | (
        (status[rows] == CODE[Status.COARSE]) & (to_exact == COARSE)
    )
    group.is_good[step.name] = good
    group.is_degenerate[step.name] = (
        ~good if good.all() else _degenerate(column.value, exact) & ~good
    )
    return judged


def _statuses(judged: Judged, *, fits: bool) -> Codes:
    exact, own = judged.exact == RIGHT, judged.own == RIGHT
    status = np.full(len(judged.rows), CODE[Status.WRONG if fits else Status.SHAPE])
    status[judged.is_withheld] = CODE[Status.WRONG]
    status[(judged.exact == COARSE) | (judged.own_eligible == COARSE)] = CODE[Status.COARSE]
    status[exact & ~own] = CODE[Status.UNSUPPORTED]
    status[~exact & (judged.own_eligible == RIGHT)] = CODE[Status.CARRIED]
    status[exact & own] = CODE[Status.RIGHT]
    return status


def _own(group: Group, step: Step, rows: Rows, to_exact: Codes) -> Judged:
    column = group.columns[step.name]
    own = np.full(len(rows), WRONG, dtype=np.int8)
    eligible = own.copy()
    follows: list[tuple[Rows, Reach]] = []
    for route in step.routes:
        names = group.reference.inputs(step, route)
        if not names:
            own, eligible = np.minimum(own, to_exact), np.minimum(eligible, to_exact)
            continue
        code = np.full(len(rows), WRONG, dtype=np.int8)
        usable = group.usable(step, route, rows)
        settled = usable & (to_exact == RIGHT)
        for name in names:
            settled &= group.is_good[name][rows]
        code[settled] = RIGHT
        need = np.flatnonzero(usable & ~settled & (eligible != RIGHT))
        if need.size:
            found = group.follow(step, route, rows[need])
            if found is not None:
                follows.append((rows[need], found))
                value = column.value[rows[need]]
                if value.shape == found.value.shape:
                    code[need] = group.judge(
                        step, value, column.half[rows[need]], found.nearest(value)
                    )
        own = np.minimum(own, code)
        for name in names:
            code = np.where(group.is_degenerate[name][rows], np.int8(WRONG), code)
        eligible = np.minimum(eligible, code)
    withheld = (to_exact != RIGHT) & (own != WRONG) & (eligible == WRONG) & (to_exact != COARSE)
    return Judged(rows, to_exact, own, eligible, withheld, follows)


def look_again(group: Group, step: Step, rows: Rows) -> Rows:
    """Return those faulty rows that follow from values as they were held before rounding.

    Somebody who goes on with a calculator's digits, having begun from what is on paper,
    uses neither the typed nor the exact value of the line before.
    """
    column, exact = group.columns[step.name], group.exact[step.name]
    if column.value.shape != exact.shape:
        return rows
    axes = tuple(range(1, exact.ndim))
    off = np.abs(column.value[rows] - exact[rows]).max(axis=axes)
    near = off <= FARTHEST_BY_ROUNDING * np.abs(exact[rows]).max(axis=axes)
    for route in step.routes if near.any() else ():
        chosen = rows[_may_be_held(group, step, route, rows) & near]
        if not chosen.size:
            continue
        found = group.follow(step, route, chosen, as_held=True)
        value = column.value[chosen]
        if found is None or value.shape != found.value.shape:
            continue
        code = group.judge(step, value, column.half[chosen], found.nearest(value))
        group.status[step.name][chosen[code == RIGHT]] = CODE[Status.CARRIED]
        group.status[step.name][chosen[code == COARSE]] = CODE[Status.COARSE]
        left = ~np.isin(rows, chosen[code != WRONG])
        rows, near = rows[left], near[left]
    return rows


def _may_be_held(group: Group, step: Step, route: Route, rows: Rows) -> Mask:
    """Where some input is right or coarse and itself follows from lines before it."""
    reference, may_be = group.reference, np.zeros(len(rows), dtype=bool)
    for name in reference.inputs(step, route):
        if reference.rests_on_steps(name):
            may_be |= group.is_good[name][rows]
    return may_be & group.usable(step, route, rows)


def is_open(status: Codes) -> Mask:
    """Where a status is a fault until something speaks for it."""
    return np.asarray(_IS_OPEN[status])


def _degenerate(value: FloatArray, exact: FloatArray) -> Mask:
    """Where a value has lost the information that the exact one holds.

    All zero where the exact value is not, or two entries or more that are all equal
    where the exact ones are not.
    """
    if not value.size:
        return np.zeros(len(value), dtype=bool)
    value, exact = value.reshape(len(value), -1), exact.reshape(len(exact), -1)
    zero = (value == 0).all(axis=1) & (exact != 0).any(axis=1)
    if value.shape[1] < 2 or exact.shape[1] < 2:  # noqa: PLR2004 - two entries or more
        return np.asarray(zero)
    equal = (value == value[:, :1]).all(axis=1) | np.isnan(value).all(axis=1)
    differ = np.abs(exact - exact[:, :1]) > 1e-12 * np.abs(exact[:, :1])
    return np.asarray(zero | (equal & differ.any(axis=1)))
