"""Points by criterion: those that were released, under the criteria they were given for."""

from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from assessment.grades.models import Exemption
from assessment.review.models import Grade
from assessment.review.releasing import withdraw
from tests.assessment.grades.oneroster.conftest import Classroom, Lms, make_lms
from tests.factories import (
    RUBRIC,
    enrol,
    make_cohort,
    make_review,
    make_rubric,
    make_submission,
)

pytestmark = pytest.mark.django_db


def test_criteria_stand_below_their_exercise(lms: Lms, classroom: Classroom) -> None:
    rows = lms.rows("assessmentLineItems")

    (parent,) = [row for row in rows if "parentAssessmentLineItem" not in row]
    children = {row["title"]: row for row in rows if "parentAssessmentLineItem" in row}
    assert parent["sourcedId"] == str(classroom.exercise.pk)
    assert {title: Decimal(str(row["resultValueMax"])) for title, row in children.items()} == {
        title: Decimal(points) for title, points in RUBRIC.items()
    }
    parents = {row["parentAssessmentLineItem"]["sourcedId"] for row in children.values()}
    assert parents == {parent["sourcedId"]}


def test_only_released_points_are_results(lms: Lms, classroom: Classroom) -> None:
    submission = make_submission(classroom.idle, classroom.exercise)
    make_review(submission, classroom.instructor.user)
    classroom.grade(classroom.opened, "5", "2.5", "0.7")

    rows = lms.rows("assessmentResults")

    scores = sorted((row["student"]["sourcedId"], row["score"]) for row in rows)
    opened, zero = str(classroom.opened.user_id), str(classroom.zero.user_id)
    assert scores == sorted([(opened, n) for n in (5, 2.5, 0.7)] + [(zero, 0)] * 3)
    assert {row["scoreStatus"] for row in rows} == {"fully graded"}


def test_withdrawn_and_exempt_ones_are_shown_as_deleted_without_a_score(
    lms: Lms, classroom: Classroom
) -> None:
    withdraw(Grade.objects.get(enrolment=classroom.zero), classroom.instructor.user)
    grade = classroom.grade(classroom.idle, "1", "1", "1")
    Exemption.objects.create(
        enrolment=classroom.idle,
        exercise=grade.exercise,
        granted_by=classroom.instructor.user,
    )

    assert lms.rows("assessmentResults") == []
    gone = lms.rows("assessmentResults", filter="status='tobedeleted'")
    assert len(gone) == 6
    assert not any("score" in row for row in gone)


def test_points_under_a_former_rubric_keep_their_criteria(lms: Lms, classroom: Classroom) -> None:
    version = classroom.exercise.current
    assert version is not None
    make_rubric(version, {"New": "4"}, number=2)

    known = {row["sourcedId"] for row in lms.rows("assessmentLineItems")}
    named = {row["assessmentLineItem"]["sourcedId"] for row in lms.rows("assessmentResults")}

    assert named <= known


def test_a_client_of_another_cohort_sees_none(classroom: Classroom) -> None:
    stranger = make_lms(make_cohort(classroom.exercise.session))

    assert stranger.rows("assessmentResults") == []


def test_filters_and_pages(
    lms: Lms, classroom: Classroom, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        classroom.grade(enrol(classroom.cohort), "1", "2", "0")
    assert len(lms.rows("assessmentResults", filter="score>='2'")) == 5

    with django_assert_max_num_queries(8):
        rows = lms.rows("assessmentResults", limit=4, sort="score", orderBy="desc")
    assert [row["score"] for row in rows] == [2, 2, 2, 2]
