"""Read checks.yaml into ``Checks``; every error names file, line and key."""

import re

from exercises.documents.bindings import (
    CheckBinding,
    Checks,
    ExerciseBinding,
    FieldBinding,
    Figures,
    Given,
    Withheld,
    WorkedCaseBinding,
)
from exercises.documents.fields import read_fields, read_given
from exercises.documents.text import Document, bare
from exercises.documents.varying import read_vary
from exercises.documents.yamltree import Value, read_yaml

UNTIL = ("prediction", "worked_case", "submission", "publication")
EVIDENCE = ("trace", "prediction", "shapes", "interpretation", "limitation", "text")
FEEDBACK = ("at_once", "after_peers", "revealed", "at_release")
PLACES = ("starting_data", "worked_case", "mechanism_map", "common_errors")

_FIELD_KINDS = ("text", "choice")
_CHECK_KINDS = ("text", "number", "array", "quantity", "shape", "choice", "set")
_KEY = re.compile(r"exercise-[1-9]\d{0,2}$")
_PLACE_OF_EXERCISE = _KEY


def read_checks(document: Document) -> Checks:
    """Read the file whole; nothing in it is optional to understand."""
    top = read_yaml(document).mapping(
        "slides", "exercises", "checks", "worked_case", "exit_ticket", "figures"
    )
    titles, starts = _slides(top.get("slides"))
    return Checks(
        name=document.name,
        titles=titles,
        lever_starts=starts,
        exercises=_exercises(top.get("exercises")),
        checks=_checks(top.get("checks")),
        worked_case=_worked_case(top["worked_case"]) if "worked_case" in top else None,
        exit_ticket_lengths=_lengths(top.get("exit_ticket")),
        figures=tuple(_figures(entry) for entry in _entries(top.get("figures"))),
    )


def _entries(value: Value | None) -> tuple[Value, ...]:
    return value.items() if value is not None else ()


def _slides(value: Value | None) -> tuple[tuple[str, ...], dict[int, tuple[str, ...]]]:
    if value is None:
        return (), {}
    keys = value.mapping("titles", "levers")
    titles = tuple(entry.text() for entry in _entries(keys.get("titles")))
    starts: dict[int, tuple[str, ...]] = {}
    if "levers" in keys and "starts" in (levers := keys["levers"].mapping("starts")):
        for row, words in _numbered(levers["starts"]).items():
            starts[row] = tuple(word.text(60) for word in words.items())
    return titles, starts


def _numbered(value: Value) -> dict[int, Value]:
    found: dict[int, Value] = {}
    for key, entry in value.mapping().items():
        if not re.fullmatch(r"[1-9]\d{0,2}", key):
            raise entry.error("the key must be a number, counted from 1")
        found[int(key)] = entry
    return found


def _exercises(value: Value | None) -> dict[str, ExerciseBinding]:
    found: dict[str, ExerciseBinding] = {}
    for key, entry in (value.mapping() if value is not None else {}).items():
        if not _KEY.match(key):
            raise entry.error("the key must be exercise- and the exercise's number")
        found[key] = _exercise(key, entry)
    return found


def _exercise(key: str, value: Value) -> ExerciseBinding:
    keys = value.mapping(
        "reference", "given", "variation", "vary", "predict", "numbers", "trace", "fields",
        "criteria", "withheld", "attempts", "feedback", "decimal",
    )  # fmt: skip
    reference = keys["reference"].text(80) if "reference" in keys else ""
    given = read_given(keys.get("given"))
    for name in ("given", "variation", "vary", "trace", "predict"):
        if name in keys and not reference:
            raise keys[name].error("needs a reference")
    if reference and not ("given" in keys and "trace" in keys):
        raise value.error("a reference needs given and trace")
    variation = read_given(keys.get("variation"))
    if "withheld" in keys and not variation:
        raise keys["withheld"].error("needs a variation, whose prediction opens what is withheld")
    for name in variation:
        if name not in given:
            raise keys["variation"].error(f"“{name}” is not given")
    fields = (
        *read_fields(keys.get("trace"), ("step",)),
        *read_fields(keys.get("fields"), _FIELD_KINDS),
    )
    _distinct(value, fields)
    if not fields:
        raise value.error("neither trace nor fields say what a learner fills in")
    return ExerciseBinding(
        key=key,
        reference=reference,
        given=given,
        variation=variation,
        vary=read_vary(keys.get("vary"), given),
        vary_line=keys["vary"].line if "vary" in keys else 0,
        predict=_predict(keys.get("predict"), fields, variation),
        numbers=keys["numbers"].one_of("common", "own") if "numbers" in keys else "common",
        fields=fields,
        criteria=_criteria(keys.get("criteria")),
        withheld=tuple(_withheld(entry) for entry in _entries(keys.get("withheld"))),
        attempts=keys["attempts"].whole(1, 100) if "attempts" in keys else 3,
        feedback=keys["feedback"].one_of(*FEEDBACK) if "feedback" in keys else "at_once",
        decimal=keys["decimal"].one_of("auto", "point", "comma") if "decimal" in keys else "auto",
        line=value.line,
    )


