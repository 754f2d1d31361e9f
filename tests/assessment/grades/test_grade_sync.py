"""A client that follows the list misses nothing, whatever commits when."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from django.db import close_old_connections, connection, transaction
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from assessment.grades.api.cursors import decode
from assessment.review.models import Grade, GradeSequence
from assessment.review.releasing import release, withdraw
from tests.assessment.grades.conftest import Course, lms_headers
from tests.factories import enrol, make_review, make_submission

URL = "/api/v1/grades/"


class Follower:
    """An LMS that keeps what it was told, by learner and exercise."""

    def __init__(self, headers: dict[str, str], limit: int = 3) -> None:
        self.headers = headers
        self.limit = limit
        self.sync = ""
        self.rows: list[dict[str, object]] = []

    def pull(self) -> list[dict[str, object]]:
        """Follow the cursor to the last page; returns the rows of this pull."""
        cursor, pulled = self.sync, []
        while True:
            query = {"limit": self.limit} | ({"cursor": cursor} if cursor else {})
            page = Browser().get(URL, query, headers=self.headers).json()
            pulled += page["results"]
            if page["sync"]:
                self.sync = page["sync"]
                self.rows += pulled
                return pulled
            cursor = page["cursor"]

    def learners(self) -> list[str]:
        """Return the learners of all rows, in the order in which they came."""
        return [row["learner"]["username"] for row in self.rows]  # type: ignore[index]


@pytest.fixture
def lms(course: Course) -> Follower:
    """Return the course's LMS."""
    return Follower(lms_headers(course.lms))


def test_rows_of_one_instant_come_once_each(course: Course, lms: Follower) -> None:
    learners = [enrol(course.cohort) for _ in range(10)]
    submissions = [make_submission(learner, course.exercise) for learner in learners]
    for submission in submissions:
        make_review(submission, course.instructor)
    release(submissions, course.instructor)
    assert len({grade.updated_at for grade in Grade.objects.all()}) == 1

    lms.pull()

    assert sorted(lms.learners()) == sorted(learner.user.username for learner in learners)


def test_a_row_that_changes_during_the_walk_comes_again_and_none_is_dropped(
    course: Course, lms: Follower
) -> None:
    grades = [course.release(learner=enrol(course.cohort)) for _ in range(7)]
    first = Browser().get(URL, {"limit": 3}, headers=lms.headers).json()
    withdraw(grades[0], course.instructor)
    withdraw(grades[5], course.instructor)
    lms.sync = first["cursor"]

    rest = lms.pull()

    ids = [row["id"] for row in rest]
    assert ids == [str(grades[n].pk) for n in (3, 4, 6, 0, 5)]
    assert [row["status"] for row in rest] == ["released"] * 3 + ["withdrawn"] * 2


def test_starting_again_from_the_sync_token_repeats_nothing_unchanged(
    course: Course, lms: Follower
) -> None:
    course.release(learner=enrol(course.cohort))
    assert len(lms.pull()) == 1
    assert lms.pull() == []
    later = course.release(learner=enrol(course.cohort))

    assert [row["id"] for row in lms.pull()] == [str(later.pk)]


def test_a_quiet_cohort_does_not_read_through_all_that_changed_elsewhere(
    course: Course, lms: Follower
) -> None:
    course.release(learner=enrol(course.cohort))
    lms.pull()
    before = lms.sync
    GradeSequence.take(100)
    assert lms.pull() == []
    assert lms.sync == before, "few changes elsewhere leave the answer as it was"
    GradeSequence.take(5000)

    assert lms.pull() == []
    assert decode(lms.sync).after == GradeSequence.objects.get().last
    later = course.release(learner=enrol(course.cohort))
    assert [row["id"] for row in lms.pull()] == [str(later.pk)]


def test_a_release_taken_back_and_released_again_tells_each_change(
    course: Course, lms: Follower
) -> None:
    grade = course.release("4.5", "0", "0")
    lms.pull()
    withdraw(grade, course.instructor)
    lms.pull()
    make_review(grade.submission, course.instructor, "5", "2.5", "2.5")
    release([grade.submission], course.instructor)
    lms.pull()

    assert [(row["status"], row.get("points")) for row in lms.rows] == [
        ("released", "4.5"),
        ("withdrawn", None),
        ("released", "10"),
    ]
    assert len({row["id"] for row in lms.rows}) == 1


