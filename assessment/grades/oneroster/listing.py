"""Filters, sorts and pages a small collection that is already in memory."""

import operator
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from assessment.grades.oneroster.filters import Clause, Filter, Value
from assessment.grades.oneroster.objects import ObjectType, Schema
from assessment.grades.oneroster.queries import Query

Row = dict[str, Any]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def select(rows: Sequence[Row], query: Query, kind: ObjectType) -> list[Row]:
    """Return the rows that the filter lets through, in the order asked for, deleted ones hidden.

    Ties are broken by ``sourcedId``, so that pages neither repeat nor skip a row.
    """
    found = [row for row in rows if _is_shown(row, query) and matches(row, query.filter, kind)]
    found.sort(key=lambda row: str(row["sourcedId"]))
    if query.sort:
        schema = kind.paths[query.sort]
        present = [row for row in found if _first(row, query.sort) is not None]
        present.sort(
            key=lambda row: _sort_key(_first(row, query.sort), schema), reverse=query.descending
        )
        return present + [row for row in found if _first(row, query.sort) is None]
    return found[::-1] if query.descending else found


def matches(row: Row, wanted: Filter, kind: ObjectType) -> bool:
    """Return whether a row passes the filter."""
    tests = (_holds(row, clause, kind.paths[clause.field]) for clause in wanted.clauses)
    return any(tests) if wanted.any_of else all(tests)


def _is_shown(row: Row, query: Query) -> bool:
    return query.wants_tombstones or row["status"] == "active"


def _holds(row: Row, clause: Clause, schema: Schema) -> bool:
    values = list(_values(row, clause.field))
    if clause.op == "~":
        wanted = str(clause.value).casefold()
        return any(wanted in str(value).casefold() for value in values)
    if clause.op == "!=":
        return all(_typed(value, schema) != clause.value for value in values)
    compare = _COMPARE[clause.op]
    return any(compare(_typed(value, schema), clause.value) for value in values)


def _values(row: object, path: str) -> Iterator[object]:
    """Yield every value at a dotted path; lists on the way are entered."""
    if isinstance(row, list):
        for entry in row:
            yield from _values(entry, path)
        return
    name, _dot, rest = path.partition(".")
    if not isinstance(row, dict) or name not in row:
        return
    if rest:
        yield from _values(row[name], rest)
    elif isinstance(row[name], list):
        yield from row[name]
    else:
        yield row[name]


def _first(row: Row, path: str) -> object:
    return next(_values(row, path), None)


def _sort_key(value: object, schema: Schema) -> Any:  # noqa: ANN401 (any one type that has an order)
    return _typed(value, schema)


def _typed(value: object, schema: Schema) -> Value:
    if schema.get("type") == "number":
        return Decimal(str(value))
    if schema.get("format") == "date-time":
        return datetime.fromisoformat(str(value)).astimezone(UTC)
    if schema.get("format") == "date":
        return datetime.fromisoformat(str(value)).date()
    return str(value)
