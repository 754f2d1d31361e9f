"""Follow many traces of one reference at once.

Traces whose givens and answers have the same shapes form a group; a group is a handful
of NumPy calls for each step. One trace alone is a batch of one: there is no second path.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from exercises.checking import operations, wording
from exercises.checking.breaks import candidates, causes, explained
from exercises.checking.groups import CODE, PENDING, STATUSES, Column, Group
from exercises.checking.lines import NOT_TYPED, Decimal, Line, read_line
from exercises.checking.results import DEGENERATE, Findings, Trace, result_of
from exercises.checking.statuses import Judged, is_open, judge_step, look_again
from exercises.checking.steps import GivenError, Reference, Step
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Status
from exercises.checking.worked import worked

CHUNK = 2_000
LONGEST_NAME = 40
# Doubles that the copies of one step's inputs may take together.
MOST_DOUBLES = 4_000_000

Case = tuple[Mapping[str, object], Mapping[str, object]]


def check_traces(
    reference: Reference,
    givens: Sequence[Mapping[str, object]],
    answers: Sequence[Mapping[str, object]],
    *,
    tolerances: Mapping[str, Tolerance] | None = None,
    decimal: Decimal = "auto",
    chunk: int = CHUNK,
) -> list[dict[str, Any]]:
    """Check traces of one reference; one result for each, in order.

    Parameters
    ----------
    givens, answers
        The given values and the answers of each trace, by name; as many of one as of the
        other. An answer is a text, or ``{"operation", "result"}``.
    tolerances
        By step. Where nothing is said a count is exact, and all else has the default.
    decimal
        Which mark is the decimal one.
    chunk
        How many traces are held as arrays at once.

    Returns
    -------
    list of dict
        ``steps``, ``first_break``, ``faults`` and ``score``, as for one trace. Where the
        givens cannot be used: ``{"verdict": "error", "message": ...}``.
    """
    cases = zip(givens, answers, strict=True)
    return list(
        checked_traces(reference, cases, tolerances=tolerances, decimal=decimal, chunk=chunk)
    )


def checked_traces(
    reference: Reference,
    cases: Iterable[Case],
    *,
    tolerances: Mapping[str, Tolerance] | None = None,
    decimal: Decimal = "auto",
    chunk: int = CHUNK,
) -> Iterator[dict[str, Any]]:
    """Give the result of each pair of givens and answers, in order.

    As ``check_traces``, holding no more than ``chunk`` traces at once.
    """
    rules = tolerances_of(reference, tolerances)
    waiting = iter(cases)
    while portion := list(islice(waiting, max(1, chunk))):
        yield from _check_chunk(reference, portion, rules, decimal)


def tolerances_of(
    reference: Reference, given: Mapping[str, Tolerance] | None
) -> Mapping[str, Tolerance]:
    """Return the tolerance of every step."""
    return {**reference.tolerances, **given} if given else reference.tolerances


def read_trace(
    reference: Reference,
    given: Mapping[str, object],
    answers: Mapping[str, object],
    decimal: Decimal,
) -> Trace:
    """Read one trace; raises :class:`GivenError` where its givens cannot be used."""
    case = worked(reference, given)
    lines = [
        read_line(step, answers[step.name], decimal) if step.name in answers else NOT_TYPED
        for step in reference.steps
    ]
    surplus = [
        str(name)[:LONGEST_NAME]
        for name, answer in answers.items()
        if name not in reference.step_names and answer not in ("", None)
    ]
    return Trace(reference, case, lines, surplus)


def _check_chunk(
    reference: Reference,
    portion: Sequence[Case],
    tolerances: Mapping[str, Tolerance],
    decimal: Decimal,
) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = [{}] * len(portion)
    groups: dict[tuple[object, ...], dict[int, Trace]] = {}
    for place, (given, answers) in enumerate(portion):
        try:
            trace = read_trace(reference, given, answers, decimal)
        except GivenError as error:
            results[place] = {"verdict": "error", "message": str(error)}
        else:
            groups.setdefault(_shapes(trace), {})[place] = trace
    for traces in groups.values():
        waiting = iter(traces.items())
        while together := dict(islice(waiting, _most_together(traces))):
            checked = check_group(reference, list(together.values()), tolerances, decimal)
            for place, result in zip(together, checked, strict=True):
                results[place] = result
    return results


def _most_together(traces: Mapping[int, Trace]) -> int:
    """Return how many traces of a group may be held as arrays at once.

    Following a step takes two copies of its inputs for each of their entries.
    """
    shapes = next(iter(traces.values())).worked.shapes.values()
    entries = sum(map(math.prod, shapes))
    return max(1, MOST_DOUBLES // (2 * entries * (entries + 1)))


def _shapes(trace: Trace) -> tuple[object, ...]:
    """Return what traces of one group have in common; a line not read fits any group."""
    shapes = trace.worked.shapes.values()
    typed = (
        shape if line.typed is None else line.typed.shape
        for line, shape in zip(trace.lines, shapes, strict=True)
    )
    return (*trace.worked.sizes, *typed)


def check_group(
    reference: Reference,
    traces: Sequence[Trace],
    tolerances: Mapping[str, Tolerance],
    decimal: Decimal,
) -> Iterator[dict[str, Any]]:
    """Check traces whose givens and answers have the same shapes."""
    group = group_of(reference, traces, tolerances)
    findings = follow(group, _written(reference, traces), decimal)
    columns = [
        [STATUSES[code] for code in group.status[name].tolist()] for name in reference.step_names
    ]
    rows = zip(*columns, strict=True)
    return (
        result_of(trace, row, statuses, findings)
        for row, (trace, statuses) in enumerate(zip(traces, rows, strict=True))
    )


def _written(reference: Reference, traces: Sequence[Trace]) -> dict[str, dict[int, Line]]:
    """Return the lines that have an operation besides their result, by step and row."""
    written: dict[str, dict[int, Line]] = {}
    for row, trace in enumerate(traces):
        for step, line in zip(reference.steps, trace.lines, strict=True):
            if line.operation and line.typed is not None:
                written.setdefault(step.name, {})[row] = line
    return written


def follow(
    group: Group, written: Mapping[str, Mapping[int, Line]], decimal: Decimal = "auto"
) -> Findings:
    """Judge every step of a group in order, and explain what is wrong."""
    findings = Findings()
    for step in group.reference.steps:
        judged = judge_step(group, step)
        explain(group, step, judged, findings)
        if step.name in written:
            operations.note(group, step, written[step.name], findings, decimal)
    return findings


def group_of(
    reference: Reference, traces: Sequence[Trace], tolerances: Mapping[str, Tolerance]
) -> Group:
    """Return traces of the same shapes as arrays."""
    first = traces[0].worked
    shapes = first.shapes
    if all(trace.worked is first for trace in traces):
        given, exact = (
            {name: array.repeat(len(traces), axis=0) for name, array in arrays.items()}
            for arrays in (first.lifted, first.exact)
        )
    else:
        given = {
            name: np.array([trace.worked.given[name] for trace in traces]) for name in first.given
        }
        exact = reference.exact_values(given)
    columns = {
        step.name: _column([trace.lines[place] for trace in traces], shapes[step.name])
        for place, step in enumerate(reference.steps)
    }
    return Group(reference, given, tolerances, columns, exact)


def _column(lines: Sequence[Line], asked: tuple[int, ...]) -> Column:
    shape = next((line.typed.shape for line in lines if line.typed is not None), asked)
    nothing = ((math.nan,) * math.prod(shape), (0.0,) * math.prod(shape))
    typed = [
        nothing if line.typed is None else (line.typed.flat, line.typed.halves) for line in lines
    ]
    arrays = np.array(typed, dtype=np.float64).reshape(len(lines), 2, *shape)
    status = [PENDING if line.status is None else CODE[line.status] for line in lines]
    return Column(arrays[:, 0], arrays[:, 1], np.array(status, dtype=np.int8))


def explain(group: Group, step: Step, judged: Judged, findings: Findings) -> None:
    """Find out why lines of a step are wrong."""
    column, status = group.columns[step.name], group.status[step.name]
    for row in judged.rows[judged.is_withheld].tolist():
        findings.causes[step.name, row] = DEGENERATE
    faulty = judged.rows[is_open(status[judged.rows]) & ~judged.is_withheld]
    if faulty.size:
        faulty = look_again(group, step, faulty)
    if not faulty.size:
        return
    mistakes = candidates(group, step, faulty)
    readable = explained(column.value[faulty], judged, faulty, mistakes)
    for row in faulty[~readable].tolist():
        status[row] = CODE[Status.UNREADABLE]
        column.is_read[row] = False
        findings.notes[step.name, row] = wording.NOT_FINITE
    found = causes(group, step, faulty, judged, mistakes)
    for row, cause, is_readable in zip(faulty.tolist(), found, readable.tolist(), strict=True):
        if is_readable:
            findings.causes[step.name, row] = cause
