"""Results: four states that differ, exact scores, nothing unreleased."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from assessment.cohorts.models import Enrolment
from assessment.grades.models import Assignment, Exemption
from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw
from tests.assessment.grades.oneroster.conftest import Classroom, Lms, make_lms
from tests.factories import (
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_session,
    make_submission,
)

pytestmark = pytest.mark.django_db


def next_page(header: str) -> str | None:
    """Return the path of the next page, as strict clients read it: nothing follows the rel."""
    found = re.search(r'<http://testserver([^>]+)>; rel="next"(?:,|$)', header)
    return found[1] if found else None


def row_of(lms: Lms, enrolment: Enrolment) -> dict[str, Any]:
    """Return the one result of a learner."""
    (row,) = lms.rows("results", filter=f"student.sourcedId='{enrolment.user_id}'")
    return row


def test_four_states_differ_and_only_a_released_zero_is_a_score(
    lms: Lms, classroom: Classroom
) -> None:
    found = {
        name: row_of(lms, getattr(classroom, name))
        for name in ("idle", "opened", "waiting", "zero")
    }

    states = {name: (row["scoreStatus"], row["inProgress"]) for name, row in found.items()}
    assert states == {
        "idle": ("not submitted", "false"),
        "opened": ("not submitted", "true"),
        "waiting": ("submitted", "false"),
        "zero": ("fully graded", "false"),
    }
    assert {name for name, row in found.items() if "score" in row} == {"zero"}
    assert found["zero"]["score"] == 0
    assert found["zero"]["metadata"] == {"points": "0", "maximum": "10"}


@pytest.mark.parametrize(
    ("points", "score", "written"),
    [
        pytest.param(("5", "2.5", "0"), 7.5, "7.5", id="half a point"),
        pytest.param(("0.7", "0", "0"), 0.7, "0.7", id="seven tenths"),
        pytest.param(("5", "2.5", "2.5"), 10, "10", id="full"),
        pytest.param(("0.1", "0.2", "0.4001"), 0.7001, "0.7001", id="four decimals"),
    ],
)
def test_points_leave_as_the_exact_decimal(
    lms: Lms, classroom: Classroom, points: tuple[str, ...], score: float, written: str
) -> None:
    classroom.grade(classroom.idle, *points)

    response = lms.get("results", {"filter": f"student.sourcedId='{classroom.idle.user_id}'"})

    assert f'"score":{score}'.encode() in response.getvalue()
    (row,) = response.json()["results"]
    assert row["metadata"]["points"] == written


def test_a_review_that_is_not_released_shows_no_score(lms: Lms, classroom: Classroom) -> None:
    submission = make_submission(classroom.idle, classroom.exercise)
    make_review(submission, classroom.instructor.user, note="a secret")

    response = lms.get("results")

    row = row_of(lms, classroom.idle)
    assert row["scoreStatus"] == "submitted"
    assert not {"score", "textScore", "comment", "metadata"} & set(row)
    assert b"secret" not in response.getvalue()


def test_a_review_without_all_points_is_partially_graded(lms: Lms, classroom: Classroom) -> None:
    submission = make_submission(classroom.idle, classroom.exercise)
    make_review(submission, classroom.instructor.user, "5")

    row = row_of(lms, classroom.idle)

    assert row["scoreStatus"] == "partially graded"
    assert "score" not in row


def test_an_exempt_learner_has_no_score(lms: Lms, classroom: Classroom) -> None:
    exemption = Exemption.objects.create(
        enrolment=classroom.zero,
        exercise=classroom.exercise,
        granted_by=classroom.instructor.user,
    )
    assert row_of(lms, classroom.zero)["scoreStatus"] == "exempt"
    assert "score" not in row_of(lms, classroom.zero)

    exemption.lifted_at = timezone.now()
    exemption.save()

    assert row_of(lms, classroom.zero)["score"] == 0


def test_a_withdrawn_grade_takes_its_score_along(lms: Lms, classroom: Classroom) -> None:
    before = row_of(lms, classroom.zero)
    withdraw(Grade.objects.get(enrolment=classroom.zero), classroom.instructor.user)

    after = row_of(lms, classroom.zero)

    assert after["scoreStatus"] == "submitted"
    assert "score" not in after
    assert after["dateLastModified"] >= before["dateLastModified"]


def test_what_was_due_and_did_not_come_is_missing_and_what_came_later_is_late(
    lms: Lms, classroom: Classroom
) -> None:
    Assignment.objects.create(
        cohort=classroom.cohort,
        exercise=classroom.exercise,
        assigned_at=timezone.now() - timedelta(days=3),
        due_at=timezone.now() - timedelta(days=1),
    )

    flags = {
        name: (row["missing"], row["late"])
        for name in ("idle", "opened", "waiting", "zero")
        for row in [row_of(lms, getattr(classroom, name))]
    }

    assert flags == {
        "idle": ("true", "false"),
        "opened": ("true", "false"),
        "waiting": ("false", "true"),
        "zero": ("false", "true"),
    }


def test_a_maximum_of_zero_breaks_nothing(lms: Lms, classroom: Classroom) -> None:
    exercise = make_exercise(classroom.exercise.session, rubric={"Unscored": "0"})
    submission = make_submission(classroom.zero, exercise)
    make_review(submission, classroom.instructor.user)
    release([submission], classroom.instructor.user)

    rows = lms.rows("results", filter=f"lineItem.sourcedId='{classroom.cohort.pk}.{exercise.pk}'")

    assert [row["score"] for row in rows if "score" in row] == [0]


def test_a_learner_who_left_is_shown_only_to_those_who_ask_for_changes(
    lms: Lms, classroom: Classroom
) -> None:
    began = timezone.now()
    classroom.zero.left_at = timezone.now()
    classroom.zero.save()

    student = str(classroom.zero.user_id)
    assert student not in {row["student"]["sourcedId"] for row in lms.rows("results")}
    (gone,) = lms.rows("results", filter="status='tobedeleted'")
    assert gone["student"]["sourcedId"] == student
    changed = lms.rows("results", filter=f"dateLastModified>='{began.isoformat()}'")
    assert [row["sourcedId"] for row in changed] == [gone["sourcedId"]]


def test_changes_since_a_time_are_all_found(lms: Lms, classroom: Classroom) -> None:
    began = timezone.now()
    grade = classroom.grade(classroom.waiting, "5", "0", "0")

    rows = lms.rows("results", filter=f"dateLastModified>='{began.isoformat()}'")

    assert [row["sourcedId"] for row in rows] == [f"{classroom.waiting.pk}.{grade.exercise_id}"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        pytest.param("scoreStatus='fully graded'", {"zero"}, id="by status"),
        pytest.param("score>='0'", {"zero"}, id="by score"),
        pytest.param(
            "scoreStatus='submitted' OR scoreStatus='fully graded'",
            {"waiting", "zero"},
            id="either",
        ),
        pytest.param("scoreStatus~'submit' AND score>'3'", set(), id="both"),
        pytest.param("status='active'", {"idle", "opened", "waiting", "zero"}, id="active"),
        pytest.param("student.sourcedId='nobody'", set(), id="nobody"),
        pytest.param("scoreStatus!='submitted'", {"idle", "opened", "zero"}, id="not equal"),
    ],
)
def test_filters(lms: Lms, classroom: Classroom, wanted: str, names: set[str]) -> None:
    rows = lms.rows("results", filter=wanted)

    expected = {str(getattr(classroom, name).user_id) for name in names}
    assert {row["student"]["sourcedId"] for row in rows} == expected


def test_sorting_by_score_puts_those_without_last(lms: Lms, classroom: Classroom) -> None:
    classroom.grade(classroom.idle, "5", "0", "0")

    for order, first in (("asc", [0, 5]), ("desc", [5, 0])):
        rows = lms.rows("results", sort="score", orderBy=order)
        assert [row.get("score") for row in rows] == [*first, None, None]


def test_one_result_is_read_by_its_id(lms: Lms, classroom: Classroom) -> None:
    row = row_of(lms, classroom.zero)

    assert lms.get(f"results/{row['sourcedId']}").json() == {"result": row}


@pytest.mark.parametrize("key", ["nothing", "1.2", "00000000-0000-0000-0000-000000000001"])
def test_an_unknown_result_is_an_unknown_object(lms: Lms, key: str) -> None:
    response = lms.get(f"results/{key}")

    assert response.status_code == 404
    (minor,) = response.json()["imsx_CodeMinor"]["imsx_codeMinorField"]
    assert minor["imsx_codeMinorFieldValue"] == "unknownobject"


def test_a_client_of_another_cohort_sees_nothing(lms: Lms, classroom: Classroom) -> None:
    row = row_of(lms, classroom.zero)
    stranger = make_lms(make_cohort(classroom.exercise.session))

    assert stranger.rows("results") == []
    assert stranger.rows("results", filter=f"student.sourcedId='{classroom.zero.user_id}'") == []
    assert (
        stranger.rows("results", filter=f"score>='0' AND class.sourcedId='{classroom.cohort.pk}'")
        == []
    )
    assert stranger.get(f"results/{row['sourcedId']}").status_code == 404
    assert stranger.get(f"classes/{classroom.cohort.pk}/results").status_code == 404


def test_paging_walks_every_row_once_while_grades_are_released(
    lms: Lms, classroom: Classroom
) -> None:
    for _ in range(3):
        make_exercise(classroom.exercise.session)
    for _ in range(5):
        enrol(classroom.cohort)
    seen: list[str] = []
    address: str | None = "/ims/oneroster/gradebook/v1p2/results?limit=7"

    while address:
        response = lms.get(address)
        seen += [row["sourcedId"] for row in response.json()["results"]]
        if len(seen) == 7:
            classroom.grade(classroom.idle, "1", "1", "1")
        address = next_page(response["Link"])

    assert len(seen) == len(set(seen)) == int(response["X-Total-Count"]) == 9 * 4
    positions = [lms.rows("results", limit=1, offset=n)[0]["sourcedId"] for n in range(36)]
    assert positions == seen


def test_pages_of_classes_of_different_width_meet_without_gap() -> None:
    cohorts = []
    for width in (1, 3, 2):
        session = make_session()
        for _ in range(width):
            make_exercise(session)
        cohort = make_cohort(session)
        for _ in range(width + 1):
            enrol(cohort)
        cohorts.append(cohort)
    lms = make_lms(*cohorts)

    whole = [row["sourcedId"] for row in lms.rows("results", limit=1000)]

    assert len(whole) == len(set(whole)) == 2 * 1 + 4 * 3 + 3 * 2
    for size in (1, 2, 5, 7):
        pages = [
            row["sourcedId"]
            for offset in range(0, len(whole), size)
            for row in lms.rows("results", limit=size, offset=offset)
        ]
        assert pages == whole


@pytest.mark.parametrize("learners", [3, 30])
def test_a_page_takes_a_fixed_number_of_queries(
    lms: Lms,
    classroom: Classroom,
    learners: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(learners):
        classroom.grade(enrol(classroom.cohort), "1", "1", "1")
    lms.get("results")

    with django_assert_max_num_queries(15):
        lms.get("results").getvalue()


def test_searching_and_paging_agree_on_every_row(lms: Lms, classroom: Classroom) -> None:
    by_position = {row["sourcedId"]: row for row in lms.rows("results")}
    by_search = {row["sourcedId"]: row for row in lms.rows("results", sort="sourcedId")}

    assert by_search == by_position
    assert Decimal(str(by_search[f"{classroom.zero.pk}.{classroom.exercise.pk}"]["score"])) == 0
