"""What a learner typed: its shape, its bounds and its digest."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from assessment.attempts.errors import NothingWritten, UnfitAnswers
from exercises.models import Field

STEP_PARTS: Final = ("data", "operation", "result", "interpretation")
LABEL_LENGTH: Final = 40
UNKNOWN_NAMED: Final = 5

Answers = dict[str, str | dict[str, str]]


def clean(fields: Iterable[Field], typed: object) -> Answers:
    """Return the answers as they are stored, every text exactly as typed and blank ones left out.

    Raises
    ------
    UnfitAnswers
        A field is unknown, is no text, is too long, or holds what no keyboard types.
    NothingWritten
        Every field is blank.
    """
    if not isinstance(typed, Mapping):
        raise UnfitAnswers({"answers": _("An object is needed: field names and texts.")})
    known = {field.name: field for field in fields}
    errors: dict[str, str] = {}
    kept: Answers = {}
    unknown = [str(name)[:LABEL_LENGTH] for name in typed if name not in known]
    for name in unknown[:UNKNOWN_NAMED]:
        errors[name] = _("This exercise has no such field; it has: %(fields)s.") % {
            "fields": ", ".join(known)
        }
    for name, field in known.items():
        try:
            answer = _answer(field, typed.get(name))
        except ValueError as error:
            errors[name] = str(error)
        else:
            if answer:
                kept[name] = answer
    if errors:
        raise UnfitAnswers(errors)
    if not kept:
        raise NothingWritten
    return kept


def digest(answers: Answers) -> str:
    """Return the SHA-256 of the answers, in hexadecimal; the order of fields does not matter."""
    text = json.dumps(answers, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def storable(text: str) -> str:
    """Return the text without the characters that a database refuses."""
    return "".join(each for each in text if not _is_unstorable(each))


def for_engine(answers: Mapping[str, object], steps: Iterable[str]) -> dict[str, object]:
    """Return what the engine judges: each step's result, and its operation where one is written."""
    judged: dict[str, object] = {}
    for name in steps:
        answer = answers.get(name, "")
        if isinstance(answer, Mapping):
            result, operation = answer.get("result", ""), answer.get("operation", "")
            judged[name] = {"operation": operation, "result": result} if operation else result
        else:
            judged[name] = answer
    return judged


def _answer(field: Field, value: object) -> str | dict[str, str]:
    if value is None:
        return ""
    if field.kind != Field.Kind.STEP:
        return _text(value, field.max_length)
    if isinstance(value, Mapping):
        if unknown := [str(part)[:LABEL_LENGTH] for part in value if part not in STEP_PARTS]:
            raise ValueError(
                _("A step has the parts %(parts)s, not %(unknown)s.")
                % {"parts": ", ".join(STEP_PARTS), "unknown": ", ".join(unknown[:UNKNOWN_NAMED])}
            )
        parts = {
            part: _text(value[part], field.max_length)
            for part in STEP_PARTS
            if value.get(part) is not None
        }
    else:
        parts = {"result": _text(value, field.max_length)}
    return {part: text for part, text in parts.items() if text}


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str):
        raise ValueError(  # noqa: TRY004 (what was sent is data, refused like any other)
            _("A text is needed; put numbers in quotation marks, as you typed them.")
        )
    if len(value) > longest:
        raise ValueError(
            _("%(length)d characters are too many; at most %(longest)d fit.")
            % {"length": len(value), "longest": longest}
        )
    if any(_is_unstorable(character) for character in value):
        raise ValueError(_("This holds a control character that no keyboard types; remove it."))
    return value if value.strip() else ""


def _is_unstorable(character: str) -> bool:
    """Return whether a database refuses this character, or a page cannot show it."""
    return character not in "\t\n\r" and unicodedata.category(character) in {"Cc", "Cs"}
