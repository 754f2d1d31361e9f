"""What a client asks of a collection: limit, offset, sort, orderBy, filter, fields."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from assessment.grades.oneroster.errors import InvalidParameterError, InvalidSelectionError
from assessment.grades.oneroster.filters import Filter, read_filter
from assessment.grades.oneroster.objects import ObjectType

DEFAULT_LIMIT = 100
NO_FILTER = Filter()
_LARGEST = 2**31 - 1
_MAX_FIELDS = 100


@dataclass(frozen=True, slots=True)
class Query:
    """One request for a collection.

    ``sort`` is empty where the default order holds; ``fields`` is empty where the whole object is
    wanted.
    """

    limit: int = DEFAULT_LIMIT
    offset: int = 0
    sort: str = ""
    descending: bool = False
    filter: Filter = NO_FILTER
    fields: frozenset[str] = frozenset()

    @property
    def wants_tombstones(self) -> bool:
        """Whether the filter asks about changes: only then are deleted objects shown."""
        return self.filter.names("status", "dateLastModified")

    def project(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the members asked for, all of them by default."""
        if not self.fields:
            return row
        return {name: value for name, value in row.items() if name in self.fields}


def read_query(params: QueryDict, kind: ObjectType) -> Query:
    """Return what the address asks for.

    Raises
    ------
    InvalidParameterError, InvalidFilterError, InvalidSelectionError
        With what was seen and how to write it.
    """
    order = _one(params, "orderBy")
    if order not in {None, "asc", "desc"}:
        raise InvalidParameterError(f"orderBy is {order!r}: write asc or desc.")
    text = _one(params, "filter")
    return Query(
        limit=_whole(params, "limit", least=1, default=DEFAULT_LIMIT),
        offset=_whole(params, "offset", least=0, default=0),
        sort=_sort(params, kind),
        descending=order == "desc",
        filter=read_filter(text, kind) if text is not None else NO_FILTER,
        fields=read_fields(params, kind),
    )


def read_fields(params: QueryDict, kind: ObjectType) -> frozenset[str]:
    """Return the selected members: repeated parameters and comma-joined ones are both read."""
    given = params.getlist("fields")
    names = [name.strip() for value in given for name in value.split(",")]
    if len(names) > _MAX_FIELDS:
        raise InvalidSelectionError(f"fields names more than {_MAX_FIELDS} members.")
    for name in names:
        if name not in kind.members:
            known = ", ".join(kind.members)
            raise InvalidSelectionError(
                f"{name[:80]!r} is no member of a {kind.singular}: {known}."
            )
    return frozenset(names)


def _sort(params: QueryDict, kind: ObjectType) -> str:
    name = _one(params, "sort") or ""
    if name and name not in kind.paths:
        raise InvalidParameterError(f"{name[:80]!r} is no field of a {kind.singular} to sort by.")
    return name


def _one(params: QueryDict, name: str) -> str | None:
    """Return a parameter given once and not empty."""
    if name not in params:
        return None
    values = params.getlist(name)
    if len(values) > 1:
        raise InvalidParameterError(f"{name} is given {len(values)} times; give it once.")
    value = str(values[0])
    if not value:
        raise InvalidParameterError(f"{name} is empty; leave it out or give it a value.")
    return value


def _whole(params: QueryDict, name: str, *, least: int, default: int) -> int:
    text = _one(params, name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(_LARGEST)):
        raise InvalidParameterError(f"{name} is {text[:40]!r}: write a whole number from {least}.")
    number = int(text)
    if not least <= number <= _LARGEST:
        raise InvalidParameterError(f"{name} is {text}: write a whole number from {least}.")
    return number
