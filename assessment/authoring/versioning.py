"""Give each exercise of a package the version that it needs: a new one only where it changed."""

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from exercises.documents.bindings import ExerciseBinding, FieldBinding
from exercises.documents.session import Exercise as ExerciseData
from exercises.documents.text import bare, sentences
from exercises.models import Exercise, ExerciseVersion, Field, Session
from rubrics.models import Criterion, Rubric

# Raised when an import stores more of the same documents, so that they are stored again.
FORMAT = 1

# Where things stand in their files, and what was said about it, is no content.
_WHERE_IT_STANDS = frozenset({"line", "vary_line", "warnings"})

_GENERAL_INSTRUCTION = tuple(
    FieldBinding(name=element, kind="text", title=title, element=element)
    for element, title in (
        ("data", "Data"),
        ("transformation", "Transformation"),
        ("result", "Result"),
        ("check", "One check"),
        ("limitation", "One limitation"),
    )
)


def digest(*parts: object) -> str:
    """Return the SHA-256 of plain data; where an entry stands in its file makes no difference."""
    plain = [_without_lines(part) for part in (FORMAT, *parts)]
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _without_lines(part: object) -> object:
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        return {
            field.name: _without_lines(getattr(part, field.name))
            for field in dataclasses.fields(part)
            if field.name not in _WHERE_IT_STANDS
        }
    if isinstance(part, dict):
        return {str(key): _without_lines(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_without_lines(value) for value in part]
    return part


def place_exercises(
    session: Session,
    exercises: Sequence[ExerciseData],
    bindings: dict[str, ExerciseBinding],
) -> list[Exercise]:
    """Make the session's exercises equal to these; return those that got a new version."""
    changed: list[Exercise] = []
    stored = {row.number: row for row in session.exercises.select_related("current")}
    for data in exercises:
        key = f"exercise-{data.number}"
        binding = bindings.get(key) or ExerciseBinding(key, fields=_GENERAL_INSTRUCTION)
        row = stored.pop(data.number, None) or Exercise(
            session=session, number=data.number, key=key, slug=f"{session.slug}-{key}"
        )
        fingerprint = digest(data, binding)
        is_same = row.current is not None and row.current.digest == fingerprint
        if is_same and row.retired_at is None:
            continue
        row.title, row.retired_at = data.title, None
        row.save()
        if not is_same:
            row.current = _add_version(row, data, binding, fingerprint)
            row.save(update_fields=["current"])
        changed.append(row)
    for row in stored.values():
        if row.retired_at is None:
            row.retired_at = timezone.now()
            row.save(update_fields=["retired_at"])
            changed.append(row)
    return changed


def _add_version(
    exercise: Exercise, data: ExerciseData, binding: ExerciseBinding, fingerprint: str
) -> ExerciseVersion:
    last = exercise.versions.order_by("-number").values_list("number", flat=True).first()
    version = ExerciseVersion.objects.create(
        exercise=exercise,
        number=(last or 0) + 1,
        digest=fingerprint,
        title=data.title,
        concept=data.concept,
        prompt=list(data.prompt),
        prompt_before=_prompt_before(data, binding),
        items=list(data.items),
        deliverable=data.deliverable,
        solution_title=data.solution_title,
        solution=list(data.solution),
        solved_variant=data.solved_variant,
        reference=binding.reference,
        given=dict(binding.given),
        variation=dict(binding.variation),
        vary=dict(binding.vary),
        predicted=binding.predict,
        numbers=binding.numbers,
        attempts=binding.attempts,
        feedback=binding.feedback,
        decimal=binding.decimal,
    )
    Field.objects.bulk_create(
        Field(version=version, position=position, **_field(field))
        for position, field in enumerate(binding.fields, start=1)
    )
    rubric = Rubric.objects.create(version=version, number=1, total=data.rubric.total)
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric,
            position=position,
            title=criterion.title,
            points=criterion.points,
            evidence=binding.criteria.get(bare(criterion.title), Criterion.Evidence.TEXT),
        )
        for position, criterion in enumerate(data.rubric.criteria, start=1)
    )
    return version


def _prompt_before(data: ExerciseData, binding: ExerciseBinding) -> list[str]:
    """Return the prompt's paragraphs without the sentences that wait for the prediction."""
    number = 0
    paragraphs: list[str] = []
    for text in data.prompt:
        kept: list[str] = []
        for sentence in sentences(text):
            number += 1
            if not any(withheld.applies(number, sentence) for withheld in binding.withheld):
                kept.append(sentence)
        if kept:
            paragraphs.append(" ".join(kept))
    return paragraphs


def _field(field: FieldBinding) -> dict[str, Any]:
    return {
        "name": field.name,
        "kind": field.kind,
        "title": field.title,
        "hint": field.hint,
        "unit": field.unit,
        "shape": list(field.shape),
        "tolerance": dict(field.tolerance),
        "options": dict(field.options),
        "max_length": field.max_length,
        "element": field.element,
        "given_on_support": field.given_on_support,
    }
