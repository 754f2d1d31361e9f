"""Points from a file: looked at first, applied through the review, nothing overwritten."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser
from django.utils import timezone

from assessment.attempts.models import Submission
from assessment.cohorts.models import User
from assessment.grades.models import PointsFile
from assessment.grades.tasks import forget_files
from assessment.review.models import Review
from assessment.review.releasing import release
from tests.assessment.grades.conftest import Course
from tests.factories import (
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_submission,
    make_user,
)

TRACE, PREDICTION, LIMITATION = (
    "Traceable calculation",
    "Prediction before variation",
    "Limitation",
)


def hand_in(user: User, course: Course, text: str) -> tuple[Browser, Any]:
    """Hand a file in; return the browser and what it shows."""
    browser = Browser()
    browser.force_login(user)
    file = SimpleUploadedFile("points.csv", text.encode(), content_type="text/csv")
    return browser, browser.post(f"/files/{course.cohort.slug}/", {"file": file}, follow=True)


def confirm(browser: Browser, page: Any) -> Any:  # noqa: ANN401 (the test client's response)
    """Say yes to what is shown."""
    form = {"seen": page.context["plan"].digest}
    return browser.post(page.redirect_chain[-1][0], form, follow=True)


def points_of(submission: Submission) -> dict[str, Decimal]:
    """Return the points that hold."""
    review = Review.objects.present().get(submission=submission)
    return {score.title: score.points for score in review.scores.all()}


@pytest.fixture
def submission(course: Course) -> Submission:
    """Return a checked attempt."""
    return make_submission(course.learner, course.exercise)


def test_a_sheet_that_was_filled_in_comes_back(course: Course, submission: Submission) -> None:
    browser = Browser()
    browser.force_login(course.instructor)
    sheet = browser.get(f"/files/{course.cohort.slug}/points.csv").getvalue().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(sheet, newline="")))
    for row, points in zip(rows, ("5", "2,5", "0"), strict=True):
        row["points"] = points
    filled = io.StringIO(newline="")
    writer = csv.DictWriter(filled, rows[0], delimiter=";")
    writer.writeheader()
    writer.writerows(rows)

    browser, page = hand_in(course.instructor, course, filled.getvalue())
    assert not Review.objects.exists()
    assert len(page.context["plan"].changes) == 1
    confirm(browser, page)

    assert points_of(submission) == {
        TRACE: Decimal(5),
        PREDICTION: Decimal("2.5"),
        LIMITATION: Decimal(0),
    }
    again = hand_in(course.instructor, course, sheet.replace(",0\r\n", ",1\r\n"))[1]
    assert {problem.line for problem in again.context["plan"].problems} == set()


def test_what_a_person_decided_besides_stays(course: Course, submission: Submission) -> None:
    make_review(submission, course.assistant, "1", "1", "1", dominant_break="shapes", note="kept")
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"

    browser, page = hand_in(course.instructor, course, text)
    (change,) = page.context["plan"].changes
    assert change.differences == [(TRACE, Decimal(1), Decimal(4))]
    confirm(browser, page)

    review = Review.objects.present().get(submission=submission)
    assert (review.number, review.dominant_break, review.note) == (2, "shapes", "kept")
    assert review.reviewer == course.instructor
    assert points_of(submission) == {
        TRACE: Decimal(4),
        PREDICTION: Decimal(1),
        LIMITATION: Decimal(1),
    }


def test_a_break_in_one_line_of_an_attempt_tags_it_and_is_taken_back(
    course: Course, submission: Submission
) -> None:
    browser = Browser()
    browser.force_login(course.instructor)
    make_review(submission, course.assistant, "1", "1", "1", dominant_break="")
    sheet = browser.get(f"/files/{course.cohort.slug}/points.csv").getvalue().decode("utf-8-sig")
    assert sheet.count(",,,1\r\n") == 3  # nothing suggested, not tagged, review 1

    browser, page = hand_in(
        course.instructor, course, sheet.replace(",,,1\r\n", ",,Claim scope,1\r\n", 1)
    )
    assert "not yet tagged → claim scope" in page.content.decode()
    done = confirm(browser, page)

    review = Review.objects.present().get(submission=submission)
    assert (review.number, review.dominant_break) == (2, "claim_scope")
    assert points_of(submission)[TRACE] == Decimal(1)
    browser.post(f"{done.redirect_chain[-1][0]}take-back/")
    review = Review.objects.present().get(submission=submission)
    assert (review.number, review.dominant_break) == (3, "")


def test_two_breaks_of_one_attempt_are_refused_and_its_points_applied(
    course: Course, submission: Submission
) -> None:
    slug = course.exercise.slug
    text = (
        "username,exercise,criterion,points,break\n"
        f"ada,{slug},{TRACE},4,shapes\nada,{slug},{PREDICTION},2,operation\n"
    )

    browser, page = hand_in(course.instructor, course, text)
    (problem,) = page.context["plan"].problems
    assert (problem.line, "Line 2 names another break" in problem.message) == (3, True)
    confirm(browser, page)

    assert Review.objects.present().get(submission=submission).dominant_break == ""
    assert points_of(submission)[TRACE] == Decimal(4)


def test_what_is_no_break_and_a_break_of_released_work_are_refused(
    course: Course, submission: Submission
) -> None:
    slug = course.exercise.slug
    text = f"username,exercise,criterion,points,break\nada,{slug},{TRACE},5,chain\n"
    (problem,) = hand_in(course.instructor, course, text)[1].context["plan"].problems
    assert "“chain” is no break; write one of vocabulary, shapes" in problem.message

    make_review(submission, course.instructor)
    release([submission], course.instructor)
    (problem,) = (
        hand_in(course.instructor, course, text.replace("chain", "shapes"))[1]
        .context["plan"]
        .problems
    )
    assert "The grade is released" in problem.message


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param("grace,,{x},{t},1,", "Nobody here has username grace", id="unknown person"),
        pytest.param(",S-9,{x},{t},1,", "Nobody here has sis_id S-9", id="unknown number"),
        pytest.param(",,{x},{t},1,", "names nobody", id="no person"),
        pytest.param("ada,S-2,{x},{t},1,", "different people", id="two people in one row"),
        pytest.param("ada,,other,{t},1,", "ada: Nothing is submitted to", id="unknown exercise"),
        pytest.param("ada,,{x},Style,1,", "no criterion", id="unknown criterion"),
        pytest.param("ada,,{x},{t},5.5,", "more than the maximum", id="beyond the maximum"),
        pytest.param("ada,,{x},{t},-1,", "no number of points", id="negative"),
        pytest.param("ada,,{x},{t},many,", "no number of points", id="no number"),
        pytest.param('ada,,{x},{t},"1,234",', "can be read as", id="two readings"),
        pytest.param("ada,,{x},{t},1.00001,", "more than 4 digits", id="too many digits"),
        pytest.param("ada,1815,{x},{t},1,", "sis_id 001815 here, not 1815", id="lost zeros"),
        pytest.param("ada,,{x},{t},1,,5000", "has 5000 points at most; it has 5", id="maximum"),
        pytest.param("ada,,{x},{t},1,7", "review 7, and 0 is the present", id="another review"),
        pytest.param("ada,,{x},{t},1,x", "review x", id="no review number"),
    ],
)
def test_a_line_that_does_not_fit_is_reported_and_not_guessed(
    course: Course, row: str, said: str
) -> None:
    make_submission(course.learner, course.exercise)
    enrol(course.cohort, make_user("bea", sis_id="S-2"))
    course.learner.user.sis_id = "001815"
    course.learner.user.save()
    filled = row.format(x=course.exercise.slug, t=TRACE)
    text = f"username,sis_id,exercise,criterion,points,review,maximum\n{filled}\n"

    page = hand_in(course.instructor, course, text)[1]

    plan = page.context["plan"]
    assert plan.changes == []
    (problem,) = plan.problems
    assert problem.line == 2
    assert said in problem.message
    assert not Review.objects.exists()


def test_a_released_grade_is_left_as_it_is(course: Course) -> None:
    grade = course.release("1", "1", "1")
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"

    page = hand_in(course.instructor, course, text)[1]

    assert "is released" in page.context["plan"].problems[0].message
    grade.refresh_from_db()
    assert grade.points == 3


def test_someone_who_was_faster_is_not_overwritten(course: Course, submission: Submission) -> None:
    text = f"username,exercise,criterion,points,review\nada,{course.exercise.slug},{TRACE},4,0\n"
    browser, page = hand_in(course.instructor, course, text)
    make_review(submission, course.assistant, "2", "2", "2")

    answer = confirm(browser, page)

    assert "review 0, and 1 is the present" in answer.content.decode()
    assert points_of(submission)[TRACE] == 2


def test_one_line_that_does_not_fit_stops_no_other(course: Course, submission: Submission) -> None:
    other = make_submission(enrol(course.cohort, make_user("bea")), course.exercise)
    slug = course.exercise.slug
    text = f"username,exercise,criterion,points\nnobody,{slug},{TRACE},1\nbea,{slug},{TRACE},3\n"

    browser, page = hand_in(course.instructor, course, text)
    answer = confirm(browser, page)

    assert points_of(other) == {TRACE: Decimal(3)}
    assert "Nobody here" in answer.content.decode()
    assert not submission.reviews.exists()


def test_the_same_criterion_twice_is_a_conflict(course: Course, submission: Submission) -> None:
    slug = course.exercise.slug
    text = f"username,exercise,criterion,points\nada,{slug},{TRACE},1\nada,{slug},{TRACE},2\n"

    browser, page = hand_in(course.instructor, course, text)
    plan = page.context["plan"]
    confirm(browser, page)

    assert [(each.line, "in line 2" in each.message) for each in plan.problems] == [(3, True)]
    assert plan.changes == []
    assert not submission.reviews.exists()


def test_a_file_is_applied_once_and_by_whom_handed_it_in(
    course: Course, submission: Submission
) -> None:
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"
    browser, page = hand_in(course.instructor, course, text)
    address = page.redirect_chain[-1][0]
    stranger = Browser()
    stranger.force_login(course.assistant)
    assert stranger.get(address).status_code == 404

    confirm(browser, page)

    again = confirm(browser, page).content.decode()
    assert "applied already; nothing was done" in again
    assert "1 review saved" in again
    assert submission.reviews.count() == 1


def test_a_file_can_be_discarded_before_it_is_applied(
    course: Course, submission: Submission
) -> None:
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"
    browser, page = hand_in(course.instructor, course, text)
    address = page.redirect_chain[-1][0]

    assert "nothing was saved" in browser.post(f"{address}discard/", follow=True).content.decode()

    assert browser.get(address).status_code == 404
    assert not submission.reviews.exists()


def test_what_was_applied_cannot_be_discarded(course: Course, submission: Submission) -> None:
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"
    browser, page = hand_in(course.instructor, course, text)
    confirm(browser, page)
    address = page.redirect_chain[-1][0]

    answer = browser.post(f"{address}discard/", follow=True)

    assert "take it back instead" in answer.content.decode()
    assert points_of(submission) == {TRACE: Decimal(4)}


def test_points_can_be_taken_back_once(course: Course, submission: Submission) -> None:
    make_review(submission, course.assistant, "1", "1", "1", note="kept")
    other = make_submission(enrol(course.cohort, make_user("bea")), course.exercise)
    slug = course.exercise.slug
    text = f"username,exercise,criterion,points\nada,{slug},{TRACE},4\nbea,{slug},{TRACE},3.5\n"
    browser, page = hand_in(course.instructor, course, text)
    confirm(browser, page)
    address = page.redirect_chain[-1][0]

    for _ in range(2):
        answer = browser.post(f"{address}take-back/", follow=True)

    assert "2 attempts have their former points again" in answer.content.decode()
    assert points_of(submission) == {
        TRACE: Decimal(1),
        PREDICTION: Decimal(1),
        LIMITATION: Decimal(1),
    }
    assert points_of(other) == {}
    assert [review.number for review in submission.reviews.order_by("number")] == [1, 2, 3]
    assert Review.objects.present().get(submission=submission).note == "kept"


def test_what_someone_saved_since_is_not_taken_back(course: Course, submission: Submission) -> None:
    other = make_submission(enrol(course.cohort, make_user("bea")), course.exercise)
    slug = course.exercise.slug
    text = f"username,exercise,criterion,points\nada,{slug},{TRACE},4\nbea,{slug},{TRACE},3\n"
    browser, page = hand_in(course.instructor, course, text)
    confirm(browser, page)
    make_review(submission, course.assistant, "2", "2", "2")
    make_review(other, course.instructor)
    release([other], course.instructor)

    answer = browser.post(f"{page.redirect_chain[-1][0]}take-back/", follow=True)

    assert "ada: someone saved another review since; it stays" in answer.content.decode()
    assert points_of(submission)[TRACE] == 2
    assert other.grades.get().points == 10


def test_nothing_is_taken_back_before_it_is_applied_or_by_others(
    course: Course, submission: Submission
) -> None:
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"
    browser, page = hand_in(course.instructor, course, text)
    address = page.redirect_chain[-1][0]
    browser.post(f"{address}take-back/")
    confirm(browser, page)
    assistant = Browser()
    assistant.force_login(course.assistant)

    for door in ("take-back/", "discard/"):
        assert assistant.post(address + door).status_code == 404

    assert points_of(submission) == {TRACE: Decimal(4)}


def test_nothing_is_taken_back_while_it_is_being_applied(course: Course) -> None:
    browser, page = hand_in(course.instructor, course, "username,criterion,points\n")
    address = page.redirect_chain[-1][0]
    PointsFile.objects.update(applied_at=timezone.now())

    answer = browser.post(f"{address}take-back/", follow=True)

    assert "still being applied" in answer.content.decode()
    assert PointsFile.objects.get().taken_back_at is None


def test_a_taking_back_that_was_interrupted_is_told_of(course: Course) -> None:
    browser, page = hand_in(course.instructor, course, "username,criterion,points\n")
    moment = timezone.now()
    PointsFile.objects.update(applied_at=moment, taken_back_at=moment, outcome={"saved": []})

    answer = browser.get(page.redirect_chain[-1][0])

    assert "still being taken back, or that was interrupted" in answer.content.decode()


def test_a_file_is_kept_for_a_week(course: Course) -> None:
    for _ in range(2):
        hand_in(course.instructor, course, "username,criterion,points\n")
    old = PointsFile.objects.order_by("pk")[:1].get()
    PointsFile.objects.filter(pk=old.pk).update(handed_in_at=timezone.now() - timedelta(days=8))

    forget_files()

    assert PointsFile.objects.exclude(pk=old.pk).get() == PointsFile.objects.get()


def test_of_two_files_at_once_the_second_is_looked_at_again(
    course: Course, submission: Submission
) -> None:
    slug = course.exercise.slug
    first, shown_first = hand_in(
        course.instructor, course, f"username,exercise,criterion,points\nada,{slug},{TRACE},4\n"
    )
    second, shown_second = hand_in(
        course.assistant, course, f"username,exercise,criterion,points\nada,{slug},{TRACE},1\n"
    )
    confirm(first, shown_first)

    answer = confirm(second, shown_second)

    assert answer.status_code == 409
    assert "Something changed since you looked" in answer.content.decode()
    assert answer.context["plan"].changes[0].differences == [(TRACE, Decimal(4), Decimal(1))]
    assert points_of(submission) == {TRACE: Decimal(4)}
    seen = {"seen": answer.context["plan"].digest}
    second.post(shown_second.redirect_chain[-1][0], seen)
    assert points_of(submission) == {TRACE: Decimal(1)}


def test_a_sheet_with_released_grades_fits_as_long_as_they_are_untouched(course: Course) -> None:
    course.release("1", "1", "1")
    browser = Browser()
    browser.force_login(course.instructor)
    sheet = browser.get(f"/files/{course.cohort.slug}/points.csv").getvalue().decode("utf-8-sig")

    plan = hand_in(course.instructor, course, sheet)[1].context["plan"]

    assert (plan.changes, plan.problems, plan.unchanged) == ([], [], 1)


@pytest.mark.parametrize("door", ["", "people/", "reconcile/"])
def test_a_file_that_is_too_large_is_refused(course: Course, door: str) -> None:
    browser = Browser()
    browser.force_login(course.instructor)
    file = SimpleUploadedFile("points.csv", b"x" * 10_000_001)

    page = browser.post(f"/files/{course.cohort.slug}/{door}", {"file": file})

    assert page.status_code == 422
    assert "more than 10 MB" in page.content.decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("username,exercise\nada,x\n", "does not name criterion, points"),
        ("", "empty"),
        ('a\n"', "quote left open"),
    ],
)
def test_a_file_that_is_none_is_refused_on_the_spot(course: Course, text: str, said: str) -> None:
    page = hand_in(course.instructor, course, text)[1]

    assert page.status_code == 422
    assert said in page.content.decode()


@pytest.mark.django_db
def test_attempts_of_other_cohorts_are_out_of_reach(course: Course) -> None:
    exercise = make_exercise()
    foreign = make_submission(enrol(make_cohort(exercise.session), course.learner.user), exercise)
    text = f"username,submission,criterion,points\nada,{foreign.pk},{TRACE},4\n"

    plan = hand_in(course.instructor, course, text)[1].context["plan"]

    assert "There is no attempt" in plan.problems[0].message


def test_a_later_attempt_is_the_one_that_is_meant(course: Course, submission: Submission) -> None:
    make_review(submission, course.instructor)
    release([submission], course.instructor)
    later = make_submission(course.learner, course.exercise)
    text = f"username,exercise,criterion,points\nada,{course.exercise.slug},{TRACE},4\n"

    browser, page = hand_in(course.instructor, course, text)
    confirm(browser, page)

    assert points_of(later) == {TRACE: Decimal(4)}
