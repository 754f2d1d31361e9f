"""Filters and sorts in the database: the standard's fields as columns.

Every field is compared as it stands on the wire: times and numbers as what they are, a date as the
UTC day of a time, and all else, ids and addresses included, as text by code point.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Case, F, Func, OrderBy, Q, TextField, Value, When
from django.db.models.functions import Cast, Collate, Substr, TruncDate
from django.db.models.lookups import (
    Exact,
    GreaterThan,
    GreaterThanOrEqual,
    IContains,
    LessThan,
    LessThanOrEqual,
)

from assessment.grades.oneroster.errors import InvalidFilterError, InvalidParameterError
from assessment.grades.oneroster.filters import Clause, Filter
from assessment.grades.oneroster.references import read_uuid, taken_apart

_LOOKUPS = {"=": "exact", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
_TEXT_LOOKUPS: dict[str, Callable[[Any, str], Any]] = {
    "=": Exact,
    ">": GreaterThan,
    ">=": GreaterThanOrEqual,
    "<": LessThan,
    "<=": LessThanOrEqual,
    "~": IContains,
}
_UUID_GROUPS = (1, 8), (9, 4), (13, 4), (17, 4), (21, 12)
_NOTHING = Q(pk__in=[])


class Holds(Enum):
    """What kind of value a column holds."""

    TEXT = auto()
    VALUE = auto()  # a number or a time: compared as what it is
    DAY = auto()  # a time of which the standard shows the day
    FLAG = auto()  # true and false, which the standard writes as text
    IDS = auto()  # one id, or two joined by a point
    SAME = auto()  # the same text in every row


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field is kept: one name of the query, or two for a pair of ids."""

    names: tuple[str, ...]
    holds: Holds = Holds.TEXT
    # What stands before an id where the field is an address.
    prefix: str = ""


Columns = Mapping[str, Column]


def text(name: str) -> Column:
    """Return a column of text."""
    return Column((name,))


def value(name: str) -> Column:
    """Return a column of numbers or times."""
    return Column((name,), Holds.VALUE)


def day(name: str) -> Column:
    """Return a column of times that are shown as their day."""
    return Column((name,), Holds.DAY)


def flag(name: str) -> Column:
    """Return a column of truth values."""
    return Column((name,), Holds.FLAG)


def ids(*names: str) -> Column:
    """Return a column of ids, or two that make one."""
    return Column(names, Holds.IDS)


def reference(member: str, kind: str, prefix: str, *names: str) -> dict[str, Column]:
    """Return the three columns of a GUIDRef; ``prefix`` is what its address begins with."""
    return {
        f"{member}.sourcedId": ids(*names),
        f"{member}.href": replace(ids(*names), prefix=prefix),
        f"{member}.type": Column((kind,), Holds.SAME),
    }


def condition(wanted: Filter, columns: Columns) -> Q:
    """Return the filter as a condition on the query.

    Raises
    ------
    InvalidFilterError
        For a field that cannot be filtered, or a comparison that its kind does not have.
    """
    clauses = [_clause(clause, columns) for clause in wanted.clauses]
    if not clauses:
        return Q()
    first, *rest = clauses
    for each in rest:
        first = first | each if wanted.any_of else first & each
    return first


def ordering(sort: str, columns: Columns, *, descending: bool) -> list[OrderBy]:
    """Return the order asked for; rows without a value come last.

    Raises
    ------
    InvalidParameterError
        For a field that cannot be sorted by.
    """
    column = columns.get(sort)
    if column is None:
        known = ", ".join(columns)
        raise InvalidParameterError(f"Rows cannot be sorted by {sort}, only by: {known}.")
    if column.holds is Holds.SAME:
        return []
    found: list[Any] = [F(name) for name in column.names]
    if column.holds in {Holds.TEXT, Holds.FLAG}:
        found = [_by_code_point(_as_text(column))]
    elif column.holds is Holds.DAY:
        found = [TruncDate(column.names[0], tzinfo=UTC)]
    if descending:
        return [each.desc(nulls_last=True) for each in found]
    return [each.asc(nulls_last=True) for each in found]


