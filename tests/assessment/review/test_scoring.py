"""Reviews are added, never overwritten; points are exact."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.db import connection

from assessment.attempts import checking
from assessment.attempts.judging import Verdict
from assessment.attempts.models import Submission
from assessment.review.errors import ReviewConflict, ReviewError, ScoringRefused
from assessment.review.models import Review
from assessment.review.points import UnreadablePoints, read_points
from assessment.review.scoring import Scoring, save_review
from assessment.web.numbers import plain
from tests.assessment.review.conftest import Desk
from tests.factories import make_exercise, make_review, make_rubric, make_submission


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("7.5", "7.5", id="point"),
        pytest.param("7,5", "7.5", id="comma"),
        pytest.param(" 7.50 ", "7.5", id="blanks and a zero"),
        pytest.param("0", "0", id="zero"),
        pytest.param("+4", "4", id="a plus"),
        pytest.param("4.", "4", id="nothing after the point"),
        pytest.param("9.125", "9.125", id="eighths"),
        pytest.param("0,125", "0.125", id="eighths with a comma"),
        pytest.param("1.234", "1.234", id="a point is never a group"),
    ],
)
def test_points_are_read_exactly(text: str, points: str) -> None:
    found = read_points(text)

    assert found is not None
    assert plain(found) == points


@pytest.mark.parametrize("text", ["", "  ", "\u00a0"])
def test_nothing_typed_is_not_scored_yet(text: str) -> None:
    assert read_points(text) is None


@pytest.mark.parametrize(
    "text",
    ["-1", "five", "1e3", "½", "7.5.1", "7 5", "١", "NaN", "inf", "1,250", ".5", "4" * 21, "0x1"],
)
def test_what_can_be_misread_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePoints):
        read_points(text)


@pytest.mark.parametrize(
    ("rubric", "points", "total"),
    [
        pytest.param(["3.5", "1.8", "1.8"], ["3.5", "1.8", "1.8"], "7.1", id="tenths"),
        pytest.param(["0.2", "0.2", "0.2"], ["0.2", "0.2", "0.2"], "0.6", id="three fifths"),
        pytest.param(["0.1", "0.2"], ["0.1", "0.2"], "0.3", id="full marks are the maximum"),
        pytest.param(["12.5"] * 7, ["12.5"] * 7, "87.5", id="seven parts"),
        pytest.param(["15"], ["4.5"], "4.5", id="half points"),
    ],
)
def test_totals_have_no_tail(desk: Desk, rubric: list[str], points: list[str], total: str) -> None:
    titles = {f"Part {number}": text for number, text in enumerate(rubric)}
    exercise = make_exercise(desk.exercise.session, rubric=titles)
    submission = make_submission(desk.learner, exercise)

    review = make_review(submission, desk.instructor, *points)

    review = Review.objects.get(pk=review.pk)
    assert plain(review.total) == total
    is_full = points == rubric
    assert (review.total == review.rubric.total) == is_full


def test_of_three_who_read_the_same_version_one_saves_and_two_see_it(desk: Desk) -> None:
    make_review(desk.submission, desk.instructor, note="First.")

    for reviewer in (desk.assistant, desk.instructor):
        with pytest.raises(ReviewConflict) as refusal:
            save_review(desk.submission, reviewer, Scoring(note="Late."), expected_number=0)
        assert refusal.value.present is not None
        assert refusal.value.present.note == "First."
    assert [review.note for review in Review.objects.all()] == ["First."]


def test_the_tag_changes_with_its_history(desk: Desk) -> None:
    for tag in ("operation", "none", "", "cannot_tell"):
        make_review(desk.submission, desk.instructor, dominant_break=tag)

    reviews = list(desk.submission.reviews.order_by("number"))

    assert [review.dominant_break for review in reviews] == ["operation", "none", "", "cannot_tell"]
    assert Review.objects.present().get() == reviews[-1]


def test_a_review_keeps_text_and_maximum_of_its_rubric(desk: Desk) -> None:
    review = make_review(desk.submission, desk.instructor, "5", "2.5", "2.5")
    make_rubric(desk.submission.version, {"Traceable calculation": "3"}, number=2)

    review = Review.objects.get(pk=review.pk)

    assert [(score.title, plain(score.maximum)) for score in review.scores.all()] == [
        ("Traceable calculation", "5"),
        ("Prediction before variation", "2.5"),
        ("Limitation", "2.5"),
    ]
    assert plain(review.rubric.total) == "10"
    with pytest.raises(ScoringRefused):
        make_review(desk.submission, desk.instructor, "3.5")
    assert plain(make_review(desk.submission, desk.instructor, "3").rubric.total) == "3"


def test_another_check_touches_nothing_that_a_person_scored(desk: Desk) -> None:
    review = make_review(desk.submission, desk.instructor, "4.5", "0", "1")

    checking.record([Verdict(desk.submission, engine="next", reference="", result={})])

    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.REVIEWED
    assert Review.objects.present().get() == review


@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_the_same_instant_one_holds(desk: Desk) -> None:
    def save(number: int) -> bool:
        try:
            save_review(
                desk.submission,
                desk.instructor,
                Scoring(points={"Limitation": Decimal(number) / 4}),
                expected_number=0,
            )
        except ReviewError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(save, range(6))) == [False] * 5 + [True]
    assert Review.objects.count() == 1
