"""Pulls of changes while people work: what commits late is not missed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.utils import timezone

from assessment.attempts.models import Case, Submission
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Enrolment
from assessment.grades.models import ResultChange, now_in_order
from assessment.grades.noticing import note_missed
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

    with slow_attempt(classroom.idle, classroom):
        if connection.vendor == "postgresql":  # elsewhere writers wait for each other anyway
            hand_in(classroom.opened, classroom)
            assert students_of(follower) == {str(classroom.opened.user_id)}

    assert students_of(follower) == {str(classroom.idle.user_id)}


def students_of(follower: Follower) -> set[str]:
    """Return whose results are news."""
    return {row["student"]["sourcedId"] for row in follower.news()["results"].values()}


def test_who_hands_in_stands_in_no_circle_with_a_change_of_many_places(
    classroom: Classroom,
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time, whatever it is")
    begun, handed_in = Event(), Event()
    version = classroom.exercise.current
    assert version is not None

    def change_places() -> None:
        with transaction.atomic():
            classroom.opened.save()
            begun.set()
            assert handed_in.wait(10), "the learner waits, and holds what is wanted next"
            classroom.idle.save()
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        changing = pool.submit(change_places)
        assert begun.wait(10)
        with transaction.atomic():
            submit(
                enrolment=classroom.idle,
                version=version,
                answers={"sum": {"result": "11.107"}},
            )
            handed_in.set()
        changing.result()

    assert Submission.objects.filter(enrolment=classroom.idle).exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no locks of rows to miss")
def test_a_time_is_taken_only_inside_the_transaction_that_writes_it_down() -> None:
    with pytest.raises(TransactionManagementError):
        now_in_order()
    with transaction.atomic():
        assert now_in_order() < now_in_order()


def test_what_a_process_that_died_did_not_note_is_noted_later(
    lms: Lms, classroom: Classroom
) -> None:
    follower = Follower(lms, "results")
    submission = make_submission(classroom.idle, classroom.exercise)
    long_ago = timezone.now() - timedelta(hours=2)
    Submission.objects.filter(pk=submission.pk).update(submitted_at=long_ago)
    Case.objects.filter(pk=submission.case_id).update(created_at=long_ago)
    ResultChange.objects.all().delete()
    assert students_of(follower) == set()

    assert note_missed() == 1

    assert students_of(follower) == {str(classroom.idle.user_id)}
    assert note_missed() == 0


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