def _clause(clause: Clause, columns: Columns) -> Q:
    column = columns.get(clause.field)
    if column is None:
        known = ", ".join(columns)
        raise InvalidFilterError(f"Rows cannot be filtered by {clause.field}, only by: {known}.")
    if clause.op == "!=":
        absent = Q()
        if column.holds is not Holds.SAME:
            for name in column.names:
                absent |= Q(**{f"{name}__isnull": True})
        return ~_holds(column, "=", clause.value) | absent
    return _holds(column, clause.op, clause.value)


def _holds(column: Column, op: str, wanted: Any) -> Q:  # noqa: ANN401 (a value of the column's type)
    if column.holds is Holds.VALUE:
        return Q(**{f"{column.names[0]}__{_LOOKUPS[op]}": wanted})
    if column.holds is Holds.DAY:
        return _on_day(column.names[0], op, wanted)
    if column.holds is Holds.IDS and op == "=":
        return _with_ids(column, str(wanted))
    found = _as_text(column)
    if op not in {"=", "~"}:
        found = _by_code_point(found)
    return Q(_TEXT_LOOKUPS[op](found, str(wanted)))


def _on_day(name: str, op: str, wanted: date) -> Q:
    """Compare the UTC day of a time, by the moments between which it lies."""
    begins = datetime.combine(wanted, time(), tzinfo=UTC)
    try:
        ends = begins + timedelta(days=1)
    except OverflowError:  # the last day of all
        ends = datetime.max.replace(tzinfo=UTC)
    from_it, after_it = Q(**{f"{name}__gte": begins}), Q(**{f"{name}__gte": ends})
    before_it, until_it = Q(**{f"{name}__lt": begins}), Q(**{f"{name}__lt": ends})
    return {
        "=": from_it & until_it,
        ">": after_it,
        ">=": from_it,
        "<": before_it,
        "<=": until_it,
    }[op]


def _with_ids(column: Column, wanted: str) -> Q:
    """Find ids as ids, along their index."""
    if not wanted.startswith(column.prefix):
        return _NOTHING
    wanted = wanted.removeprefix(column.prefix)
    found: tuple[UUID | None, ...] | None
    found = taken_apart(wanted) if len(column.names) > 1 else (read_uuid(wanted),)
    if found is None or None in found:
        return _NOTHING
    return Q(**dict(zip(column.names, found, strict=True)))


def _as_text(column: Column) -> Any:  # noqa: ANN401 (any expression)
    """Return what stands on the wire."""
    if column.holds is Holds.SAME:
        return Value(column.names[0], output_field=TextField())
    if column.holds is Holds.FLAG:
        return Case(
            When(**{column.names[0]: True}, then=Value("true")),
            default=Value("false"),
            output_field=TextField(),
        )
    if column.holds is not Holds.IDS:
        return F(column.names[0])
    parts: list[Any] = [Value(column.prefix)] if column.prefix else []
    for number, name in enumerate(column.names):
        parts += [Value(".")] if number else []
        parts += _spelled(name)
    return _Joined(*parts, output_field=TextField())


def _spelled(name: str) -> list[Any]:
    """Return an id as it is written, from how the database keeps it."""
    kept = Cast(F(name), TextField())
    if connection.features.has_native_uuid_field:
        return [kept]
    parts: list[Any] = []
    for first, length in _UUID_GROUPS:
        parts += [Value("-")] if parts else []
        parts.append(Substr(kept, first, length))
    return parts


class _Joined(Func):
    """Texts one after another; nothing where one of them is."""

    template = "(%(expressions)s)"
    arg_joiner = " || "


def _by_code_point(expression: Any) -> Any:  # noqa: ANN401 (any expression)
    """Compare by code point, whatever the language of the database."""
    return Collate(expression, "C") if connection.vendor == "postgresql" else expression
