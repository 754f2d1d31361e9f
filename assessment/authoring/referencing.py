"""Hold the bindings of checks.yaml against the references that the engine has."""

from collections.abc import Mapping
from dataclasses import replace

from exercises import references
from exercises.checking.steps import GivenError, Reference
from exercises.checking.tolerance import Tolerance, ToleranceError
from exercises.documents.bindings import Checks, ExerciseBinding, FieldBinding
from exercises.documents.text import DocumentError
from exercises.documents.yamltree import Plain


def referenced(checks: Checks) -> Checks:
    """Return the bindings with what the references add: steps in their order, shapes and units.

    Raises DocumentError, with file, line and key, where a reference, a step or a given is unknown,
    or where a reference cannot start from the values given.
    """
    exercises = {key: _exercise(checks, binding) for key, binding in checks.exercises.items()}
    for check in checks.checks:
        for field in check.fields:
            key = f"checks.{check.position}.fields.{field.name}"
            _check_tolerance(checks, field, key)
            if field.reference:
                reference = _reference(checks, field.reference, field.line, key)
                _known_step(checks, reference, field.step, field.line, key)
                _start(checks, reference, field.given, field.line, key)
    case = checks.worked_case
    if case is not None:
        reference = _reference(checks, case.reference, case.line, "worked_case")
        _start(checks, reference, case.given, case.line, "worked_case.given")
        for step in case.steps.values():
            _known_step(checks, reference, step, case.line, "worked_case.steps")
    return replace(checks, exercises=exercises)


def _exercise(checks: Checks, binding: ExerciseBinding) -> ExerciseBinding:
    if not binding.reference:
        return binding
    key = f"exercises.{binding.key}"
    reference = _reference(checks, binding.reference, binding.line, key)
    if not reference.is_trace:
        reason = f"{key}.reference: “{reference.name}” gives numbers only, no trace"
        raise DocumentError(checks.name, binding.line, reason)
    _start(checks, reference, binding.given, binding.line, f"{key}.given")
    changed = {**binding.given, **binding.variation}
    _start(checks, reference, changed, binding.line, f"{key}.variation")
    declared = {field.name: field for field in binding.fields if field.kind == "step"}
    for field in declared.values():
        _known_step(checks, reference, field.name, field.line, f"{key}.trace")
    missing = [step.name for step in reference.steps if step.name not in declared]
    if missing:
        reason = f"{key}.trace: the steps {', '.join(missing)} of the reference are missing"
        raise DocumentError(checks.name, binding.line, reason)
    steps = [
        _step(checks, reference, declared[name], f"{key}.trace") for name in reference.step_names
    ]
    others = [field for field in binding.fields if field.kind != "step"]
    return replace(binding, fields=(*steps, *others))


def _step(checks: Checks, reference: Reference, field: FieldBinding, key: str) -> FieldBinding:
    """Add shape and unit to a step; a declared one must be the reference's own."""
    step = reference.step(field.name)
    if field.shape and field.shape != step.shape:
        reason = f"{key}.{field.name}.shape: the reference's is [{', '.join(step.shape)}]"
        raise DocumentError(checks.name, field.line, reason)
    if field.unit and field.unit != (step.unit or ""):
        reason = f"{key}.{field.name}.unit: the reference's is “{step.unit or 'none'}”"
        raise DocumentError(checks.name, field.line, reason)
    _check_tolerance(checks, field, f"{key}.{field.name}")
    return replace(field, shape=step.shape, unit=step.unit or "")


def _check_tolerance(checks: Checks, field: FieldBinding, key: str) -> None:
    try:
        Tolerance.from_json(field.tolerance or None)
    except ToleranceError as error:
        raise DocumentError(checks.name, field.line, f"{key}.tolerance: {error}") from error


def _reference(checks: Checks, name: str, line: int, key: str) -> Reference:
    try:
        return references.get(name)
    except references.UnknownReferenceError:
        known = ", ".join(references.names())
        reason = f"{key}.reference: there is no “{name}”; known: {known}"
        raise DocumentError(checks.name, line, reason) from None


def _known_step(checks: Checks, reference: Reference, step: str, line: int, key: str) -> None:
    if step not in reference.step_names:
        known = ", ".join(reference.step_names)
        reason = f"{key}: “{step}” is no step of {reference.name}; its steps: {known}"
        raise DocumentError(checks.name, line, reason)


def _start(
    checks: Checks, reference: Reference, given: Mapping[str, Plain], line: int, key: str
) -> None:
    try:
        reference.read_given(given)
    except GivenError as error:
        raise DocumentError(checks.name, line, f"{key}: {error}") from error
