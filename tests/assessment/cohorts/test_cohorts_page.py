from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client as Browser

from assessment.cohorts.models import Cohort, Enrolment, User
from tests.assessment.cohorts.conftest import browser_of
from tests.factories import enrol, make_cohort, make_session, make_user

MADE = {"name": "Winter", "slug": "winter", "time_zone": "Europe/Paris"}


def test_an_administrator_makes_a_cohort_with_sessions_and_instructors(administrator: User) -> None:
    session = make_session()
    make_user("sofia")
    form = {**MADE, "sessions": [str(session.pk)], "instructors": "sofia"}

    response = browser_of(administrator).post("/cohorts/", form)

    assert response.headers["Location"] == "/cohorts/winter/"
    winter = Cohort.objects.get(slug="winter")
    assert [str(each) for each in winter.sessions.all()] == [str(session)]
    assert winter.time_zone == "Europe/Paris"
    assert winter.enrolments.instructors().get().user.username == "sofia"


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_administrators_who_take_one_short_name_at_once_one_has_it(administrator: User) -> None:
    browsers = {name: browser_of(administrator) for name in ("Winter", "Snow", "Frost")}

    def make(name: str) -> int:
        try:
            return browsers[name].post("/cohorts/", {**MADE, "name": name}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(browsers)) as pool:
        answers = dict(zip(browsers, pool.map(make, browsers), strict=True))

    (first,) = [name for name, status in answers.items() if status == HTTPStatus.FOUND]
    assert Cohort.objects.get().name == first
    assert set(answers.values()) == {HTTPStatus.FOUND, HTTPStatus.UNPROCESSABLE_ENTITY}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param({"name": ""}, "This field is required", id="no name"),
        pytest.param(
            {"slug": "winter 1"}, "Letters, digits, hyphens and underscores only", id="no slug"
        ),
        pytest.param({"slug": "autumn"}, "Another cohort has this short name", id="taken"),
        pytest.param({"time_zone": "Mars"}, "Mars is no time zone", id="no time zone"),
        pytest.param({"time_zone": "new york"}, "write for example America/New_York", id="a city"),
        pytest.param({"instructors": "ghost"}, "No account has the username ghost", id="unknown"),
        pytest.param({"instructors": "a " * 21}, "No account", id="repeated names count once"),
        pytest.param(
            {"instructors": " ".join(f"n{n}" for n in range(21))}, "at most 20", id="many"
        ),
        pytest.param({"sessions": ["x"]}, "is not a valid", id="no session"),
    ],
)
def test_a_cohort_that_cannot_be_is_refused_with_the_reason(
    autumn: Cohort,  # noqa: ARG001 (its slug is taken)
    administrator: User,
    changed: dict[str, str],
    said: str,
) -> None:
    response = browser_of(administrator).post("/cohorts/", {**MADE, **changed})

    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in response.content.decode()
    assert Cohort.objects.count() == 1


def test_an_instructor_sees_their_own_cohorts_and_makes_none(desk: Browser) -> None:
    make_cohort(slug="spring", name="Spring of others")

    page = desk.get("/cohorts/").content.decode()

    assert "Autumn" in page
    assert "Spring of others" not in page
    assert "Make a cohort" not in page
    assert "An administrator makes cohorts" in page
    assert desk.post("/cohorts/", MADE).status_code == HTTPStatus.NOT_FOUND


def test_the_page_shows_people_with_what_is_known_of_them(desk: Browser, autumn: Cohort) -> None:
    place = enrol(autumn, make_user("ada", first_name="Ada", last_name="Quist", sis_id="S-1815"))
    Enrolment.objects.filter(pk=place.pk).update(track="support")

    page = desk.get("/cohorts/autumn/").content.decode()

    for text in ("Ada Quist", "S-1815", "support", "not yet", "1 learner,"):
        assert text in page


