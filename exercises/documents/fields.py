"""Read the fields and the given values of checks.yaml."""

import re

from exercises.documents.bindings import FieldBinding
from exercises.documents.yamltree import Plain, Value

ELEMENTS = ("data", "transformation", "result", "check", "limitation")

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}$")
_TOLERANCES = ("rtol", "atol", "decimals", "sigfigs", "exact")
_MOST = 1_000
_DEPTH = 3
_FIELD_KEYS = (
    "kind", "title", "hint", "unit", "shape", "tolerance", "options", "expected", "at_least",
    "max_length", "element", "given_on_support", "reference", "given", "step",
)  # fmt: skip


def read_given(value: Value | None) -> dict[str, Plain]:
    """Return given values by name: numbers, names, or lists of them up to three deep."""
    if value is None:
        return {}
    for name, entry in value.mapping().items():
        if not _NAME.match(name):
            raise entry.error("a given's name has small letters, digits and _")
        check_numbers(entry, _DEPTH)
    return {name: entry.plain() for name, entry in value.mapping().items()}


def check_numbers(value: Value, depth: int) -> None:
    """Refuse what is neither a number, nor a name, nor a list of them."""
    if isinstance(value.content, tuple) and depth > 0:
        if not 0 < len(value.content) <= _MOST:
            raise value.error(f"from 1 to {_MOST} entries belong here")
        for entry in value.content:
            check_numbers(entry, depth - 1)
    elif isinstance(value.content, bool) or not isinstance(value.content, int | float | str):
        raise value.error("numbers, names or lists of them belong here")


def read_number(value: Value) -> float:
    """Return a number as a float."""
    if isinstance(value.content, bool) or not isinstance(value.content, int | float):
        raise value.error("a number belongs here")
    return float(value.content)


def read_fields(value: Value | None, kinds: tuple[str, ...]) -> tuple[FieldBinding, ...]:
    """Return the fields below a key; the first of ``kinds`` is the usual one."""
    if value is None:
        return ()
    return tuple(_field(name, entry, kinds) for name, entry in value.mapping().items())


def _field(name: str, value: Value, kinds: tuple[str, ...]) -> FieldBinding:
    if not _NAME.match(name):
        raise value.error("a field's name has small letters, digits and _")
    keys = value.mapping(*_FIELD_KEYS)
    kind = keys["kind"].one_of(*kinds) if "kind" in keys else kinds[0]
    options = _options(keys.get("options"))
    if (kind in {"choice", "set"}) != bool(options or kind == "set"):
        raise value.error("a choice needs options, and only a choice or a set has them")
    return FieldBinding(
        name=name,
        kind=kind,
        title=keys["title"].text(200) if "title" in keys else name.replace("_", " ").capitalize(),
        hint=keys["hint"].text(500) if "hint" in keys else "",
        unit=keys["unit"].text(40) if "unit" in keys else "",
        shape=tuple(axis.text(20) for axis in keys["shape"].items()) if "shape" in keys else (),
        tolerance=_tolerance(keys.get("tolerance")),
        options=options,
        expected=keys["expected"].plain() if "expected" in keys else None,
        at_least=keys["at_least"].whole(1, 100) if "at_least" in keys else 0,
        max_length=keys["max_length"].whole(1, 10_000) if "max_length" in keys else 2000,
        element=keys["element"].one_of(*ELEMENTS) if "element" in keys else "",
        given_on_support=keys["given_on_support"].flag() if "given_on_support" in keys else False,
        reference=keys["reference"].text(80) if "reference" in keys else "",
        given=read_given(keys.get("given")),
        step=keys["step"].text(80) if "step" in keys else "",
        line=value.line,
    )


def _options(value: Value | None) -> dict[str, Plain]:
    """Read names with their synonyms; a plain list has names without any."""
    if value is None:
        return {}
    if isinstance(value.content, tuple):
        return {entry.text(200): [] for entry in value.items()}
    return {
        name: [synonym.text(200) for synonym in entry.items()]
        for name, entry in value.mapping().items()
    }


def _tolerance(value: Value | None) -> dict[str, Plain]:
    if value is None:
        return {}
    keys = value.mapping(*_TOLERANCES)
    if not keys:
        raise value.error(f"one of {', '.join(_TOLERANCES)} belongs here")
    if len(keys) > 1 and set(keys) != {"rtol", "atol"}:
        raise value.error("only rtol and atol go together")
    for name, entry in keys.items():
        if name == "exact":
            entry.flag()
        elif name in {"decimals", "sigfigs"}:
            entry.whole(0 if name == "decimals" else 1, 15)
        elif not 0 <= read_number(entry) <= 1:
            raise entry.error("a number from 0 to 1 belongs here")
    return {name: entry.plain() for name, entry in keys.items()}
