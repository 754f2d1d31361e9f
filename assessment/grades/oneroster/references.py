"""Ids and addresses of the objects: each id can be taken apart again, each address opens.

A line item is a pair of a cohort and an exercise, a result one of an enrolment and an exercise,
a score scale one of a cohort and a session; their ids name both, joined by a point.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

GRADEBOOK = "/ims/oneroster/gradebook/v1p2"
ROSTERING = "/ims/oneroster/rostering/v1p2"

_PLACES = {
    "class": f"{ROSTERING}/classes/",
    "course": f"{ROSTERING}/courses/",
    "org": f"{ROSTERING}/schools/",
    "user": f"{ROSTERING}/users/",
    "academicSession": f"{ROSTERING}/academicSessions/",
    "category": f"{GRADEBOOK}/categories/",
    "lineItem": f"{GRADEBOOK}/lineItems/",
    "scoreScale": f"{GRADEBOOK}/scoreScales/",
    "assessmentLineItem": f"{GRADEBOOK}/assessmentLineItems/",
}


def joined(first: UUID, second: UUID) -> str:
    """Return the id of a pair."""
    return f"{first}.{second}"


def taken_apart(sourced_id: str) -> tuple[UUID, UUID] | None:
    """Return the pair that an id names, or ``None`` where it names none."""
    first, _point, second = sourced_id.partition(".")
    pair = read_uuid(first), read_uuid(second)
    return (pair[0], pair[1]) if pair[0] and pair[1] else None


def read_uuid(text: str) -> UUID | None:
    """Return the id in its one spelling, or ``None``."""
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text else None


def stamp(moment: datetime) -> str:
    """Return a time as the standard writes it: UTC, with its zone.

    In full: a client that filters by what it was sent finds exactly that.
    """
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class References:
    """Writes GUIDRefs with absolute addresses below ``origin`` (``https://example.org``)."""

    origin: str

    def to(self, kind: str, sourced_id: object) -> dict[str, Any]:
        """Return the reference to one object."""
        return {
            "href": f"{self.origin}{_PLACES[kind]}{sourced_id}",
            "sourcedId": str(sourced_id),
            "type": kind,
        }

    def prefix(self, kind: str) -> str:
        """Return the address that an id of this kind is appended to."""
        return f"{self.origin}{_PLACES[kind]}"
