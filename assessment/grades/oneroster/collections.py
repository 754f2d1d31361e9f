"""What a view needs of a collection: a page, and one object."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.db.models import Model, Q, QuerySet

from assessment.grades.oneroster.columns import Columns, condition, ordering
from assessment.grades.oneroster.listing import Row, select
from assessment.grades.oneroster.objects import ObjectType
from assessment.grades.oneroster.queries import Query
from assessment.grades.oneroster.references import read_uuid

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Page:
    """How many rows there are in all, and those of this page, in parts."""

    total: int
    parts: Iterable[Sequence[Row]]


class Collection(Protocol):
    """Objects of one kind, within a client's reach."""

    @property
    def kind(self) -> ObjectType:
        """What its objects are."""
        ...

    def page(self, query: Query) -> Page:
        """Return one page."""
        ...

    def one(self, sourced_id: str) -> Row | None:
        """Return one object, deleted or not, or ``None`` where there is none within reach."""
        ...


class Listed:
    """A small collection, in memory."""

    def __init__(self, kind: ObjectType, rows: Sequence[Row]) -> None:
        self.kind = kind
        self._rows = rows

    def page(self, query: Query) -> Page:
        """Return one page."""
        rows = select(self._rows, query, self.kind)
        return Page(len(rows), [rows[query.offset : query.offset + query.limit]])

    def one(self, sourced_id: str) -> Row | None:
        """Return one object."""
        return next((row for row in self._rows if row["sourcedId"] == sourced_id), None)


@dataclass(frozen=True)
class Stored:
    """A large collection, filtered and sorted by the database.

    ``shown`` says which rows are not deleted; ``write`` turns the rows of one part into objects,
    with a fixed number of queries.
    """

    kind: ObjectType
    queryset: QuerySet[Any]
    columns: Columns
    shown: Q
    write: Callable[[Sequence[Any]], list[Row]]
    part: int = 2000

    def page(self, query: Query) -> Page:
        """Return one page."""
        found = self.queryset.filter(condition(query.filter, self.columns))
        if not query.wants_tombstones:
            found = found.filter(self.shown)
        order = ordering(query.sort or "sourcedId", self.columns, descending=query.descending)
        wanted = found.order_by(*order, "pk")[query.offset : query.offset + query.limit]
        return Page(found.count(), self._parts(wanted))

    def _parts(self, wanted: QuerySet[Any]) -> Iterable[Sequence[Row]]:
        part: list[Any] = []
        for row in wanted.iterator(chunk_size=self.part):
            part.append(row)
            if len(part) == self.part:
                yield self.write(part)
                part = []
        yield self.write(part)

    def one(self, sourced_id: str) -> Row | None:
        """Return one object."""
        key = read_uuid(sourced_id)
        found = self.queryset.filter(pk=key).first() if key else None
        return self.write([found])[0] if found else None
