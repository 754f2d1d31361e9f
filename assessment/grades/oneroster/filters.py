"""The standard's filter: one clause, or two joined by AND or OR.

``field OP 'value'``, with OP one of ``=  !=  >  >=  <  <=  ~`` (contains); a quote inside the value
is doubled. Numbers and truth values are also read without quotes, as some clients send them.
Anything else is refused with what was seen: a filter never returns an empty success
because it was misread.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from assessment.grades.oneroster.errors import InvalidFilterError
from assessment.grades.oneroster.objects import ObjectType

MAX_LENGTH = 2000

Operator = Literal["=", "!=", ">", ">=", "<", "<=", "~"]
Value = str | Decimal | date | datetime

_CLAUSE = re.compile(
    r"\s*(?P<field>[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*)"
    r"\s*(?P<op>!=|>=|<=|=|>|<|~)"
    r"\s*(?:'(?P<value>(?:[^']|'')*)'|(?P<bare>-?[0-9]+(?:\.[0-9]+)?|true|false))\s*"
)
_JOIN = re.compile(r"\s*(?P<join>AND|OR)\s+", re.IGNORECASE)
_PLUS_LOST = re.compile(r"(?<=\d) (?=\d\d:?\d\d$)")


@dataclass(frozen=True, slots=True)
class Clause:
    """One comparison; ``value`` has the type of the field."""

    field: str
    op: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class Filter:
    """One or two clauses; ``any_of`` says that one of them is enough."""

    clauses: tuple[Clause, ...] = ()
    any_of: bool = False

    def names(self, *fields: str) -> bool:
        """Return whether a clause names one of these fields."""
        return any(clause.field in fields for clause in self.clauses)


def read_filter(text: str, kind: ObjectType) -> Filter:
    """Return the filter over objects of this kind.

    Raises
    ------
    InvalidFilterError
        With what was seen and how to write it.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidFilterError(f"The filter has more than {MAX_LENGTH} characters.")
    if "\0" in text:
        raise InvalidFilterError("The filter holds a NUL, which no value here does.")
    clause, rest = _clause(text, text)
    clauses = [_typed(clause, kind)]
    any_of = False
    if rest:
        join = _JOIN.match(rest)
        if not join:
            raise InvalidFilterError(f"After the first clause comes AND or OR, not {rest[:40]!r}.")
        any_of = join["join"].upper() == "OR"
        clause, rest = _clause(rest[join.end() :], text)
        clauses.append(_typed(clause, kind))
        if rest:
            raise InvalidFilterError(
                f"A filter has at most two clauses; after them comes {rest[:40]!r}."
            )
    return Filter(tuple(clauses), any_of)


def _clause(text: str, whole: str) -> tuple[re.Match[str], str]:
    found = _CLAUSE.match(text)
    if not found:
        raise InvalidFilterError(
            f"The filter {whole[:120]!r} cannot be read at {text[:40]!r}: write field='value', "
            "with one of = != > >= < <= ~ and the value in single quotes."
        )
    return found, text[found.end() :]


def _typed(found: re.Match[str], kind: ObjectType) -> Clause:
    name, op = found["field"], found["op"]
    text = found["bare"] or found["value"].replace("''", "'")
    schema = kind.paths.get(name)
    if schema is None:
        raise InvalidFilterError(
            f"{name!r} is no field of a {kind.singular} that a filter can name."
        )
    if op == "~":
        if schema.get("type") == "number" or schema.get("format") in {"date", "date-time"}:
            raise InvalidFilterError(f"{name} is no text that could contain something.")
        return Clause(name, "~", text)
    return Clause(name, op, read_value(name, text, schema))  # type: ignore[arg-type]  # the pattern names the operators


def read_value(name: str, text: str, schema: Mapping[str, Any]) -> Value:
    """Return the text as a value of the field's type."""
    if schema.get("type") == "number":
        return _number(name, text)
    if schema.get("format") == "date":
        return _day(name, text)
    if schema.get("format") == "date-time":
        return _instant(name, text)
    return text


def _number(name: str, text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InvalidFilterError(f"{name} is compared with {text!r}, which is not a number.")
    return number


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidFilterError(f"{name} is compared with {text!r}: write 2026-11-30.") from error


def _instant(name: str, text: str) -> datetime:
    # A plus sign that was not escaped in the address arrives as a blank.
    repaired = _PLUS_LOST.sub("+", text)
    try:
        moment = datetime.fromisoformat(repaired)
    except ValueError as error:
        raise InvalidFilterError(
            f"{name} is compared with {text!r}: write 2026-11-30T12:00:00Z."
        ) from error
    if moment.tzinfo is not None:
        try:
            return moment.astimezone(UTC)
        except OverflowError as error:
            raise InvalidFilterError(
                f"{name} is compared with {text!r}, beyond all times."
            ) from error
    if "T" in repaired or ":" in repaired:
        raise InvalidFilterError(
            f"{name} is compared with {text!r}, which could be any zone's time: end it with Z or "
            "an offset such as +02:00 (escaped as %2B02:00 in an address)."
        )
    return moment.replace(tzinfo=UTC)