def test_people_are_found_by_name_and_shown_in_pages(desk: Browser, autumn: Cohort) -> None:
    users = User.objects.bulk_create(User(username=f"learner-{n:03}") for n in range(101))
    Enrolment.objects.bulk_create(Enrolment(cohort=autumn, user=user) for user in users)

    assert "1–100 of 102" in desk.get("/cohorts/autumn/").content.decode()
    found = desk.get("/cohorts/autumn/?q=learner-042&page=nonsense").content.decode()
    assert "learner-042" in found
    assert "learner-041" not in found
    assert "Nobody here is called so" in desk.get("/cohorts/autumn/?q=%25_").content.decode()


def test_assistants_learners_and_strangers_find_no_such_page(autumn: Cohort) -> None:
    people = [enrol(autumn, role="assistant").user, enrol(autumn).user, make_user()]

    for person in people:
        browser = browser_of(person)
        assert browser.get("/cohorts/").status_code == HTTPStatus.NOT_FOUND
        assert browser.get("/cohorts/autumn/").status_code == HTTPStatus.NOT_FOUND


def test_a_session_is_added_and_after_a_question_removed(desk: Browser, autumn: Cohort) -> None:
    session = make_session(title="A second one")

    desk.post("/cohorts/autumn/sessions/", {"session": str(session.pk)})
    assert session in autumn.sessions.all()

    address = f"/cohorts/autumn/sessions/{session.slug}/remove/"
    assert "can no longer open the session" in desk.get(address).content.decode()
    assert session in autumn.sessions.all()
    desk.post(address)
    assert session not in autumn.sessions.all()
    assert desk.get(address).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("session", ["", "nonsense", "01a22ed8-bd58-7014-86cf-c67f1713e4c9"])
def test_a_session_that_there_is_not_is_not_added(
    desk: Browser, autumn: Cohort, session: str
) -> None:
    page = desk.post("/cohorts/autumn/sessions/", {"session": session}, follow=True)

    assert "Choose a session" in page.content.decode()
    assert autumn.sessions.count() == 1


def test_sessions_of_other_cohorts_are_out_of_reach(desk: Browser) -> None:
    session = make_session()
    spring = make_cohort(session, slug="spring")

    address = f"/cohorts/spring/sessions/{session.slug}/remove/"
    assert desk.post(address).status_code == HTTPStatus.NOT_FOUND
    added = desk.post("/cohorts/spring/sessions/", {"session": str(make_session().pk)})
    assert added.status_code == HTTPStatus.NOT_FOUND
    assert list(spring.sessions.all()) == [session]


def test_an_instructor_is_named_after_a_look(desk: Browser, autumn: Cohort, winter: Cohort) -> None:
    enrol(winter, make_user("pia", first_name="Pia", last_name="Roth"))

    asked = desk.post("/cohorts/autumn/instructors/", {"usernames": "pia"})
    assert "Pia Roth" in asked.content.decode()
    assert autumn.enrolments.instructors().count() == 1

    desk.post("/cohorts/autumn/instructors/", {"usernames": "pia ", "sure": "1"})
    assert autumn.enrolments.instructors().count() == 2


def test_a_learner_of_the_cohort_does_not_become_its_instructor(
    desk: Browser, autumn: Cohort
) -> None:
    enrol(autumn, make_user("ada"))

    response = desk.post("/cohorts/autumn/instructors/", {"usernames": "ada", "sure": "1"})

    assert "who answers does not review here" in response.content.decode()
    assert autumn.enrolments.get(user__username="ada").role == "learner"


def test_an_assistant_who_is_named_becomes_an_instructor(desk: Browser, autumn: Cohort) -> None:
    enrol(autumn, make_user("emil"), role="assistant")

    desk.post("/cohorts/autumn/instructors/", {"usernames": "emil", "sure": "1"})

    assert autumn.enrolments.get(user__username="emil").role == "instructor"


def test_nobody_names_themselves_instructor_elsewhere(desk: Browser) -> None:
    spring = make_cohort(slug="spring")

    response = desk.post("/cohorts/spring/instructors/", {"usernames": "sofia", "sure": "1"})

    assert response.status_code == HTTPStatus.NOT_FOUND
    assert not spring.enrolments.exists()
