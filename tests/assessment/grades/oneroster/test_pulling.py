"""Pulls of changes while people work: what commits late is not missed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from django.db import connection, transaction

from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from tests.assessment.grades.oneroster.conftest import Classroom, Lms
from tests.assessment.grades.oneroster.test_tombstones import Follower
from tests.factories import enrol, make_submission

pytestmark = pytest.mark.django_db(transaction=True)


def hand_in(place: Enrolment, room: Classroom) -> None:
    """Store an attempt in one transaction, as the service does."""
    with transaction.atomic():
        make_submission(place, room.exercise, state=Submission.State.SUBMITTED)


@contextmanager
def slow_attempt(place: Enrolment, room: Classroom) -> Iterator[None]:
    """Store an attempt that commits only at the end of the block."""
    stored, may_commit = Event(), Event()

    def run() -> None:
        with transaction.atomic():
            hand_in(place, room)
            stored.set()
            may_commit.wait(10)
        connection.close()

    thread = Thread(target=run)
    thread.start()
    assert stored.wait(10)
    try:
        yield
    finally:
        may_commit.set()
        thread.join()


def test_an_attempt_that_commits_late_is_not_missed(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, "results")
    committed = Event()

    def overtake() -> None:
        hand_in(classroom.opened, classroom)
        committed.set()
        connection.close()

    with slow_attempt(classroom.idle, classroom):
        thread = Thread(target=overtake)
        thread.start()
        assert not committed.wait(0.3), "a later change waits for the earlier one to commit"
        assert follower.news() == {"results": {}}
    thread.join()

    students = {row["student"]["sourcedId"] for row in follower.news()["results"].values()}
    assert students == {str(classroom.idle.user_id), str(classroom.opened.user_id)}


def test_pulls_during_many_attempts_miss_none(lms: Lms, classroom: Classroom) -> None:
    places = [enrol(classroom.cohort) for _ in range(40)]
    follower = Follower(lms, "results")
    seen: set[str] = set()

    def hand_in_some(start: int) -> None:
        for place in places[start::4]:
            hand_in(place, classroom)
        connection.close()

    def pull() -> None:
        rows = follower.news()["results"].values()
        seen.update(
            row["student"]["sourcedId"] for row in rows if row["scoreStatus"] == "submitted"
        )

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(hand_in_some, start) for start in range(4)]
        while not all(writer.done() for writer in writers):
            pull()
        for writer in writers:
            writer.result()
    pull()

    assert seen == {str(place.user_id) for place in places}
