"""Launches: who gets in, as whom, and where they arrive."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client as Browser

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.models import Context, LineItem, LtiUser, Platform
from tests.assessment.grades.lti.conftest import INSTRUCTOR, begin, launch, signed_in
from tests.assessment.grades.lti.platform_double import (
    CLAIM,
    ROLE,
    PlatformDouble,
)
from tests.factories import make_cohort, make_exercise, make_user

pytestmark = pytest.mark.django_db

KIND = ROLE.replace("#", "/{}")


def test_an_instructors_first_launch_makes_the_course_a_cohort(lms: PlatformDouble) -> None:
    browser = Browser()

    response = launch(lms, INSTRUCTOR, browser)

    assert response.status_code == 302
    assert signed_in(browser)
    cohort = Cohort.objects.get(name="Mechanisms")
    enrolment = cohort.enrolments.get()
    assert enrolment.role == Enrolment.Role.INSTRUCTOR
    assert enrolment.user.lti_users.get().subject == "lms-teacher"
    assert Context.objects.get().memberships_url == f"{lms.origin}/course/members"


def test_a_learner_before_any_instructor_is_told_to_wait(lms: PlatformDouble) -> None:
    browser = Browser()

    response = launch(lms, browser=browser)

    assert response.status_code == 403
    assert b"an instructor has to open the link once first" in response.content
    assert not signed_in(browser)
    assert not User.objects.exists()


def test_a_learner_arrives_at_the_exercise_of_the_link(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    launch(lms, INSTRUCTOR)
    browser = Browser()

    response = launch(lms, {f"{CLAIM}custom": {"exercise": exercise.slug}}, browser)

    assert response["Location"] == f"{exercise.get_absolute_url()}?cohort=mechanisms"
    learner = LtiUser.objects.get(subject="lms-user-1").user
    assert (learner.first_name, learner.last_name) == ("Ada", "Lovelace")
    assert not learner.has_usable_password()
    assert learner.enrolments.get().role == Enrolment.Role.LEARNER
    item = LineItem.objects.get()
    assert (item.exercise, item.url) == (exercise, lms.line_item_url)
    assert exercise.session in Cohort.objects.get().sessions.all()


def test_launching_again_makes_nothing_new(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    for _ in range(2):
        assert launch(lms).status_code == 302

    assert (User.objects.count(), Cohort.objects.count(), Enrolment.objects.count()) == (2, 1, 2)


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        pytest.param([f"{ROLE}Learner"], "learner", id="learner"),
        pytest.param([f"{ROLE}Instructor", f"{ROLE}Learner"], "instructor", id="both"),
        pytest.param(
            [
                f"{ROLE}Instructor",
                "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",
            ],
            "assistant",
            id="assistant",
        ),
        pytest.param(["Learner"], "learner", id="short name"),
        pytest.param(
            [f"{ROLE}Learner", KIND.format("Learner#Instructor")], "learner", id="teaching learner"
        ),
        pytest.param([KIND.format("Learner#Instructor")], "learner", id="a kind of learner alone"),
        pytest.param(
            [f"{ROLE}Instructor", KIND.format("Instructor#TeachingAssistantSection")],
            "assistant",
            id="assistant of a section",
        ),
        pytest.param(
            [KIND.format("instructor#TeachingAssistant"), f"{ROLE}Instructor"],
            "assistant",
            id="assistant of Canvas",
        ),
        pytest.param([KIND.format("Instructor#Grader")], "assistant", id="grader"),
        pytest.param([KIND.format("Instructor#PrimaryInstructor")], "instructor", id="in charge"),
    ],
)
def test_roles_of_the_course_decide(lms: PlatformDouble, roles: list[str], role: str) -> None:
    launch(lms, INSTRUCTOR)

    launch(lms, {"sub": "someone", f"{CLAIM}roles": roles})

    assert LtiUser.objects.get(subject="someone").user.enrolments.get().role == role


@pytest.mark.parametrize(
    "roles",
    [
        pytest.param(
            ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"],
            id="of the school",
        ),
        pytest.param([f"{ROLE}Mentor"], id="mentor"),
        pytest.param([KIND.format("Mentor#Learner")], id="a kind of mentor"),
        pytest.param([ROLE.replace("#", "-x#") + "Instructor"], id="of another vocabulary"),
        pytest.param([], id="none"),
        pytest.param("Instructor", id="no list"),
    ],
)
def test_other_roles_have_no_place(lms: PlatformDouble, roles: object) -> None:
    launch(lms, INSTRUCTOR)
    browser = Browser()

    response = launch(lms, {"sub": "someone", f"{CLAIM}roles": roles}, browser)

    assert response.status_code == 403
    assert not signed_in(browser)


def test_a_launch_that_names_no_course_has_no_place(lms: PlatformDouble) -> None:
    browser = Browser()

    for context in (None, {}, {"id": ""}, {"id": "x" * 256}, {"id": 7}, "course"):
        response = launch(lms, INSTRUCTOR | {f"{CLAIM}context": context}, browser)

        assert response.status_code == 403, context
    assert not signed_in(browser)
    assert not Cohort.objects.exists()


def test_names_that_no_database_stores_are_read_without_what_nobody_sees(
    lms: PlatformDouble,
) -> None:
    launch(lms, INSTRUCTOR | {"given_name": "A\x00da", "family_name": "\ud800Love\nlace"})

    assert str(LtiUser.objects.get().user) == "A da Love lace"


def test_many_launches_leave_no_cookies_behind(lms: PlatformDouble) -> None:
    browser = Browser()
    for _ in range(3):
        launch(lms, INSTRUCTOR, browser)

    kept = [name for name, cookie in browser.cookies.items() if cookie.value]
    assert not [name for name in kept if name.startswith("lti1p3")]


@pytest.mark.django_db(transaction=True)
def test_two_links_opened_at_once_make_one_person(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    browsers = [Browser(), Browser()]
    forms = [lms.token(begin(lms, browser)) for browser in browsers]
    met = Barrier(2)

    def arrive(browser: Browser, form: dict[str, str]) -> int:
        try:
            met.wait(timeout=10)
            return browser.post("/lti/launch/", form).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(arrive, browsers, forms))

    assert answers == [302, 302]
    assert LtiUser.objects.filter(subject="lms-user-1").count() == 1


def test_nobody_is_recognised_by_name_or_address(lms: PlatformDouble) -> None:
    known = make_user("ada", email="ada@example.org", sis_id="S-1")
    launch(lms, INSTRUCTOR)

    launch(lms, {"email": "ada@example.org", f"{CLAIM}lis": {"person_sourcedid": "S-1"}})

    assert LtiUser.objects.get(subject="lms-user-1").user != known


def test_a_platform_that_names_people_names_them_by_the_schools_number(lms: PlatformDouble) -> None:
    Platform.objects.update(names_people=True)
    known = make_user("ada", sis_id="S-1")
    chief = make_user("chief", sis_id="S-2", is_superuser=True)
    launch(lms, INSTRUCTOR)

    launch(lms, {f"{CLAIM}lis": {"person_sourcedid": "S-1"}})
    launch(lms, {"sub": "thief", f"{CLAIM}lis": {"person_sourcedid": "S-2"}})

    assert LtiUser.objects.get(subject="lms-user-1").user == known
    assert LtiUser.objects.get(subject="thief").user != chief


def test_numbers_that_differ_in_case_only_name_nobody(lms: PlatformDouble) -> None:
    Platform.objects.update(names_people=True)
    people = {make_user("ada", sis_id="s-1"), make_user("bob", sis_id="S-1")}
    launch(lms, INSTRUCTOR)

    launch(lms, {f"{CLAIM}lis": {"person_sourcedid": "S-1"}})

    assert LtiUser.objects.get(subject="lms-user-1").user not in people


@pytest.mark.parametrize("made_account", [True, False], ids=["by a list", "by themselves"])
def test_who_wrote_a_list_keeps_no_way_into_an_account_that_the_lms_names(
    lms: PlatformDouble, made_account: bool
) -> None:
    Platform.objects.update(names_people=True)
    known = make_user("ada", sis_id="S-1", email="writer-of-the-list@example.org")
    known.set_password("known to the writer of the list")
    known.save()
    Enrolment.objects.create(user=known, cohort=make_cohort(), made_account=made_account)
    launch(lms, INSTRUCTOR)

    launch(lms, {"email": "ada@example.org", f"{CLAIM}lis": {"person_sourcedid": "s-1"}})

    known.refresh_from_db()
    assert LtiUser.objects.get(subject="lms-user-1").user == known
    assert known.has_usable_password() is not made_account
    assert (known.email == "ada@example.org") is made_account


def test_a_closed_account_stays_closed(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    launch(lms)
    User.objects.filter(lti_users__subject="lms-user-1").update(is_active=False)
    browser = Browser()

    assert launch(lms, browser=browser).status_code == 403
    assert not signed_in(browser)


# --- Attacks ----------------------------------------------------------------------------------


def test_in_a_frame_cookies_are_tried_before_anything_is_typed(
    lms: PlatformDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser()
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id}

    page = browser.get("/lti/login/", asked, headers={"sec-fetch-dest": "iframe"})

    assert page.status_code == 200
    assert b'target="_blank"' in page.content
    # A hosted LMS's pages are not where its issuer is: any page may frame this one.
    assert "frame-ancestors 'self' https: " in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    # Pages do not stay in frames here, so a cookie that is kept there (an LMS on the same site) is
    # no reason to go on inside.
    assert browser.get("/lti/cookies/").json() == {"kept": False}
    monkeypatch.setattr(settings, "LTI_IN_FRAMES", True)
    assert browser.get("/lti/cookies/").json() == {"kept": True}
    assert Browser().get("/lti/cookies/").json() == {"kept": False}
    straight = browser.get("/lti/login/", asked, headers={"sec-fetch-dest": "document"})
    assert straight.status_code == 302


def test_pages_of_a_hosted_lms_are_where_its_launches_come_from(lms: PlatformDouble) -> None:
    browser = Browser()
    changed = {f"{CLAIM}launch_presentation": {"return_url": "https://school.lms.example/back?x"}}

    launch(lms, INSTRUCTOR | changed, browser)

    assert browser.session["lti-pages"] == [lms.origin, "https://school.lms.example"]
