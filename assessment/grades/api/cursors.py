"""Where a reader of the grades stands: everything up to one number of the sequence was read."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from http import HTTPStatus
from uuid import UUID

from rest_framework.exceptions import APIException, ValidationError

from assessment.review.models import GradeSequence

_HIGHEST = 2**63 - 1
_REACH_DIGITS = 16
# Changes in other cohorts that a pull may look through before it begins past them.
_FAR = 1000


class StartAgain(APIException):
    """A cursor that would skip rows: its place in the order no longer means what it meant."""

    status_code = HTTPStatus.GONE
    default_code = "start_again"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order of changes: ``after`` is the last number read.

    ``cohort`` is the filter of the walk and ``reach`` a digest of the cohorts that it covered: rows
    of a cohort that was added later lie behind the reader, so the walk has to start again.
    """

    after: int
    cohort: str
    reach: str

    def encode(self) -> str:
        """Return the place as an opaque text for addresses."""
        text = json.dumps(asdict(self), separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(text).decode().rstrip("=")


def decode(text: str) -> Place:
    """Return the place in a cursor or sync token.

    Raises
    ------
    ValidationError
        The text was not made here.
    """
    try:
        found = json.loads(base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
        after, cohort, reach = found["after"], found["cohort"], found["reach"]
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error) as error:
        raise _unknown() from error
    if not _is_number(after) or not isinstance(cohort, str) or not isinstance(reach, str):
        raise _unknown()
    return Place(after=after, cohort=cohort, reach=reach)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _HIGHEST


def reach_of(cohorts: Iterable[UUID]) -> str:
    """Return a digest of a set of cohorts."""
    joined = ",".join(sorted(str(cohort) for cohort in cohorts))
    return hashlib.sha256(joined.encode()).hexdigest()[:_REACH_DIGITS]


def last_change() -> int:
    """Return the number of the latest change: what is read after it lacks none up to it."""
    return GradeSequence.objects.values_list("last", flat=True).first() or 0


def caught_up(after: int, last: int) -> int:
    """Return where the next pull begins, when all up to ``after`` was handed over.

    Changes in other cohorts are passed over once they are many, so that a quiet cohort costs
    nothing among busy ones; until then the token stays, and an unchanged answer is a 304.
    """
    return last if last - after > _FAR else after


def refuse_stale(place: Place, *, cohort: str, reach: str, last: int) -> None:
    """Refuse a cursor that belongs to another filter, other cohorts or another database."""
    if cohort and cohort != place.cohort:
        raise ValidationError({"cursor": "belongs to a list with another cohort filter"})
    if reach != place.reach:
        raise StartAgain(
            "The cohorts within reach have changed since this cursor was made, and rows of a new"
            " one would be skipped. Start again without a cursor."
        )
    if place.after > last:
        raise StartAgain(
            "This cursor is ahead of the database, which was set back. Start again without one."
        )


def _unknown() -> ValidationError:
    return ValidationError({"cursor": "is no cursor or sync token of this list; leave it out"})
