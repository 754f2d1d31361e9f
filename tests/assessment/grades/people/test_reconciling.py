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


def compare(
    user: User, slug: str, text: str | None = None, encoding: str = "utf-8", **fields: str
) -> Any:  # noqa: ANN401 (the test client's response)
    """Compare with a file, or with the LMS where there is none."""
    browser = Browser()
    browser.force_login(user)
    file = (
        {"file": SimpleUploadedFile("grades.csv", text.encode(encoding))}
        if text is not None
        else {}
    )
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
    }
    assert "grades 1 the same, 1 different, 0 only here, 1 only there" in page.content.decode()


# As the three save them: what they put around titles, above people, and where nothing was graded.
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Trace: the loss (5121),Final Score\n"
    ",,,,,Manual Posting,(read only)\n"
    "    Points Possible,,,,,10.00,(read only)\n"
    '"Lovelace, Ada",1,S-1815,ada@u.example,A,7.50,80\n'
    '"Bea, B.",2,S-2,bea@u.example,A,EX,\n'
    '"Cleo, C.",3,S-3,cleo@u.example,A,,\n'
)
MOODLE = (
    '"First name","Last name","ID number","Email address","External tool: Trace: the loss (Real)",'
    '"External tool: Trace: the loss (Percentage)","External tool: Trace: the loss (Feedback)",'
    '"Course total (Real)","Last downloaded from this course"\n'
    'Ada,Lovelace,S-1815,ada@u.example,"7,50","75,00 %",,"7,50",1796000000\n'
    "Bea,B.,,bea@u.example,-,-,,-,1796000000\n"
    "Cleo,C.,S-3,,-,-,,-,1796000000\n"
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"'
    '\t"Total [Total Pts: up to 10 Percentage] |71"\t"Trace: the loss [Total Pts: 10 Score] |72"\n'
    '"Lovelace"\t"Ada"\t"alovelace"\t"S-1815"\t""\t"Yes"\t"75"\t"7.50"\n'
    '"B."\t"Bea"\t"bbea"\t"S-2"\t""\t"Yes"\t""\t"Needs Grading"\n'
    '"C."\t"Cleo"\t"ccleo"\t"S-3"\t""\t"Yes"\t""\t""\n'
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", [CANVAS, MOODLE, BLACKBOARD], ids=["canvas", "moodle", "bb"])
def test_gradebooks_are_read_as_lmss_save_them(course: Course, text: str, encoding: str) -> None:
    course.exercise.title = "Trace: the loss"
    course.exercise.save()
    course.release("5", "2.5", "0")
    bea = enrol(course.cohort, make_user("bea", sis_id="S-2", email="bea@u.example"))
    enrol(course.cohort, make_user("cleo", sis_id="S-3"))
    assert findings(compare(course.instructor, course.cohort.slug, text, encoding)) == {
        "ada": "same"
    }

    course.release("1", "0", "0", learner=bea)
    page = compare(course.instructor, course.cohort.slug, text, encoding)
    assert findings(page) == {"ada": "same", "bea": "only here"}
    excused = {each.note for each in page.context["compared"]} - {""}
    assert bool(excused) is (text is CANVAS)


@pytest.mark.parametrize(
    ("column", "value"), [("Email address", "both@u.example"), ("sis_id", "n-7")]
)
def test_an_id_that_two_claim_names_neither(course: Course, column: str, value: str) -> None:
    for name, number in (("bea", "N-7"), ("cleo", "n-7")):
        place = enrol(course.cohort, make_user(name, email="both@u.example", sis_id=number))
    course.release("1", "0", "0", learner=place)
    slug = course.exercise.slug
    text = f"{column},username,exercise,points\n{value},,{slug},1\n{value},cleo,{slug},1\n"

    page = compare(course.instructor, course.cohort.slug, text)

    (problem, same) = page.context["compared"]
    assert "Several people here have" in problem.note
    assert (same.person, same.finding.value) == ("cleo", "same")


def test_someone_who_stands_there_twice_is_compared_once(course: Course) -> None:
    course.release("5", "2.5", "0")
    slug = course.exercise.slug
    text = f"username,exercise,points\nada,{slug},7.5\nada,{slug},7\n"

    page = compare(course.instructor, course.cohort.slug, text)

    found = [(each.finding.value, each.where) for each in page.context["compared"]]
    assert found == [("twice", "3"), ("same", "2")]


def test_two_columns_of_one_exercise_are_refused(course: Course) -> None:
    title = course.exercise.title
    text = f"username,{title} (1),{title} (2)\nada,1,2\n"

    page = compare(course.instructor, course.cohort.slug, text)

    assert page.status_code == 422
    assert "Several columns name" in page.content.decode()


@pytest.mark.parametrize(
    ("rows", "agree", "said"),
    [
        pytest.param("ada,{x},7.5", True, "agree on the one grade", id="one"),
        pytest.param("ada,{x},7.5\nbea,{x},1", True, "agree on all 2 grades", id="all"),
        pytest.param(
            "ada,{x},7.5\nbea,{x},1\ngrace,{x},1", False, "but 1 entry there", id="unmatched"
        ),
        pytest.param(
            "ada,{x},7\nbea,{x},1", False, "of 2 grades 1 the same, 1 different", id="different"
        ),
        pytest.param("ada,{x},", False, "2 only here", id="nothing there"),
    ],
)
def test_one_sentence_says_whether_they_agree(
    course: Course, rows: str, agree: bool, said: str
) -> None:
    bea = enrol(course.cohort, make_user("bea"))
    if "bea" in rows or not agree:
        course.release("1", "0", "0", learner=bea)
    course.release("5", "2.5", "0")
    text = "username,exercise,points\n" + rows.format(x=course.exercise.slug) + "\n"

    page = compare(course.instructor, course.cohort.slug, text)

    assert page.context["agree"] is agree
    assert said in page.context["verdict"]
    assert page.context["verdict"] in page.content.decode()


def test_nothing_on_either_side_is_no_agreement(course: Course) -> None:
    text = f"username,exercise,points\nada,{course.exercise.slug},\n"

    page = compare(course.instructor, course.cohort.slug, text)

    assert (page.context["agree"], page.context["verdict"][:10]) == (False, "There is n")


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


def test_without_a_file_and_an_lms_there_is_nothing_to_ask(course: Course) -> None:
    page = compare(course.instructor, course.cohort.slug)

    assert page.status_code == 422
    assert "No LMS has a column for this cohort yet" in page.content.decode()


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
