"""Filters and sorts in the database: the standard's fields as columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from uuid import UUID

from django.db import connection
from django.db.models import F, OrderBy, Q
from django.db.models.functions import Collate

from assessment.grades.oneroster.errors import InvalidFilterError, InvalidParameterError
from assessment.grades.oneroster.filters import Clause, Filter
from assessment.grades.oneroster.references import read_uuid, taken_apart

_LOOKUPS = {
    "=": "exact",
    "!=": "exact",
    ">": "gt",
    ">=": "gte",
    "<": "lt",
    "<=": "lte",
    "~": "icontains",
}


class Holds(Enum):
    """What kind of value a column holds."""

    TEXT = auto()
    VALUE = auto()  # a number or a time: compared as what it is
    FLAG = auto()  # true and false, which the standard writes as text
    ID = auto()
    PAIR = auto()  # an id made of two


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field is kept: one name of the query, or two for a pair of ids."""

    names: tuple[str, ...]
    holds: Holds = Holds.TEXT


Columns = Mapping[str, Column]


def text(name: str) -> Column:
    """Return a column of text."""
    return Column((name,))


def value(name: str) -> Column:
    """Return a column of numbers or times."""
    return Column((name,), Holds.VALUE)


def flag(name: str) -> Column:
    """Return a column of truth values."""
    return Column((name,), Holds.FLAG)


def one_id(name: str) -> Column:
    """Return a column of ids."""
    return Column((name,), Holds.ID)


def pair(first: str, second: str) -> Column:
    """Return two columns that make one id."""
    return Column((first, second), Holds.PAIR)


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
    return [_ordered(name, column.holds, descending=descending) for name in column.names]


def _ordered(name: str, holds: Holds, *, descending: bool) -> OrderBy:
    # By code point, whatever the language of the database.
    by_code_point = holds is Holds.TEXT and connection.vendor == "postgresql"
    expression = Collate(F(name), "C") if by_code_point else F(name)
    return expression.desc(nulls_last=True) if descending else expression.asc(nulls_last=True)


def _clause(clause: Clause, columns: Columns) -> Q:
    column = columns.get(clause.field)
    if column is None:
        known = ", ".join(columns)
        raise InvalidFilterError(f"Rows cannot be filtered by {clause.field}, only by: {known}.")
    if column.holds in {Holds.TEXT, Holds.VALUE}:
        if clause.op == "~" and column.holds is Holds.VALUE:
            raise InvalidFilterError(f"{clause.field} is no text that could contain something.")
        found = Q(**{f"{column.names[0]}__{_LOOKUPS[clause.op]}": clause.value})
    elif clause.op in {"=", "!="}:
        found = _exact(column, str(clause.value))
    else:
        raise InvalidFilterError(f"{clause.field} is compared with = or != only.")
    return ~found if clause.op == "!=" else found


def _exact(column: Column, wanted: str) -> Q:
    if column.holds is Holds.FLAG:
        return Q(**{column.names[0]: wanted == "true"}) if wanted in {"true", "false"} else _nothing
    ids: tuple[UUID | None, ...] | None
    ids = taken_apart(wanted) if column.holds is Holds.PAIR else (read_uuid(wanted),)
    if ids is None or None in ids:
        return _nothing
    return Q(**dict(zip(column.names, ids, strict=True)))


_nothing = Q(pk__in=[])
