from http import HTTPStatus
from uuid import uuid4

from django.test import Client as Browser

from assessment.cohorts.models import Cohort, Enrolment, User
from tests.assessment.cohorts.conftest import browser_of
from tests.factories import enrol, make_cohort, make_user


def address(place: Enrolment, ending: str = "") -> str:
    return f"/cohorts/{place.cohort.slug}/people/{place.pk}/{ending}"


def test_a_track_is_changed(desk: Browser, autumn: Cohort) -> None:
    place = enrol(autumn)

    page = desk.post(address(place), {"track": "support"}, follow=True).content.decode()

    assert "is on the track support" in page
    place.refresh_from_db()
    assert place.track == "support"


def test_a_track_that_there_is_not_changes_nothing(desk: Browser, autumn: Cohort) -> None:
    place = enrol(autumn)

    page = desk.post(address(place), {"track": "express"}, follow=True).content.decode()

    assert "Choose one of the tracks" in page
    place.refresh_from_db()
    assert place.track == "core"


def test_a_place_ends_after_a_question_and_is_given_back(desk: Browser, autumn: Cohort) -> None:
    place = enrol(autumn)
    learner = browser_of(place.user)
    session = autumn.sessions.get()

    assert (
        "Answers and released grades are kept" in desk.get(address(place, "end/")).content.decode()
    )
    desk.post(address(place, "end/"))
    assert learner.get(session.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND

    desk.post(address(place, "resume/"))
    assert learner.get(session.get_absolute_url()).status_code == HTTPStatus.OK


def test_the_last_instructor_stays(desk: Browser, autumn: Cohort, instructor: User) -> None:
    place = autumn.enrolments.get(user=instructor)

    page = desk.post(address(place, "end/"), follow=True).content.decode()

    assert "is the last instructor" in page
    place.refresh_from_db()
    assert place.left_at is None


def test_an_instructor_leaves_where_another_one_stays(
    desk: Browser, autumn: Cohort, instructor: User
) -> None:
    enrol(autumn, role="instructor")
    place = autumn.enrolments.get(user=instructor)

    response = desk.post(address(place, "end/"))

    assert response.headers["Location"] == "/sessions/"
    assert desk.get("/cohorts/autumn/").status_code == HTTPStatus.NOT_FOUND


def test_an_administrator_ends_the_last_instructors_place(
    autumn: Cohort, instructor: User, administrator: User
) -> None:
    place = autumn.enrolments.get(user=instructor)

    browser_of(administrator).post(address(place, "end/"))

    assert not autumn.enrolments.active().exists()


def test_places_of_other_cohorts_are_out_of_reach(desk: Browser, autumn: Cohort) -> None:
    foreign = enrol(make_cohort(slug="spring"))
    through_ours = f"/cohorts/{autumn.slug}/people/{foreign.pk}/"

    for base in (address(foreign), through_ours, f"/cohorts/autumn/people/{uuid4()}/"):
        assert desk.get(base).status_code == HTTPStatus.NOT_FOUND
        for ending in ("", "end/", "resume/", "link/"):
            response = desk.post(base + ending, {"track": "support"})
            assert response.status_code == HTTPStatus.NOT_FOUND
    foreign.refresh_from_db()
    assert (foreign.track, foreign.left_at) == ("core", None)


def test_someone_without_a_name_is_shown_by_username(desk: Browser, autumn: Cohort) -> None:
    place = enrol(autumn, make_user("only-a-username"))

    assert "only-a-username" in desk.get(address(place)).content.decode()
