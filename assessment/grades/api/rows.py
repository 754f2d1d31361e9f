"""Grades as rows for other systems: plain dictionaries, made without a serializer's cost."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from assessment.grades.models import LtiUser
from assessment.review.models import Grade
from assessment.web.numbers import plain

_COLUMNS: Final = (
    "id",
    "status",
    "enrolment__user_id",
    "enrolment__user__username",
    "enrolment__user__sis_id",
    "cohort__slug",
    "exercise__session__slug",
    "exercise__slug",
    "exercise__title",
    "submission__number",
    "points",
    "maximum",
    "level",
    "released_at",
    "updated_at",
    "sequence",
)

_USER: Final = _COLUMNS.index("enrolment__user_id")


def read_rows(*, cohorts: Sequence[UUID], after: int, limit: int) -> list[tuple[Any, ...]]:
    """Return up to ``limit`` rows past a number of the sequence, in order, in one query."""
    found = Grade.objects.filter(cohort__in=cohorts, sequence__gt=after).order_by("sequence")
    return list(found.values_list(*_COLUMNS)[:limit])


def sequence_of(row: tuple[Any, ...]) -> int:
    """Return the row's place in the order of changes."""
    number: int = row[-1]
    return number


def as_json(rows: Sequence[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Write rows as the contract says; a withdrawn grade keeps no points and no level.

    One more query, for the names by which platforms know the learners.
    """
    names = _lti_user_ids({row[_USER] for row in rows})
    for (
        pk, status, user, username, sis_id, cohort, session, slug, title,
        attempt, points, maximum, level, released_at, updated_at, _sequence,
    ) in rows:  # fmt: skip
        released = status == Grade.Status.RELEASED
        row = {
            "id": str(pk),
            "status": status,
            "learner": {
                "id": str(user),
                "username": username,
                "sis_id": sis_id,
                "lti_user_ids": names.get(user, []),
            },
            "cohort": cohort,
            "session": session,
            "exercise": {"slug": slug, "title": title},
            "attempt": attempt,
            "points": plain(points),
            "maximum": plain(maximum),
            "level": level if released else None,
            "released_at": instant(released_at),
            "updated_at": instant(updated_at),
        }
        if not released:
            del row["points"]
        yield row


def _lti_user_ids(users: Collection[UUID]) -> dict[UUID, list[str]]:
    found: dict[UUID, list[str]] = {}
    people = LtiUser.objects.filter(user__in=users).order_by("platform", "subject")
    for user, subject in people.values_list("user", "subject"):
        found.setdefault(user, []).append(subject)
    return found


def instant(moment: datetime) -> str:
    """Write a time as UTC in ISO 8601."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
