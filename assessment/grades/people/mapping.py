"""Writes the school's own numbers on people, from a file; what is not certain is reported."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assessment.cohorts.identifying import one_at_a_time
from assessment.cohorts.models import User
from assessment.grades.people.numbering import LONGEST, give_number
from assessment.web.csv_files.reading import FileRefusedError, Row, Table

# OneRoster's users.csv calls the number sourcedId; ours and most LMSs call it sis_id.
NUMBERS = ("sis_id", "sourcedid")
NAMES = ("username",)


class Outcome(StrEnum):
    """What became of one line."""

    MAPPED = "mapped"
    ALREADY = "already mapped"
    UNKNOWN = "unknown person"
    CONFLICT = "conflict"

    @property
    def label(self) -> str:
        """What it is called on pages."""
        return str(_LABELS[self])


_LABELS = {
    Outcome.MAPPED: _("written"),
    Outcome.ALREADY: _("was there already"),
    Outcome.UNKNOWN: _("unknown person"),
    Outcome.CONFLICT: _("conflict"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file and what became of it."""

    line: int
    outcome: Outcome
    username: str
    number: str
    note: str = ""


def map_people(
    table: Table,
    *,
    column: str = "",
    dry_run: bool = False,
    within: QuerySet[User] | None = None,
    by: User | None = None,
) -> list[Line]:
    """Write the numbers of a file on the people whom its usernames name.

    ``column`` is the column of the number where it is neither ``sis_id`` nor ``sourcedId``. A
    number is never taken from someone, and never given to two. ``within`` narrows to some people:
    others are unknown, and nobody learns who they are. ``by`` is kept with each number.

    Raises
    ------
    FileRefusedError
        The file has no column of numbers, or none of usernames; or an LMS or a list of people gave
        one of the numbers while they were written, and nothing is stored.
    """
    number_column = column.casefold() or next(filter(table.columns.__contains__, NUMBERS), "")
    name_column = next(filter(table.columns.__contains__, NAMES), "")
    if number_column not in table.columns or not name_column:
        raise FileRefusedError(
            gettext("The first line names no username, or no number (sis_id or sourcedId).")
        )
    people = User.objects.all() if within is None else within
    try:
        with transaction.atomic():
            one_at_a_time()
            lines = list(_mapped(table, name_column, number_column, people, by))
            if dry_run:
                transaction.set_rollback(True)
    except IntegrityError as error:
        raise FileRefusedError(
            gettext("Someone was given one of these numbers meanwhile. Hand the file in again.")
        ) from error
    return lines


def _mapped(
    table: Table, name_column: str, number_column: str, people: QuerySet[User], by: User | None
) -> Iterator[Line]:
    wanted = {row.key(name_column) for row in table.rows}
    users = {
        user.username: user
        for user in people.filter(username__in=wanted).order_by("pk").select_for_update()
    }
    known = set(people.values_list("pk", flat=True))
    holders = {
        user.sis_id.casefold(): user
        for user in User.objects.exclude(sis_id=None).only("username", "sis_id")
        if user.sis_id
    }
    for row in table.rows:
        username, number = row.key(name_column), row.key(number_column)
        user, holder = users.get(username), holders.get(number.casefold())
        outcome, note = _outcome(row, number, user, holder, known)
        if outcome is Outcome.MAPPED and user:
            give_number(user, number, by)
            holders[number.casefold()] = user
        yield Line(row.line, outcome, username, number, note)


def _outcome(
    row: Row, number: str, user: User | None, holder: User | None, known: set[UUID]
) -> tuple[Outcome, str]:
    if user is None:
        return Outcome.UNKNOWN, gettext("Nobody here is called that.")
    if not 0 < len(number) <= LONGEST:
        return Outcome.CONFLICT, gettext("Line %(line)s has no number.") % {"line": row.line}
    if user.sis_id == number:
        return Outcome.ALREADY, ""
    if user.sis_id:
        return Outcome.CONFLICT, gettext("Has the number %(own)s already.") % {"own": user.sis_id}
    if holder is None:
        return Outcome.MAPPED, ""
    if holder.pk not in known:
        return Outcome.CONFLICT, gettext("Someone else has this number.")
    return Outcome.CONFLICT, gettext("%(who)s has this number.") % {"who": holder.username}
