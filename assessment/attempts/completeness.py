"""Whether an answer shows its data, transformation, result, one check and one limitation."""

from collections.abc import Iterable, Mapping
from typing import Final

from exercises.models import Field

Element = Field.Element

# The part of a trace's step that shows an element.
_STEP_PARTS: Final[Mapping[str, str]] = {
    Element.DATA: "data",
    Element.TRANSFORMATION: "operation",
    Element.RESULT: "result",
}
_ALL: Final = [element for element in Element if element != Element.NONE]


def missing_elements(fields: Iterable[Field], answers: Mapping[str, object]) -> list[Element]:
    """Return the elements that nothing in the answers shows, in the order of the instruction.

    An element is shown by a written answer that is declared to show it, or by the part of any step
    of the trace that does. One that the form has no place for is not missed.
    """
    known = list(fields)
    shown = shown_elements(known, answers)
    return [
        element
        for element in _ALL
        if element not in shown and any(_can_show(each, element) for each in known)
    ]


def shown_elements(fields: Iterable[Field], answers: Mapping[str, object]) -> set[Element]:
    """Return the elements for which there is any text; whether it is good a person says."""
    return {
        element
        for each in fields
        for element in _ALL
        if _can_show(each, element) and _shows(each, element, answers.get(each.name))
    }


def _can_show(field: Field, element: Element) -> bool:
    if field.kind == Field.Kind.STEP:
        return element in _STEP_PARTS
    return field.element == element


def _shows(field: Field, element: Element, answer: object) -> bool:
    if isinstance(answer, Mapping):
        answer = answer.get(_STEP_PARTS.get(element, ""))
    elif field.kind == Field.Kind.STEP and element != Element.RESULT:
        return False
    return isinstance(answer, str) and bool(answer.strip())
