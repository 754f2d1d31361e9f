"""Releasing: only complete work, only by instructors, all or nothing."""

import pytest

from assessment.attempts.models import Submission
from assessment.review.errors import Incomplete, InstructorsOnly, NotReleased, Superseded
from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw
from tests.assessment.review.conftest import Desk
from tests.factories import enrol, make_cohort, make_review, make_submission


def test_a_batch_is_released_whole_or_not_at_all(desk: Desk) -> None:
    complete, partial, bare = desk.submission, desk.another(), desk.another()
    make_review(complete, desk.instructor)
    make_review(partial, desk.instructor, "1", dominant_break="")

    with pytest.raises(Incomplete) as refusal:
        release([complete, partial, bare], desk.instructor)

    assert refusal.value.missing == {
        partial.pk: ["Prediction before variation", "Limitation", "break"],
        bare.pk: ["review"],
    }
    assert not Grade.objects.exists()
    complete.refresh_from_db()
    assert complete.state == Submission.State.REVIEWED


@pytest.mark.parametrize("tag", ["none", "cannot_tell"])
def test_no_break_and_cannot_tell_are_decisions(desk: Desk, tag: str) -> None:
    make_review(desk.submission, desk.instructor, dominant_break=tag)

    assert len(release([desk.submission], desk.instructor)) == 1


def test_nobody_releases_for_another_cohort(desk: Desk) -> None:
    make_review(desk.submission, desk.instructor)
    foreign_cohort = make_cohort(desk.exercise.session)
    theirs = enrol(foreign_cohort, role="instructor").user
    foreign = make_submission(enrol(foreign_cohort), desk.exercise)
    make_review(foreign, theirs)

    for submissions in ([desk.submission], [desk.submission, foreign]):
        for user in (desk.assistant, theirs, desk.learner.user):
            with pytest.raises(InstructorsOnly):
                release(submissions, user)
    assert not Grade.objects.exists()


def test_of_two_attempts_in_one_batch_the_later_is_released(desk: Desk) -> None:
    later = make_submission(desk.learner, desk.exercise)
    for submission in (desk.submission, later):
        make_review(submission, desk.instructor)

    (grade,) = release([later, desk.submission], desk.instructor)

    assert grade.submission == later
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.REVIEWED


def test_an_earlier_attempt_never_replaces_a_released_later_one(desk: Desk) -> None:
    later = make_submission(desk.learner, desk.exercise)
    for submission in (desk.submission, later):
        make_review(submission, desk.instructor)
    release([later], desk.instructor)

    with pytest.raises(Superseded):
        release([desk.submission], desk.instructor)

    withdraw(Grade.objects.get(), desk.instructor)
    (grade,) = release([desk.submission], desk.instructor)
    assert grade.submission == desk.submission


def test_releasing_again_changes_nothing(desk: Desk) -> None:
    make_review(desk.submission, desk.instructor)
    (grade,) = release([desk.submission], desk.instructor)

    assert release([desk.submission], desk.instructor) == []

    assert Grade.objects.get().sequence == grade.sequence


def test_a_grade_is_withdrawn_once(desk: Desk) -> None:
    make_review(desk.submission, desk.instructor)
    (grade,) = release([desk.submission], desk.instructor)
    with pytest.raises(InstructorsOnly):
        withdraw(grade, desk.assistant)

    withdraw(grade, desk.instructor)

    with pytest.raises(NotReleased):
        withdraw(grade, desk.instructor)
    assert Grade.objects.get().points == grade.points, "what was released stays on record"


def test_what_could_not_be_checked_is_scored_by_a_person(desk: Desk) -> None:
    submission = desk.another(state=Submission.State.UNCHECKABLE)
    make_review(submission, desk.instructor, "1", "1", "1")

    (grade,) = release([submission], desk.instructor)

    assert grade.points == 3
