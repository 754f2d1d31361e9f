"""Whether an answer shows its data, transformation, result, one check and one limitation."""

from collections.abc import Iterable, Mapping

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from exercises.models import Field


class Element(TextChoices):
    """What every answer to an exercise shows."""

    DATA = "data", _("data")
    TRANSFORMATION = "transformation", _("transformation")
    RESULT = "result", _("result")
    CHECK = "check", _("check")
    LIMITATION = "limitation", _("limitation")


# The part of a trace's step that shows an element.
_STEP_PARTS = {
    Element.DATA: "data",
    Element.TRANSFORMATION: "operation",
    Element.RESULT: "result",
}


def missing_elements(fields: Iterable[Field], answers: Mapping[str, object]) -> list[Element]:
    """Return the elements that nothing in the answers shows, in the order of the instruction.

    An element is shown by a written answer of its name, or by that part of any step of the trace.
    """
    by_name = {field.name: field for field in fields}
    steps = [name for name, field in by_name.items() if field.kind == Field.Kind.STEP]
    return [
        element
        for element in Element
        if not _text(answers.get(element.value))
        and not any(_part(answers.get(step), _STEP_PARTS.get(element)) for step in steps)
    ]


def _part(answer: object, part: str | None) -> bool:
    if part is None:
        return False
    if isinstance(answer, Mapping):
        return _text(answer.get(part))
    return part == "result" and _text(answer)


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
