"""Gradebooks compared: every difference named, nothing guessed, nothing changed."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser

from assessment.cohorts.models import User
from assessment.grades.models import LtiUser
from assessment.review.releasing import release
from tests.assessment.grades.conftest import Course
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch, lms
from tests.assessment.grades.lti.platform_double import CLAIM, SCORE, PlatformDouble
from tests.factories import enrol, make_exercise, make_review, make_submission, make_user

__all__ = ["lms"]


def compare(user: User, slug: str, text: str | None = None, **fields: str) -> Any:  # noqa: ANN401 (the test client's response)
    """Compare with a file, or with the LMS where there is none."""
    browser = Browser()
    browser.force_login(user)
    file = {"file": SimpleUploadedFile("grades.csv", text.encode())} if text is not None else {}
    return browser.post(f"/files/{slug}/reconcile/", file | fields)


def findings(page: Any) -> dict[str, str]:  # noqa: ANN401 (the test client's response)
    """Return what was found by person."""
    return {each.person: each.finding.value for each in page.context["compared"]}


def test_a_line_a_grade(course: Course) -> None:
    course.release("5", "2.5", "0")
    others = [enrol(course.cohort, make_user(name)) for name in ("bea", "cleo", "dora")]
    for other in others[:2]:
        course.release("1", "0", "0", learner=other)
    slug = course.exercise.slug
    text = (
        "SIS_ID;username;exercise;points;maximum\n"
        f"S-1815;;{slug};7,5;10\n"
        f";bea;{slug};1,5;10\n"
        f";dora;{slug};3;\n"
        f";grace;{slug};3;\n"
        ";bea;other;3;\n"
        f";cleo;{slug};ten;\n"
    )

    page = compare(course.instructor, course.cohort.slug, text)

    found = {(each.person, each.finding.value) for each in page.context["compared"]}
    assert found == {
        ("ada", "same"),
        ("bea", "different"),
        ("dora", "only there"),
        ("grace", "unknown person"),
        ("bea", "unknown exercise"),
        ("cleo", "unreadable"),
        ("cleo", "only here"),
    }


def test_a_column_an_exercise_as_canvas_writes_it(course: Course) -> None:
    course.exercise.title = "Trace: the loss"
    course.exercise.save()
    course.release("5", "2.5", "0")
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Trace: the loss (5121),Final\n"
        "    Points Possible,,,,,10.00,\n"
        '"Lovelace, Ada",1,S-1815,ada,A,7.50,80\n'
        '"Test, Student",2,,,A,,\n'
    )

    page = compare(course.instructor, course.cohort.slug, text)

    assert [each.finding.value for each in page.context["compared"]] == [
        "unknown person",
        "same",
    ]


@pytest.mark.parametrize(
    ("points", "maximum", "finding"),
    [
        ("7.5", "10", "same"),
        ("7.50", "", "same"),
        ("75", "100", "same"),
        ("7.4999", "10", "different"),
        ("0", "10", "different"),
        ("", "10", "only here"),
    ],
)
def test_points_are_compared_exactly(
    course: Course, points: str, maximum: str, finding: str
) -> None:
    course.release("5", "2.5", "0")
    text = f"username,exercise,points,maximum\nada,{course.exercise.slug},{points},{maximum}\n"

    assert findings(compare(course.instructor, course.cohort.slug, text)) == {"ada": finding}


def test_zero_here_and_nothing_there_are_two_things(course: Course) -> None:
    course.release("0", "0", "0")
    text = f"username,exercise,points\nada,{course.exercise.slug},\n"

    (each,) = compare(course.instructor, course.cohort.slug, text).context["compared"]

    assert (each.finding.value, each.ours, each.theirs) == ("only here", Decimal(0), None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,exercise,points\nAda,x,1\n", "No column names a person"),
        ("username,quiz\nada,1\n", "No column names an exercise"),
        ("", "empty"),
    ],
)
def test_a_file_that_names_nothing_is_refused(course: Course, text: str, said: str) -> None:
    assert said in compare(course.instructor, course.cohort.slug, text).content.decode()


def test_learners_compare_nothing(course: Course) -> None:
    assert compare(course.learner.user, course.cohort.slug, "x").status_code == 404


def test_the_report_can_be_saved(course: Course) -> None:
    course.release("5", "2.5", "0")
    text = f"username,exercise,points\nada,{course.exercise.slug},7\n"

    response = compare(course.instructor, course.cohort.slug, text, as_file="on")

    assert b"different,ada," in response.getvalue()
    assert response["Content-Type"].startswith("text/csv")


def test_the_lms_itself_is_asked_for_what_it_holds(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    launch(lms, INSTRUCTOR)
    instructor = LtiUser.objects.get(subject="lms-teacher").user
    scopes = [SCORE, "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"]
    service = {"scope": scopes, "lineitems": lms.line_items_url, "lineitem": lms.line_item_url}
    for name in ("ada", "bea"):
        launch(
            lms,
            {
                "sub": name,
                "given_name": name,
                "family_name": "",
                f"{CLAIM}custom": {"exercise": exercise.slug},
                "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": service,
            },
        )
        place = LtiUser.objects.get(subject=name).user.enrolments.get()
        submission = make_submission(place, exercise)
        make_review(submission, instructor, "5", "2.5", "0")
        release([submission], instructor)
    lms.page_size = 1
    lms.results = [
        {"id": "1", "userId": "ada", "resultScore": 7.5, "resultMaximum": 10},
        {"id": "2", "userId": "bea", "resultScore": 0.7000000000000001, "resultMaximum": 10},
        {"id": "3", "userId": "grace", "resultScore": 1, "resultMaximum": 10},
    ]

    page = compare(instructor, place.cohort.slug)

    assert findings(page) == {"ada": "same", "bea": "different", "grace": "unknown person"}