def _predict(value: Value | None, fields: tuple[FieldBinding, ...], variation: Given) -> str:
    if value is None:
        return ""
    name = value.one_of(*(each.name for each in fields if each.kind == "step"))
    if not variation:
        raise value.error("a prediction needs a variation")
    return name


def _distinct(value: Value, fields: tuple[FieldBinding, ...]) -> None:
    names = [each.name for each in fields]
    for name in names:
        if names.count(name) > 1:
            raise value.error(f"“{name}” stands in trace and in fields")


def _criteria(value: Value | None) -> dict[str, str]:
    if value is None:
        return {}
    found: dict[str, str] = {}
    for name, entry in value.mapping().items():
        if bare(name) in found:
            raise entry.error("the criterion stands twice")
        found[bare(name)] = entry.one_of(*EVIDENCE)
    return found


def _withheld(value: Value) -> Withheld:
    keys = value.mapping("mentions", "sentence", "until")
    if ("mentions" in keys) == ("sentence" in keys):
        raise value.error("either mentions or sentence says which")
    return Withheld(
        mentions=keys["mentions"].text() if "mentions" in keys else "",
        sentence=keys["sentence"].whole(1, 100) if "sentence" in keys else 0,
        until=value.entry("until").one_of("prediction"),
        line=value.line,
    )


def _checks(value: Value | None) -> tuple[CheckBinding, ...]:
    if value is None:
        return ()
    found: list[CheckBinding] = []
    for position, entry in _numbered(value).items():
        keys = entry.mapping("fields", "feedback")
        if "fields" not in keys:
            raise entry.error("fields are missing")
        fields = read_fields(keys["fields"], _CHECK_KINDS)
        for each in fields:
            _check_field(entry, each)
        feedback = keys["feedback"].one_of(*FEEDBACK) if "feedback" in keys else "revealed"
        found.append(CheckBinding(position, fields, feedback, entry.line))
    return tuple(found)


def _check_field(value: Value, field: FieldBinding) -> None:
    is_computed = bool(field.reference and field.given and field.step)
    if any((field.reference, field.given, field.step)) and not is_computed:
        raise value.error(f"{field.name}: reference, given and step belong together")
    if field.kind != "text" and is_computed == (field.expected is not None):
        raise value.error(f"{field.name}: either expected, or reference, given and step")
    if field.kind == "choice" and field.expected not in field.options:
        raise value.error(f"{field.name}: what is expected is none of the options")
    if field.kind == "set" and not isinstance(field.expected, dict):
        raise value.error(f"{field.name}: expected are names with lists of synonyms")


def _worked_case(value: Value) -> WorkedCaseBinding:
    keys = value.mapping("reference", "given", "steps", "shown")
    return WorkedCaseBinding(
        reference=value.entry("reference").text(80),
        given=read_given(value.entry("given")),
        steps={line: step.text(80) for line, step in _numbered(value.entry("steps")).items()},
        shown=tuple(entry.whole(1, 999) for entry in _entries(keys.get("shown"))),
        line=value.line,
    )


def _lengths(value: Value | None) -> tuple[int, ...]:
    if value is None:
        return ()
    value.mapping("lengths")
    return tuple(entry.whole(1, 10_000) for entry in value.entry("lengths").items())


def _figures(value: Value) -> Figures:
    value.mapping("figures", "in", "until")
    places = tuple(entry.text(40) for entry in value.entry("in").items())
    for place in places:
        if place not in PLACES and not _PLACE_OF_EXERCISE.match(place):
            raise value.entry("in").error(f"“{place}” is none of {', '.join(PLACES)}, exercise-n")
    return Figures(
        figures=tuple(entry.text(40) for entry in value.entry("figures").items()),
        places=places,
        until=value.entry("until").one_of(*UNTIL),
        line=value.line,
    )
