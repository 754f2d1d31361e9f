"""Writes the school's own numbers on people, from a file; what is not certain is reported."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext

from assessment.cohorts.models import User
from assessment.web.csv_files.reading import FileRefusedError, Row, Table

# OneRoster's users.csv calls the number sourcedId; ours and most LMSs call it sis_id.
NUMBERS = ("sis_id", "sourcedid")
NAMES = ("username",)
_LONGEST = 255


class Outcome(StrEnum):
    """What became of one line."""

    MAPPED = "mapped"
    ALREADY = "already mapped"
    UNKNOWN = "unknown person"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file and what became of it."""

    line: int
    outcome: Outcome
    username: str
    number: str
    note: str = ""


@transaction.atomic
def map_people(table: Table, *, column: str = "", dry_run: bool = False) -> list[Line]:
    """Write the numbers of a file on the people whom its usernames name.

    ``column`` is the column of the number where it is neither ``sis_id`` nor ``sourcedId``. A
    number is never taken from someone, and never given to two.

    Raises
    ------
    FileRefusedError
        The file has no column of numbers, or none of usernames.
    """
    number_column = column.casefold() or next(filter(table.columns.__contains__, NUMBERS), "")
    name_column = next(filter(table.columns.__contains__, NAMES), "")
    if number_column not in table.columns or not name_column:
        raise FileRefusedError(
            gettext("The first line names no username, or no number (sis_id or sourcedId).")
        )
    lines = list(_mapped(table, name_column, number_column))
    if dry_run:
        transaction.set_rollback(True)
    return lines


def _mapped(table: Table, name_column: str, number_column: str) -> Iterator[Line]:
    wanted = {row.key(name_column) for row in table.rows}
    numbers = {row.key(number_column) for row in table.rows}
    users = {user.username: user for user in User.objects.filter(username__in=wanted)}
    holders = {user.sis_id: user for user in User.objects.filter(sis_id__in=numbers)}
    for row in table.rows:
        username, number = row.key(name_column), row.key(number_column)
        outcome, note = _outcome(row, username, number, users, holders)
        if outcome is Outcome.MAPPED:
            user = users[username]
            user.sis_id = number
            user.save(update_fields=["sis_id"])
            holders[number] = user
        yield Line(row.line, outcome, username, number, note)


def _outcome(
    row: Row,
    username: str,
    number: str,
    users: dict[str, User],
    holders: dict[str | None, User],
) -> tuple[Outcome, str]:
    user, holder = users.get(username), holders.get(number)
    if user is None:
        return Outcome.UNKNOWN, gettext("Nobody here is called that.")
    if not 0 < len(number) <= _LONGEST:
        return Outcome.CONFLICT, gettext("Line %(line)s has no number.") % {"line": row.line}
    if user.sis_id == number:
        return Outcome.ALREADY, ""
    if user.sis_id:
        return Outcome.CONFLICT, gettext("Has the number %(own)s already.") % {"own": user.sis_id}
    if holder is not None:
        return Outcome.CONFLICT, gettext("%(who)s has this number.") % {"who": holder.username}
    return Outcome.MAPPED, ""
