"""A client that goes on from the latest date it was shown holds, in the end, what stands here."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from assessment.cohorts.models import Enrolment
from assessment.grades.models import Assignment, School, now_in_order
from assessment.review.models import GradeSequence
from tests.assessment.grades.oneroster.conftest import ROSTER, Classroom, Lms
from tests.factories import enrol, make_exercise, make_submission
from tests.queue import Broker

Row = dict[str, Any]
Act = Callable[[], object]


class Copy:
    """What a client holds of a collection."""

    def __init__(self, lms: Lms, path: str) -> None:
        self._lms, self._path = lms, path
        self._mark = "1970-01-01T00:00:00Z"
        self.rows: dict[str, Row] = {}

    def pull(self, limit: int = 1000, between: Act | None = None) -> None:
        """Take over what changed, page by page; ``between`` happens after the first page."""
        mark = self._mark
        for offset in count(step=limit):
            page = self._lms.rows(
                self._path, filter=f"dateLastModified>'{mark}'", limit=limit, offset=offset
            )
            for row in page:
                self._mark = max(self._mark, row.pop("dateLastModified"))
                self.rows[row["sourcedId"]] = row
            if len(page) < limit:
                return
            if between and not offset:
                between()

    def is_true(self) -> bool:
        """Return whether it equals what stands here."""
        rows = self._lms.rows(self._path, filter="status!=''", limit=1000)
        return self.rows == {
            row["sourcedId"]: {name: row[name] for name in row if name != "dateLastModified"}
            for row in rows
        }


@contextmanager
def before_query(number: int, act: Act) -> Iterator[list[int]]:
    """Let something happen elsewhere before a query of the block; its list says that it came."""
    numbers, happened = count(), []

    def elsewhere() -> None:
        act()
        connection.close()

    def wait(execute: Callable[..., Any], *args: object) -> object:
        if next(numbers) == number and not connection.in_atomic_block:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(elsewhere).result()
            happened.append(number)
        return execute(*args)

    with connection.execute_wrapper(wait):
        yield happened


def _hand_in(place: Enrolment, room: Classroom) -> None:
    make_submission(place, room.exercise)


def _grade(place: Enrolment, room: Classroom) -> None:
    room.grade(place, "1", "1", "1")


def _rename(place: Enrolment, room: Classroom) -> None:
    del room
    place.user.first_name += "x"
    place.user.save(update_fields=["first_name"])


def _assist(place: Enrolment, room: Classroom) -> None:
    del room
    place.role = Enrolment.Role.ASSISTANT
    place.save(update_fields=["role"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("results", _hand_in),
        ("results", _grade),
        ("results", _assist),
        ("assessmentResults", _grade),
        (f"{ROSTER}users", _rename),
        (f"{ROSTER}enrollments", _assist),
    ],
)
def test_whatever_commits_between_two_queries_of_a_page_is_shown_then_or_later(
    lms: Lms, classroom: Classroom, path: str, change: Callable[[Enrolment, Classroom], None]
) -> None:
    copy = Copy(lms, path)

    for number in count():
        first, last = enrol(classroom.cohort), enrol(classroom.cohort)
        change(last, classroom)

        def change_both(first: Enrolment = first, last: Enrolment = last) -> None:
            change(first, classroom)
            change(last, classroom)

        with before_query(number, change_both) as happened:
            copy.pull()
        if not happened and number > 4:  # the first ones are about the token
            break
    copy.pull()

    assert copy.is_true()


@pytest.mark.queue
@pytest.mark.django_db(transaction=True)
def test_what_changes_between_two_pages_of_a_pull_is_shown_then_or_later(
    lms: Lms, classroom: Classroom, broker: Broker
) -> None:
    broker.wipe()
    copy = Copy(lms, "results")
    copy.pull()
    for place in (classroom.opened, classroom.waiting, classroom.zero):
        make_submission(place, classroom.exercise)

    def change_before_and_after() -> None:
        make_submission(classroom.idle, classroom.exercise)
        classroom.grade(classroom.zero, "1", "2", "0")

    copy.pull(limit=1, between=change_before_and_after)
    copy.pull()

    assert copy.is_true()


@pytest.mark.django_db
def test_a_deadline_that_passes_is_news_although_nobody_changed_anything(
    lms: Lms, classroom: Classroom
) -> None:
    exercise = make_exercise(classroom.exercise.session)
    due_at = timezone.now() - timedelta(minutes=5)
    Assignment.objects.create(cohort=classroom.cohort, exercise=exercise, due_at=due_at)
    before = due_at - timedelta(minutes=5)
    GradeSequence.objects.update(last_at=before)

    rows = lms.rows("results", filter=f"dateLastModified>='{due_at.isoformat()}'", limit=1000)

    missing = [row for row in rows if row["missing"] == "true"]
    assert len(missing) == 4
    assert GradeSequence.objects.get().last_at > due_at


@pytest.mark.django_db
def test_no_change_that_is_still_to_come_bears_a_date_before_the_latest_shown(
    lms: Lms, classroom: Classroom
) -> None:
    del classroom
    school = School.objects.create(name="Lyceum")
    latest = max(row["dateLastModified"] for row in lms.rows("results", limit=1000))

    later = now_in_order()

    assert school.updated_at < later
    assert datetime.fromisoformat(latest).astimezone(UTC) < later
