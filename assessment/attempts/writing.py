"""The form of an exercise: which inputs it has, and what a learner typed into them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assessment.attempts.answers import STEP_PARTS
from assessment.attempts.reading import Reading
from exercises.models import Field


@dataclass
class Row:
    """One field of the form with what is typed in it so far; ``typed`` maps parts to texts."""

    field: Field
    typed: dict[str, str]
    error: str = ""
    # What the support track gives as the result of this step.
    given: str = ""
    # How the engine reads the result that is typed.
    reading: Reading | None = None

    @property
    def text(self) -> str:
        """The text of a written answer."""
        return self.typed.get("", "")


def names(fields: list[Field]) -> list[str]:
    """Return the names of all inputs: ``loss.result`` for a part of a step, else the field's."""
    found = []
    for each in fields:
        is_step = each.kind == Field.Kind.STEP
        found += [f"{each.name}.{part}" for part in STEP_PARTS] if is_step else [each.name]
    return found


def rows(
    fields: list[Field],
    typed: Mapping[str, str],
    *,
    errors: Mapping[str, str],
    given: Mapping[str, str],
) -> list[Row]:
    """Return the fields with the texts of their inputs."""
    return [
        Row(each, _parts(each, typed), errors.get(each.name, ""), given.get(each.name, ""))
        for each in fields
    ]


def typed_in(fields: list[Field], sent: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the form's own inputs, whatever else was sent."""
    return {name: sent[name] for name in names(fields) if sent.get(name)}


def answers(fields: list[Field], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the answers that the inputs amount to."""
    found: dict[str, Any] = {}
    for each in fields:
        parts = _parts(each, typed)
        found[each.name] = parts if each.kind == Field.Kind.STEP else parts.get("", "")
    return found


def from_answers(stored: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of the inputs that led to stored answers."""
    typed: dict[str, str] = {}
    for name, answer in stored.items():
        if isinstance(answer, Mapping):
            typed |= {f"{name}.{part}": str(text) for part, text in answer.items()}
        else:
            typed[name] = str(answer)
    return typed


def _parts(each: Field, typed: Mapping[str, str]) -> dict[str, str]:
    if each.kind != Field.Kind.STEP:
        return {"": typed.get(each.name, "")}
    return {part: typed.get(f"{each.name}.{part}", "") for part in STEP_PARTS}
