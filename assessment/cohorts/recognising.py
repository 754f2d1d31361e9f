"""Says of each row of a list who it is: someone new, known, already here, or not to be told.

An account is recognised by its username or SIS id, exactly; never by a name, and an e-mail address
only ever refuses. Nothing about an account that exists is changed by a list. Accounts that whoever
hands the list in does not reach are looked at as if they were not there (see ``offering``).
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

from assessment.cohorts.listing import Person, UnusableError, person_from
from assessment.cohorts.models import Enrolment, PeopleList, User
from assessment.cohorts.offering import reachable_by

# Names in one question to the database.
_AT_ONCE: Final = 500


class Standing(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    KNOWN = "known"
    HERE = "here"
    CONFLICT = "conflict"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class Line:
    """One row: who it is, and what to know about it."""

    number: int
    standing: Standing
    person: Person | None = None
    user_id: UUID | None = None
    remark: str = ""
    # What stands in the row, for one that is nobody.
    written: str = ""
    # Of somebody new: whose account it is, out of reach. That person is asked once the list is
    # stored; nothing that is shown before tells them from people without an account.
    stranger_id: UUID | None = None

    @property
    def known_person(self) -> Person:
        """The person, of a line that could be read."""
        if self.person is None:
            raise ValueError(self.remark)
        return self.person


@dataclass
class Plan:
    """What a list would do, line by line."""

    lines: list[Line] = field(default_factory=list)

    def of(self, *standings: Standing) -> list[Line]:
        """Return the lines of these standings."""
        return [line for line in self.lines if line.standing in standings]

    @property
    def added(self) -> list[Line]:
        """The lines that give someone a place."""
        return self.of(Standing.NEW, Standing.KNOWN)

    @property
    def made(self) -> list[Line]:
        """The lines that get an account."""
        return [line for line in self.of(Standing.NEW) if line.stranger_id is None]

    @property
    def asked(self) -> list[tuple[Line, UUID]]:
        """The lines of people who have an account out of reach, and that account."""
        new = self.of(Standing.NEW)
        return [(each, each.stranger_id) for each in new if each.stranger_id is not None]

    @property
    def left_out(self) -> list[Line]:
        """The lines that give nobody anything until they are corrected."""
        return self.of(Standing.CONFLICT, Standing.UNUSABLE)

    @property
    def instructors(self) -> list[Line]:
        """The lines that would make someone an instructor."""
        return [line for line in self.added if line.known_person.role == Enrolment.Role.INSTRUCTOR]

    def digest(self) -> str:
        """Return a text that differs where anything about the plan does."""
        told = [[str(part) for part in (line.number, *_told(line))] for line in self.lines]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def plan(handed_in: PeopleList) -> Plan:
    """Return what a list would do (a few queries for every five hundred rows)."""
    found = Plan()
    people: dict[int, Person] = {}
    refused: dict[int, str] = {}
    for number, cells in handed_in.rows:
        try:
            people[number] = person_from(cells)
        except UnusableError as error:
            refused[number] = str(error)
    accounts = _Accounts(handed_in, people.values())
    for number, cells in handed_in.rows:
        if number in refused:
            written = " · ".join(filter(None, cells.values()))[:200]
            line = Line(number, Standing.UNUSABLE, remark=refused[number], written=written)
        else:
            line = accounts.recognise(number, people[number])
        found.lines.append(line)
    return found


class _Accounts:
    """The accounts that a list could mean, and what it has named so far."""

    def __init__(self, handed_in: PeopleList, people: Iterable[Person]) -> None:
        self._by_name: dict[str, User] = {}
        self._by_folded: dict[str, User] = {}
        self._by_sis_id: dict[str, User] = {}
        self._folded_sis_ids: set[str] = set()
        self._by_email: dict[str, User] = {}
        self._strangers: dict[tuple[str, str], UUID] = {}
        self._reach = reachable_by(handed_in.handed_in_by)
        self._seen: dict[str, int] = {}
        people = list(people)
        for begin in range(0, len(people), _AT_ONCE):
            self._load(people[begin : begin + _AT_ONCE])
        places = Enrolment.objects.filter(cohort=handed_in.cohort_id).only(
            "user_id", "role", "left_at"
        )
        self._places = {place.user_id: place for place in places}

    def _load(self, people: Sequence[Person]) -> None:
        names = {person.username for person in people}
        sis_ids = {person.sis_id for person in people if person.sis_id}
        emails = {person.email.lower() for person in people if person.email}
        found = User.objects.alias(
            folded=Lower("username"), folded_sis_id=Lower("sis_id"), address=Lower("email")
        ).filter(
            Q(username__in=names)
            | Q(folded__in={name.lower() for name in names})
            | Q(sis_id__in=sis_ids)
            | Q(folded_sis_id__in={sis_id.lower() for sis_id in sis_ids})
            | Q(address__in=emails)
        )
        reached = Exists(self._reach.filter(pk=OuterRef("pk")))
        for user in found.annotate(is_reached=reached):
            if not user.is_reached:
                self._strangers |= {
                    ("username", user.username.lower()): user.pk,
                    ("sis_id", (user.sis_id or "").lower()): user.pk,
                    ("email", user.email.lower()): user.pk,
                }
                continue
            self._by_name[user.username] = user
            self._by_folded[user.username.lower()] = user
            self._by_email[user.email.lower()] = user
            if user.sis_id:
                self._by_sis_id[user.sis_id] = user
                self._folded_sis_ids.add(user.sis_id.lower())

    def recognise(self, number: int, person: Person) -> Line:
        """Return the line of a person, or what speaks against it."""
        keys = [f"username {person.username.lower()}"]
        keys += [f"sis_id {person.sis_id.lower()}"] if person.sis_id else []
        if above := self._seen_above(number, *keys):
            text = gettext("The same username or SIS id stands in line %(line)s already.")
            return Line(number, Standing.UNUSABLE, person, remark=text % {"line": above})
        named = self._by_name.get(person.username)
        numbered = self._by_sis_id.get(person.sis_id) if person.sis_id else None
        account = numbered if named is None and not person.wrote_username else named
        if problem := self._conflict(person, account, numbered):
            return Line(number, Standing.CONFLICT, person, remark=problem)
        if account is None:
            return Line(number, Standing.NEW, person, stranger_id=self._stranger(person))
        if above := self._seen_above(number, f"account {account.pk}"):
            text = gettext("The same person stands in line %(line)s already.")
            return Line(number, Standing.UNUSABLE, person, remark=text % {"line": above})
        place = self._places.get(account.pk)
        if place is None:
            return Line(number, Standing.KNOWN, person, account.pk)
        return Line(number, Standing.HERE, person, account.pk, _difference(place, person))

    def _stranger(self, person: Person) -> UUID | None:
        """Return the account out of reach that a row means, if any does."""
        keys = [("username", person.username.lower()), ("sis_id", person.sis_id.lower())]
        keys += [] if person.wrote_username else [("email", person.email.lower())]
        return next(
            (self._strangers[key] for key in keys if key[1] and key in self._strangers), None
        )

    def _seen_above(self, number: int, *keys: str) -> int | None:
        above = next((self._seen[key] for key in keys if key in self._seen), None)
        for key in keys:
            self._seen.setdefault(key, number)
        return above

    def _conflict(self, person: Person, account: User | None, numbered: User | None) -> str:
        """Return why the row means two people, or nobody for certain."""
        if numbered is not None and account != numbered:
            return gettext("Another account has the SIS id %(sis_id)s.") % {"sis_id": person.sis_id}
        if numbered is None and person.sis_id.lower() in self._folded_sis_ids:
            return gettext("An account has this SIS id in other upper and lower case.")
        if account is None and person.username.lower() in self._by_folded:
            return gettext("An account has this username in other upper and lower case.")
        is_addressed = account is None and not person.wrote_username and person.email
        if is_addressed and person.email.lower() in self._by_email:
            # A second account for the same mailbox is one too many.
            return gettext("Another account has this e-mail address: write its username.")
        if account is not None and not account.is_active:
            return gettext("The account is closed; an administrator can open it.")
        if account is not None and person.sis_id and account.sis_id not in {None, person.sis_id}:
            return gettext("The account %(username)s has another SIS id.") % {
                "username": account.username
            }
        return ""


def _difference(place: Enrolment, person: Person) -> str:
    if place.left_at is not None:
        return gettext("Left the cohort; can be taken back on the person's page.")
    if place.role != person.role:
        text = gettext("Stays %(role)s.")
        return text % {"role": place.get_role_display()}
    return ""


def _told(line: Line) -> Iterable[object]:
    person = line.person
    yield line.standing
    yield line.user_id
    yield line.remark
    if person is not None:
        yield from (person.username, person.sis_id, person.full_name, person.email)
        yield from (person.role, person.track)
