"""Prove of what is handed out that it is finite and that known mistakes can be told on it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from exercises import references
from exercises.checking.drawing import VaryError
from exercises.checking.steps import GivenError, Reference
from exercises.checking.tolerance import Tolerance
from exercises.checking.variants import Report, discrimination_report, reasons_against
from exercises.documents.bindings import Checks, ExerciseBinding
from exercises.documents.text import DocumentError
from exercises.models import ExerciseVersion, Field, Session

# Enough to tell one in ten from almost none at every import; a proof takes thousands.
CHEAP_DRAWS = 200
_SHOWN_AT_IMPORT = 2


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What learners of one exercise work on: values, their change, and what is drawn anew."""

    reference: str
    given: Mapping[str, object]
    variation: Mapping[str, object]
    vary: Mapping[str, object]
    tolerances: Mapping[str, Tolerance]

    @classmethod
    def by_binding(cls, binding: ExerciseBinding) -> "HandedOut":
        """Return what checks.yaml says of an exercise."""
        declared = {field.name: field.tolerance for field in binding.fields if field.kind == "step"}
        return cls(
            binding.reference,
            dict(binding.given),
            dict(binding.variation),
            dict(binding.vary),
            _tolerances(declared),
        )

    @classmethod
    def by_version(cls, version: ExerciseVersion) -> "HandedOut":
        """Return what a stored version says (one query)."""
        steps = version.fields.filter(kind=Field.Kind.STEP).values_list("name", "tolerance")
        return cls(
            version.reference,
            version.given,
            version.variation,
            version.vary,
            _tolerances(dict(steps)),
        )


def _tolerances(declared: Mapping[str, Mapping[str, object]]) -> dict[str, Tolerance]:
    return {name: Tolerance.from_json(each) for name, each in declared.items() if each}


@dataclass(frozen=True, slots=True)
class Proof:
    """How well the draws discriminate (None where nothing is drawn), and what is wrong."""

    report: Report | None
    findings: tuple[str, ...]


def prove(handed_out: HandedOut, *, draws: int) -> Proof:
    """Prove one exercise: its own values, and that many draws of its ``vary``."""
    try:
        reference = references.get(handed_out.reference)
    except references.UnknownReferenceError as error:
        return Proof(None, (str(error),))
    given, tolerances = handed_out.given, handed_out.tolerances
    findings = list(_unfit("given", reference, given, tolerances))
    if handed_out.variation:
        changed = {**given, **handed_out.variation}
        findings += _unfit("variation", reference, changed, tolerances)
    if not handed_out.vary:
        return Proof(None, tuple(findings))
    try:
        report = discrimination_report(
            reference, given, handed_out.vary, draws=draws, tolerances=tolerances
        )
    except VaryError as error:
        return Proof(None, (*findings, f"vary: {error}"))
    if not report.discriminates:
        findings.append(f"vary: {_too_few(report)}")
        findings += [f"vary: {line}" for line in _shown(report)]
    return Proof(report, tuple(findings))


def _unfit(
    key: str,
    reference: Reference,
    given: Mapping[str, object],
    tolerances: Mapping[str, Tolerance],
) -> Iterator[str]:
    unusable = list(_unusable(key, reference, given, reference.step_names))
    yield from unusable
    if not unusable:
        for reason in reasons_against(reference, given, tolerances):
            yield f"{key}: {reason}"


def _unusable(
    key: str, reference: Reference, given: Mapping[str, object], steps: tuple[str, ...]
) -> Iterator[str]:
    """Yield what keeps these steps from having finite values."""
    try:
        exact = reference.exact_values(reference.read_given(given))
    except GivenError as error:
        yield f"{key}: {error}"
        return
    for name in steps:
        if not np.isfinite(exact[name]).all():
            yield f"{key}: {name} is not finite"


def prove_material(session: Session) -> Iterator[str]:
    """Yield what is wrong with the values of the worked cases and of the checks in class."""
    for case in session.workedcases.exclude(reference=""):
        yield from _computed("worked_case", case.reference, case.given, "")
    for check in session.classchecks.all():
        for field in check.binding.get("fields", []):
            if field.get("reference"):
                key = f"checks.{check.position}.fields.{field['name']}"
                yield from _computed(key, field["reference"], field["given"], field["step"])


def _computed(key: str, name: str, given: Mapping[str, object], step: str) -> Iterator[str]:
    try:
        reference = references.get(name)
    except references.UnknownReferenceError as error:
        yield f"{key}: {error}"
        return
    known = [each for each in reference.step_names if step in {"", each}]
    if not known:
        yield f"{key}: {step} is no step of {name}"
    yield from _unusable(key, reference, given, tuple(known))


def refuse_undiscriminating(checks: Checks) -> None:
    """Raise DocumentError at the first exercise whose ``vary`` hardly ever discriminates."""
    for key, binding in checks.exercises.items():
        if not binding.vary:
            continue
        handed_out = HandedOut.by_binding(binding)
        reference = references.get(binding.reference)
        try:
            report = discrimination_report(
                reference,
                handed_out.given,
                handed_out.vary,
                draws=CHEAP_DRAWS,
                tolerances=handed_out.tolerances,
            )
        except VaryError as error:
            reason = str(error)
        else:
            if report.discriminates:
                continue
            reason = "; ".join([_too_few(report), *_shown(report)[:_SHOWN_AT_IMPORT]])
        raise DocumentError(checks.name, binding.vary_line, f"exercises.{key}.vary: {reason}")


def _too_few(report: Report) -> str:
    return (
        f"{report.accepted} of {report.draws} draws may be handed out, where at least one in ten "
        "must"
    )


def _shown(report: Report) -> list[str]:
    """Return the draws that show why, each with what speaks against it."""
    return [
        f"not {json.dumps(given, ensure_ascii=False)}: {', '.join(reasons)}"
        for given, reasons in report.refused
    ]
