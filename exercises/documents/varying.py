"""Read what of an exercise's givens is drawn, in the form that the engine draws from."""

import re

from exercises.documents.bindings import Given
from exercises.documents.fields import check_numbers, read_number
from exercises.documents.yamltree import Plain, Value

_VARIED = re.compile(r"(?P<given>[a-z][a-z0-9_]*)(?P<entries>(?:\[\d{1,3}\]){0,3})$")
_DEPTH = 4  # a list of choices, each of them an array of up to three axes


def read_vary(value: Value | None, given: Given) -> dict[str, Plain]:
    """Return, by given or entry of one, a list of choices or ``from``, ``to`` and ``step``."""
    if value is None:
        return {}
    found: dict[str, Plain] = {}
    for key, entry in value.mapping().items():
        _check_place(key, entry, given)
        found[key] = _choices(entry)
    return found


def _check_place(key: str, entry: Value, given: Given) -> None:
    match = _VARIED.match(key)
    if match is None or match["given"] not in given:
        raise entry.error("the key must be a given, or an entry of one such as logits[0]")
    inside = given[match["given"]]
    for index in map(int, re.findall(r"\d+", match["entries"])):
        if not isinstance(inside, list) or index >= len(inside):
            raise entry.error(f"“{match['given']}” has no such entry")
        inside = inside[index]


def _choices(entry: Value) -> Plain:
    if isinstance(entry.content, tuple):
        check_numbers(entry, _DEPTH)
        return entry.plain()
    rule = entry.mapping("from", "to", "step", "choices")
    if ("choices" in rule) == ("from" in rule or "to" in rule):
        raise entry.error("either choices, or from and to (and step)")
    if "choices" in rule:
        rule["choices"].items()
        check_numbers(rule["choices"], _DEPTH)
        return rule["choices"].plain()
    if not {"from", "to"} <= set(rule):
        raise entry.error("from and to belong together")
    low, high = read_number(rule["from"]), read_number(rule["to"])
    step = read_number(rule["step"]) if "step" in rule else 1.0
    if not (low < high and step > 0):
        raise entry.error("from must be less than to, and step more than 0")
    return {"step": 1, **{name: each.plain() for name, each in rule.items()}}
