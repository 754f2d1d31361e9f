"""Place child rows by their natural key: what is there is changed, never deleted and made again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def place(
    model: type[Row],
    parent: Mapping[str, object],
    key: Sequence[str],
    rows: Iterable[dict[str, Any]],
) -> list[Row]:
    """Make the rows of one parent equal to ``rows`` and return them in that order.

    Parameters
    ----------
    parent
        The field that holds the parent, with the parent.
    key
        The fields that say which row is which among the parent's.
    rows
        Values by field, ``key`` included.
    """
    table: models.QuerySet[Row] = models.QuerySet(model)
    stored = {_key(key, row): row for row in table.filter(**parent)}
    placed: list[Row] = []
    new: list[Row] = []
    changed: list[Row] = []
    fields: set[str] = set()
    for values in rows:
        row = stored.pop(tuple(values[name] for name in key), None)
        if row is None:
            row = model(**parent, **values)
            new.append(row)
        elif differing := {name for name, value in values.items() if getattr(row, name) != value}:
            for name in differing:
                setattr(row, name, values[name])
            fields |= differing
            changed.append(row)
        placed.append(row)
    for surplus in stored.values():
        surplus.delete()
    if changed:
        table.bulk_update(changed, sorted(fields))
    table.bulk_create(new)
    return placed


def _key(key: Sequence[str], row: models.Model) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in key)


def numbered(items: Iterable[Any], values: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each item's values with its position, counted from 1."""
    return [{"position": position, **values(item)} for position, item in enumerate(items, start=1)]
