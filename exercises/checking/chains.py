"""Follow one chain: the status of each step, the first break, and why."""

from collections.abc import Mapping
from typing import Any

from exercises.checking.batches import check_group, read_trace, tolerances_of
from exercises.checking.lines import Decimal
from exercises.checking.results import DEGENERATE, Findings, result_of, spelt
from exercises.checking.rowcauses import cause_of
from exercises.checking.rowwise import Rowwise
from exercises.checking.steps import GivenError, Reference
from exercises.checking.tolerance import Tolerance, ToleranceError
from exercises.checking.verdicts import Status

DECIMALS = ("auto", "point", "comma")


class LineError(ValueError):
    """A line of the command line that cannot be answered; the text says why."""


def check_trace(
    reference: Reference,
    given: Mapping[str, object],
    answers: Mapping[str, object],
    *,
    tolerances: Mapping[str, Tolerance] | None = None,
    decimal: Decimal = "auto",
) -> dict[str, Any]:
    """Check one trace.

    Parameters
    ----------
    given
        The given values by name, in the reference's units.
    answers
        By step: a text, or ``{"operation": text, "result": text}``.
    tolerances
        By step. Where nothing is said a count is exact, and all else has the default.
    decimal
        Which mark is the decimal one.

    Returns
    -------
    dict
        ``steps`` (name, status, read, break, cause, message), ``first_break``, ``faults`` and
        ``score``; ``surplus`` and ``message`` where lines were answered that are not asked.

    Raises
    ------
    GivenError
        Where the givens cannot be used.
    """
    trace = read_trace(reference, given, answers, decimal)
    rules = tolerances_of(reference, tolerances)
    rowwise = Rowwise(trace.worked, trace.lines, rules)
    if not rowwise.is_ordinary():
        return next(check_group(reference, [trace], rules, decimal))
    rows = rowwise.judge()
    findings = Findings()
    for step in reference.steps:
        row = rows[step.name]
        if row.is_withheld:
            findings.causes[step.name, 0] = DEGENERATE
        elif row.status is Status.WRONG:
            cause = cause_of(rowwise, step, rowwise.typed[step.name])
            findings.causes[step.name, 0] = cause
    return result_of(trace, 0, [row.status for row in rows.values()], findings)


def check_trace_line(line: Mapping[str, Any], reference: Reference) -> dict[str, Any]:
    """Answer a line of kind ``trace``; raises :class:`LineError` where it cannot be answered."""
    answers = line.get("answers")
    if not reference.is_trace:
        raise LineError(f"{reference.name} has no trace to check.")
    if not isinstance(answers, Mapping):
        raise LineError("answers must be an object: step name to text.")
    decimal = line.get("decimal", "auto")
    if decimal not in DECIMALS:
        raise LineError(f"decimal must be one of {', '.join(DECIMALS)}.")
    tolerances = _tolerances(line, reference)
    try:
        checked = check_trace(
            reference, _given(line), answers, tolerances=tolerances, decimal=decimal
        )
    except GivenError as error:
        raise LineError(str(error)) from error
    return {"id": line.get("id"), **checked}


def reference_line(line: Mapping[str, Any], reference: Reference) -> dict[str, Any]:
    """Answer a line of kind ``reference``: the exact values, for authors."""
    try:
        exact = reference.exact_values(reference.read_given(_given(line)))
    except GivenError as error:
        raise LineError(str(error)) from error
    return {"id": line.get("id"), "steps": {name: spelt(value) for name, value in exact.items()}}


def _given(line: Mapping[str, Any]) -> Mapping[str, object]:
    given = line.get("given")
    if not isinstance(given, Mapping):
        raise LineError("given must be an object: name to value.")
    return given


def _tolerances(line: Mapping[str, Any], reference: Reference) -> dict[str, Tolerance]:
    """Return what a line says about tolerances: one for all steps, or by step."""
    by_step = line.get("tolerances", {})
    if not isinstance(by_step, Mapping) or any(
        name not in reference.step_names for name in by_step
    ):
        raise LineError("tolerances must be an object: step name to tolerance.")
    try:
        rules = {name: Tolerance.from_json(rule) for name, rule in by_step.items()}
        if line.get("tolerance") is not None:
            common = Tolerance.from_json(line["tolerance"])
            rules = dict.fromkeys(reference.step_names, common) | rules
    except ToleranceError as error:
        raise LineError(str(error)) from error
    return rules
