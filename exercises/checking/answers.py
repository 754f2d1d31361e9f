"""Check one answer to one question, as a line of the engine's contract states it."""

import marshal
from collections.abc import Callable, Mapping

from exercises.checking.expectations import FieldError
from exercises.checking.fields import (
    ArrayField,
    Checked,
    ChoiceField,
    Field,
    NumberField,
    QuantityField,
    SetField,
    ShapeField,
)
from exercises.checking.messages import message
from exercises.checking.verdicts import Verdict

FIELDS: Mapping[str, Callable[[Mapping[str, object]], Field]] = {
    "number": NumberField,
    "array": ArrayField,
    "quantity": QuantityField,
    "shape": ShapeField,
    "choice": ChoiceField,
    "set": SetField,
}
_MOST_KEPT = 2048

_kept: dict[bytes, Field] = {}


def field_of(line: Mapping[str, object]) -> Field:
    """Return the field that a line describes; the same description is compiled once.

    Raises
    ------
    FieldError
        Where the description is no field.
    """
    get = line.get
    parts = (
        get("kind"),
        get("expected"),
        get("tolerance"),
        get("decimal"),
        get("percent"),
        get("unit"),
        get("options"),
        get("at_least"),
    )
    # Tells 1, 1.0, True and "1" apart, and is four times faster than repr; version 2 of the
    # format writes equal values alike. Only plain data has a key.
    try:
        key = marshal.dumps(parts, 2)  # type: ignore[arg-type] # other data raises
    except ValueError:
        return _compiled(line)
    field = _kept.get(key)
    if field is None:
        field = _compiled(line)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = field
    return field


def _compiled(line: Mapping[str, object]) -> Field:
    kind = line.get("kind")
    make = FIELDS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise FieldError(f"there is no kind {kind!r}"[:80])
    return make(line)


def check(line: Mapping[str, object]) -> Checked:
    """Check the answer of a line; a question or an answer that cannot be used is an ``error``."""
    try:
        field = field_of(line)
    except FieldError as error:
        return Checked(Verdict.ERROR, None, "bad_field", {"reason": str(error)})
    answer = line.get("answer")
    if answer is None:
        answer = ""
    if not isinstance(answer, str):
        return Checked(Verdict.ERROR, None, "bad_answer")
    return field.check(answer)


def check_line(line: Mapping[str, object]) -> dict[str, object]:
    """Check one line of kind number, array, quantity, shape, choice or set.

    Returns
    -------
    dict
        ``id``, ``verdict``, ``read`` and ``message``; a set's also ``found``, ``missing`` and
        ``unknown``; an error's only ``id``, ``verdict`` and ``message``.
    """
    checked = check(line)
    verdict, read, code, params, entry, more = checked
    said = message(code, params, entry=entry)
    if verdict is Verdict.ERROR:
        return {"id": line.get("id"), "verdict": verdict.value, "message": said}
    found = {"id": line.get("id"), "verdict": verdict.value, "read": read, "message": said}
    return {**found, **more} if more else found
