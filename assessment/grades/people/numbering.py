"""Gives people the school's own number, takes it away, and tells who had which."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from assessment.cohorts.identifying import one_at_a_time
from assessment.cohorts.models import Cohort, Enrolment, User

LONGEST = 255
_SHOWN = 50


class NumberTakenError(Exception):
    """Someone else has the number."""

    def __init__(self, holder: User) -> None:
        super().__init__(holder)
        self.holder = holder


class MovedMeanwhileError(Exception):
    """The person has another number by now than the one that was seen."""


@dataclass(frozen=True)
class Change:
    """One change of a number."""

    at: datetime
    by: User
    before: str
    after: str


def numbered_in(cohort: Cohort) -> QuerySet[User]:
    """Return the learners of a cohort whose numbers its instructors may set.

    A platform that is trusted to name people lets whoever bears a number in as that person: so
    only the numbers of those who teach nowhere and administer nothing are in an instructor's hands.
    """
    staff = Enrolment.objects.active().staff().values("user")
    learners = Enrolment.objects.active().learners().filter(cohort=cohort).values("user")
    found = User.objects.filter(pk__in=learners, is_staff=False, is_superuser=False)
    return found.exclude(pk__in=staff)


@transaction.atomic
def correct(user: User, number: str, by: User, *, seen: str) -> bool:
    """Set the number of a person, empty for none; return whether it was another before.

    Raises
    ------
    MovedMeanwhileError
        Their number is no longer ``seen``.
    NumberTakenError
        Someone has it, be it in other letters' case: it is never taken from them.
    """
    one_at_a_time()
    locked = User.objects.select_for_update().get(pk=user.pk)
    if (locked.sis_id or "") != seen:
        raise MovedMeanwhileError
    if seen == number:
        return False
    others = User.objects.exclude(pk=user.pk).filter(sis_id__iexact=number)
    if number and (holder := others.first()):
        raise NumberTakenError(holder)
    try:
        with transaction.atomic():
            give_number(locked, number, by)
    except IntegrityError as error:
        raise NumberTakenError(others.get(sis_id=number)) from error
    return True


def give_number(user: User, number: str, by: User | None) -> None:
    """Write the number and keep who did; the caller has made sure that nobody else has it."""
    before, user.sis_id = user.sis_id or "", number or None
    user.save(update_fields=["sis_id"])
    if by is not None:
        LogEntry.objects.create(
            user=by,
            content_type=ContentType.objects.get_for_model(User),
            object_id=str(user.pk),
            object_repr=str(user)[:200],
            action_flag=CHANGE,
            change_message=json.dumps({"sis_id": [before, number]}),
        )


def changes_of(user: User) -> list[Change]:
    """Return the latest changes of someone's number that people made here, newest first."""
    kind = ContentType.objects.get_for_model(User)
    entries = LogEntry.objects.filter(
        content_type=kind, object_id=str(user.pk), change_message__startswith='{"sis_id"'
    )
    found = []
    for entry in entries.select_related("user").order_by("-action_time", "-pk")[:_SHOWN]:
        before, after = json.loads(entry.change_message)["sis_id"]
        by: Any = entry.user
        found.append(Change(entry.action_time, by, before, after))
    return found
