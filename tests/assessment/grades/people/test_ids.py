"""People's ids: seen by those who teach, corrected by instructors, never taken from someone."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser

from assessment.cohorts.models import Enrolment, User
from assessment.grades.models import LtiUser, Platform
from tests.assessment.grades.conftest import Course
from tests.factories import enrol, make_cohort, make_user


def browser_of(user: User) -> Browser:
    """Return a browser in which someone is signed in."""
    browser = Browser()
    browser.force_login(user)
    return browser


def address(course: Course, place: Enrolment | None = None) -> str:
    """Return the page of one person's ids, or of everybody's."""
    return f"/files/{course.cohort.slug}/people/" + (f"{place.pk}/" if place else "")


def correct(course: Course, place: Enrolment, number: str, seen: str | None = None) -> Any:  # noqa: ANN401 (the test client's response)
    """Write a number as the form does that was just opened."""
    place.user.refresh_from_db()
    form = {"number": number, "seen": (place.user.sis_id or "") if seen is None else seen}
    return browser_of(course.instructor).post(address(course, place), form, follow=True)


def number_of(place: Enrolment) -> str | None:
    """Return the number that holds."""
    return User.objects.get(pk=place.user_id).sis_id


def hand_in(course: Course, text: str, **fields: str) -> Any:  # noqa: ANN401 (the test client's response)
    """Hand a file of numbers in."""
    file = SimpleUploadedFile("numbers.csv", text.encode())
    return browser_of(course.instructor).post(address(course), {"file": file} | fields)


@pytest.fixture
def bea(course: Course) -> Enrolment:
    """Return another learner of the course."""
    return enrol(course.cohort, make_user("bea", sis_id="00123"))


def test_all_ids_of_a_learner_are_shown(course: Course, bea: Enrolment) -> None:
    platform = Platform.objects.create(name="School LMS", issuer="https://lms.example")
    LtiUser.objects.create(platform=platform, subject="lti-77", user=bea.user)

    for page in (address(course), address(course, bea)):
        text = browser_of(course.assistant).get(page).content.decode()
        assert "00123" in text
        assert "lti-77" in text
        assert "School LMS" in text


def test_a_large_cohort_is_shown_in_pages_and_searched(course: Course, bea: Enrolment) -> None:
    users = User.objects.bulk_create(User(username=f"learner-{n:03}") for n in range(101))
    Enrolment.objects.bulk_create(Enrolment(cohort=course.cohort, user=user) for user in users)
    browser = browser_of(course.instructor)

    page = browser.get(address(course)).content.decode()
    found = browser.get(address(course), {"q": bea.user.username}).content.decode()

    assert "1–100 of 103" in page
    assert "learners have no number" in page
    assert f"/people/{bea.pk}/" in found
    assert "learner-000" not in found
    assert "Nobody here is called so" in browser.get(address(course), {"q": "zz"}).content.decode()


def test_a_number_is_corrected_given_and_taken_away_with_a_history(
    course: Course, bea: Enrolment
) -> None:
    for number in (" 00124 ", "", "B-7"):
        page = correct(course, bea, number)

    assert number_of(bea) == "B-7"
    found = [(each.before, each.after, each.by) for each in page.context["changes"]]
    assert found == [
        ("", "B-7", course.instructor),
        ("00124", "", course.instructor),
        ("00123", "00124", course.instructor),
    ]


@pytest.mark.parametrize("number", ["S-1815", "s-1815"])
def test_a_number_that_two_claim_is_explained_and_stays(
    course: Course, bea: Enrolment, number: str
) -> None:
    page = correct(course, bea, number)

    assert page.status_code == 409
    assert "ada has this number. One of the two is wrong" in page.content.decode()
    assert address(course, course.learner) in page.content.decode()
    assert (number_of(bea), number_of(course.learner)) == ("00123", "S-1815")


def test_who_is_not_of_the_cohort_is_not_named(course: Course, bea: Enrolment) -> None:
    make_user("secret-person", sis_id="X-1")

    page = correct(course, bea, "X-1")

    assert page.status_code == 409
    assert "Someone outside this cohort has this number" in page.content.decode()
    assert "secret-person" not in page.content.decode()


def test_a_number_that_someone_changed_meanwhile_is_not_overwritten_unseen(
    course: Course, bea: Enrolment
) -> None:
    page = correct(course, bea, "B-7", seen="former")

    assert page.status_code == 409
    assert "changed the number meanwhile" in page.content.decode()
    assert number_of(bea) == "00123"


def test_a_number_too_long_is_refused(course: Course, bea: Enrolment) -> None:
    assert correct(course, bea, "x" * 256).status_code == 422
    assert number_of(bea) == "00123"


@pytest.mark.parametrize("how", ["teaches elsewhere", "administers"])
def test_numbers_of_those_who_may_more_are_not_in_instructors_hands(
    course: Course, bea: Enrolment, how: str
) -> None:
    if how == "administers":
        bea.user.is_staff = True
        bea.user.save()
    else:
        enrol(make_cohort(), bea.user, role="assistant")

    assert correct(course, bea, "B-7").status_code == 403
    report = hand_in(course, "username,sis_id\nbea,B-7\n", write="1").context["report"]

    assert [line.outcome.value for line in report["lines"]] == ["unknown person"]
    assert number_of(bea) == "00123"


@pytest.mark.parametrize(
    ("who", "read", "write"),
    [("assistant", 200, 403), ("learner", 404, 404), ("stranger", 404, 404)],
)
def test_only_instructors_correct(
    course: Course, bea: Enrolment, who: str, read: int, write: int
) -> None:
    people = {
        "assistant": course.assistant,
        "learner": course.learner.user,
        "stranger": enrol(make_cohort(), role="instructor").user,
    }
    browser = browser_of(people[who])

    for page in (address(course), address(course, bea)):
        assert browser.get(page).status_code == read
        assert browser.post(page, {"number": "B-7", "seen": "00123"}).status_code == write
    assert number_of(bea) == "00123"


def test_places_of_other_cohorts_are_not_found_here(course: Course) -> None:
    foreign = enrol(make_cohort())

    assert browser_of(course.instructor).get(address(course, foreign)).status_code == 404


def test_a_file_is_looked_at_first_and_written_only_where_it_is_certain(
    course: Course, bea: Enrolment
) -> None:
    cleo, dora = (enrol(course.cohort, make_user(name)) for name in ("cleo", "dora"))
    outsider = make_user("outsider")
    make_user("holder", sis_id="X-1")
    text = (
        "username,sis_id\nbea,00123\ncleo,C-1\ndora,c-1\noutsider,O-1\nbea,B-9\ndora,X-1\n"
        "dora,00123\n"
    )

    looked = hand_in(course, text)
    assert number_of(cleo) is None
    written = hand_in(course, text, write="1")

    assert [line.outcome.value for line in looked.context["report"]["lines"]] == [
        line.outcome.value for line in written.context["report"]["lines"]
    ]
    notes = [(each.outcome.value, each.note) for each in written.context["report"]["lines"]]
    assert notes == [
        ("mapped", ""),
        ("conflict", "cleo has this number."),
        ("unknown person", "Nobody here is called that."),
        ("conflict", "Has the number 00123 already."),
        ("conflict", "Someone else has this number."),
        ("conflict", "bea has this number."),
    ]
    assert (number_of(cleo), number_of(dora), number_of(bea)) == ("C-1", None, "00123")
    outsider.refresh_from_db()
    assert outsider.sis_id is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "empty"), ("name,number\na,1\n", "names no username"), ("PK\x03\x04" * 30, "Excel")],
)
def test_a_file_that_is_none_is_refused(course: Course, text: str, said: str) -> None:
    page = hand_in(course, text)

    assert page.status_code == 422
    assert said in page.content.decode()