def test_a_later_attempt_takes_the_place_of_the_earlier_without_a_gap(
    course: Course, lms: Follower
) -> None:
    course.release("2", "0", "0")
    lms.pull()
    course.release("5", "0", "0")
    lms.pull()

    assert [(row["status"], row["attempt"], row["points"]) for row in lms.rows] == [
        ("released", 1, "2"),
        ("released", 2, "5"),
    ]


def test_a_page_asks_as_often_for_many_rows_as_for_few(course: Course, lms: Follower) -> None:
    course.release(learner=enrol(course.cohort))
    lms.limit = 1000
    lms.pull()  # notes the token's first use
    lms.sync = ""
    with CaptureQueriesContext(connection) as few:
        lms.pull()
    for _ in range(6):
        course.release(learner=enrol(course.cohort))

    lms.sync = ""
    with CaptureQueriesContext(connection) as many:
        assert len(lms.pull()) == 7

    assert len(many) == len(few)


# What follows needs rows that other connections see.


@contextmanager
def slow_release(course: Course) -> Iterator[Grade]:
    """Release in another connection, which commits only when the block ends."""
    submission = make_submission(enrol(course.cohort), course.exercise)
    make_review(submission, course.instructor)
    done, go_on, grades = Event(), Event(), []

    def run() -> None:
        with transaction.atomic():
            grades.extend(release([submission], course.instructor))
            done.set()
            go_on.wait(60)
        connection.close()

    thread = Thread(target=run)
    thread.start()
    assert done.wait(60)
    try:
        yield grades[0]
    finally:
        go_on.set()
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_a_release_that_commits_late_is_not_skipped(course: Course, lms: Follower) -> None:
    following = make_submission(enrol(course.cohort), course.exercise)
    make_review(following, course.instructor)
    lms.pull()  # notes the token's first use, which SQLite could not write during a release
    released = Event()

    def release_next() -> None:
        release([following], course.instructor)
        released.set()
        connection.close()

    with slow_release(course) as slow:
        thread = Thread(target=release_next)
        thread.start()
        assert not released.wait(0.5), "a later change waits for the earlier one to commit"
        assert lms.pull() == []
    thread.join()

    assert [row["id"] for row in lms.pull()] == [
        str(slow.pk),
        str(Grade.objects.get(submission=following).pk),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_release_that_is_rolled_back_leaves_no_gap_that_matters(
    course: Course, lms: Follower
) -> None:
    submission = make_submission(course.learner, course.exercise)
    make_review(submission, course.instructor)
    with transaction.atomic():
        release([submission], course.instructor)
        transaction.set_rollback(True)

    assert lms.pull() == []
    submission.refresh_from_db()
    release([submission], course.instructor)
    assert len(lms.pull()) == 1


@pytest.mark.django_db(transaction=True)
def test_a_pull_during_many_releases_misses_none(course: Course, lms: Follower) -> None:
    submissions = [make_submission(enrol(course.cohort), course.exercise) for _ in range(100)]
    for submission in submissions:
        make_review(submission, course.instructor)
    lms.limit = 20

    def release_some(start: int) -> None:
        for submission in submissions[start::4]:
            release([submission], course.instructor)
            close_old_connections()
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(release_some, start) for start in range(4)]
        while not all(writer.done() for writer in writers):
            lms.pull()
        for writer in writers:
            writer.result()
    lms.pull()

    expected = {str(pk) for pk in Grade.objects.values_list("pk", flat=True)}
    seen = [row["id"] for row in lms.rows]
    assert len(expected) == len(submissions)
    assert set(seen) == expected
    assert len(seen) == len(expected), "nothing changed, so nothing came twice"


@pytest.mark.django_db(transaction=True)
def test_two_releases_at_once_take_different_numbers(course: Course) -> None:
    def take(_number: int) -> int:
        with transaction.atomic():
            first, _moment = GradeSequence.take(2)
        connection.close()
        return first

    with ThreadPoolExecutor(6) as pool:
        firsts = list(pool.map(take, range(12)))

    assert sorted(firsts) == list(range(1, 25, 2)), course


@pytest.mark.django_db(transaction=True)
def test_releasing_one_submission_twice_at_once_changes_one_grade_once(course: Course) -> None:
    submission = make_submission(course.learner, course.exercise)
    make_review(submission, course.instructor)

    def run(_number: int) -> int:
        found = release([submission], course.instructor)
        connection.close()
        return len(found)

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(run, range(4))) == [0, 0, 0, 1]
    assert Grade.objects.get().sequence == 1
