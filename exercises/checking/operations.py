"""Written operations: whether what was written gives what should stand on the line."""

from collections.abc import Mapping

import numpy as np

from exercises.checking import wording
from exercises.checking.comparing import WRONG
from exercises.checking.groups import CODE, STATUSES, Group, Rows
from exercises.checking.lines import Decimal, Line, reason_of
from exercises.checking.reading import Evaluated, ReadingError, evaluate_operation
from exercises.checking.results import DEGENERATE, Findings
from exercises.checking.statuses import OPEN
from exercises.checking.steps import FloatArray, Step
from exercises.checking.verdicts import Status


def values_before(group: Group, step: Step, row: int) -> dict[str, FloatArray]:
    """Return what the names in an operation mean: givens, and the own earlier values."""
    names: dict[str, FloatArray] = {name: given[row] for name, given in group.given.items()}
    for earlier in group.reference.steps:
        if earlier.name == step.name:
            break
        column = group.columns[earlier.name]
        if column.is_read[row]:
            names[earlier.name] = column.value[row]
        else:
            names.pop(earlier.name, None)
    return names


def evaluated(
    group: Group, step: Step, lines: Mapping[int, Line], decimal: Decimal
) -> tuple[dict[int, Evaluated], dict[int, str]]:
    """Return the value of each row's operation, and the reason where it could not be read."""
    values: dict[int, Evaluated] = {}
    unread: dict[int, str] = {}
    for row, line in lines.items():
        names = values_before(group, step, row)
        try:
            values[row] = evaluate_operation(line.operation, names, decimal=decimal)
        except ReadingError as error:
            unread[row] = reason_of(error)
    return values, unread


def agrees(group: Group, step: Step, values: Mapping[int, Evaluated]) -> dict[int, bool]:
    """Whether each operation gives the exact value or what follows from the own inputs."""
    return {row: _agrees(group, step, np.array([row]), value) for row, value in values.items()}


def _agrees(group: Group, step: Step, row: Rows, found: Evaluated) -> bool:
    value = np.asarray(found.value, dtype=np.float64)[None]
    half = np.broadcast_to(np.asarray(found.half, dtype=np.float64), value.shape)
    near = [group.exact[step.name][row]]
    for route in step.routes:
        if group.reference.inputs(step, route) and group.usable(step, route, row).all():
            followed = group.follow(step, route, row)
            if followed is not None and followed.value.shape == value.shape:
                near.append(followed.nearest(value))
    return any(
        each.shape == value.shape and group.judge(step, value, half, each)[0] != WRONG
        for each in near
    )


def note(
    group: Group,
    step: Step,
    written: Mapping[int, Line],
    findings: Findings,
    decimal: Decimal,
) -> None:
    """Turn a fault into a slip where the operation holds; where it does not, say so."""
    status, notes = group.status[step.name], findings.notes
    values, unread = evaluated(group, step, written, decimal)
    holds = agrees(group, step, values)
    for row in written:
        said = notes.get((step.name, row), "")
        is_fault = STATUSES[status[row]] in OPEN
        if row in unread:
            notes[step.name, row] = said + wording.UNREAD_OPERATION.format(reason=unread[row])
        elif is_fault and holds[row] and findings.causes.get((step.name, row)) is not DEGENERATE:
            status[row] = CODE[Status.SLIP]
            findings.causes.pop((step.name, row), None)
        elif STATUSES[status[row]] in _KEPT and not holds[row]:
            notes[step.name, row] = said + wording.OTHER_OPERATION


_KEPT = (Status.RIGHT, Status.CARRIED, Status.UNSUPPORTED, Status.COARSE)
