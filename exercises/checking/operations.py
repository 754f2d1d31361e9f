"""Written operations: whether what was written gives what should stand on the line."""

from collections.abc import Mapping, Sequence

import numpy as np

from exercises.checking import wording
from exercises.checking.comparing import RIGHT
from exercises.checking.lines import Decimal, Line, reason_of
from exercises.checking.reading import Evaluated, ReadingError, evaluate_operation
from exercises.checking.results import Findings
from exercises.checking.statuses import CODE, STATUSES, Codes, Group, Mask, Rows
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
        each.shape == value.shape and group.judge(step, value, half, each)[0] == RIGHT
        for each in near
    )


def note(
    group: Group,
    step: Step,
    lines: Sequence[Line],
    findings: Findings,
    decimal: Decimal,
) -> None:
    """Turn a fault into a slip where the operation holds; where it does not, say so."""
    status, notes = group.status[step.name], findings.notes
    written = {
        row: line for row, line in enumerate(lines) if line.operation and line.typed is not None
    }
    if not written:
        return
    values, unread = evaluated(group, step, written, decimal)
    holds = agrees(group, step, values)
    for row in written:
        said = notes.get((step.name, row), "")
        is_open = status[row] in _OPEN and (step.name, row) not in findings.causes
        if row in unread:
            notes[step.name, row] = said + wording.UNREAD_OPERATION.format(reason=unread[row])
        elif is_open and holds[row]:
            status[row] = CODE[Status.SLIP]
        elif status[row] in _KEPT and not holds[row]:
            notes[step.name, row] = said + wording.OTHER_OPERATION


_OPEN = frozenset({int(CODE[Status.WRONG]), int(CODE[Status.SHAPE])})
_KEPT = frozenset(
    int(CODE[each]) for each in (Status.RIGHT, Status.CARRIED, Status.UNSUPPORTED, Status.COARSE)
)
_IS_OPEN = np.array([code in _OPEN for code in range(len(STATUSES))])


def is_open(status: Codes, withheld: Mask) -> Mask:
    """Where a fault is still to be explained."""
    return _IS_OPEN[status] & ~withheld
