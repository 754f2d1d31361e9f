"""The pages of administrators and instructors: reachable, and exact to the letter."""

import pytest
from django.test import Client as Browser
from django.utils.html import escape

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.models import LtiUser
from assessment.grades.outbox.collecting import collect
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch
from tests.assessment.grades.lti.platform_double import CLAIM, PlatformDouble
from tests.factories import make_exercise, make_submission, make_user

pytestmark = pytest.mark.django_db


def test_administrators_find_the_lmss_in_the_navigation_and_nobody_else_does() -> None:
    chief, other = Browser(), Browser()
    chief.force_login(make_user("chief", is_superuser=True))
    other.force_login(make_user("ada"))

    assert 'href="/lti/platforms/"' in chief.get("/sessions/").content.decode()
    assert 'href="/lti/platforms/"' not in other.get("/sessions/").content.decode()


@pytest.mark.parametrize("path", ["launch", "login", "keys"])
def test_what_the_lms_has_to_know_is_there_to_be_copied(path: str) -> None:
    chief = Browser()
    chief.force_login(make_user("chief", is_superuser=True))

    page = chief.get("/lti/platforms/").content.decode()

    assert f'value="http://testserver/lti/{path}/"' in page


def test_exercises_to_choose_say_their_session_and_what_they_are_worth(
    lms: PlatformDouble,
) -> None:
    exercise = make_exercise()
    browser = Browser()
    asked = {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest",
        "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": {
            "deep_link_return_url": f"{lms.origin}/back",
            "accept_types": ["ltiResourceLink"],
            "accept_presentation_document_targets": ["window"],
        },
    }

    response = launch(lms, INSTRUCTOR | asked, browser)
    page = browser.get(response["Location"]).content.decode()

    assert escape(f"{exercise.session.title}: {exercise} (10 points)") in page


def test_a_launch_leads_to_the_place_in_its_own_course(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    link = {f"{CLAIM}custom": {"exercise": exercise.slug}}
    first = {f"{CLAIM}context": {"id": "course-1", "title": "First"}}
    second = {f"{CLAIM}context": {"id": "course-2", "title": "Second"}}
    for course in (first, second):
        launch(lms, INSTRUCTOR | link | course)
        launch(lms, link | course)

    response = launch(lms, link | first)

    assert response["Location"] == f"{exercise.get_absolute_url()}?cohort=first"


def test_a_learner_finds_what_the_lms_was_told_beside_the_attempt(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    link = {f"{CLAIM}custom": {"exercise": exercise.slug}}
    browser = Browser()
    launch(lms, INSTRUCTOR | link)
    launch(lms, link, browser)
    person = LtiUser.objects.get(subject="lms-user-1")
    place = Enrolment.objects.get(user=person.user, cohort=Cohort.objects.get(name="Mechanisms"))
    submission = make_submission(place, exercise)
    assert 'href="/lms/"' not in browser.get(submission.get_absolute_url()).content.decode()

    collect()

    assert 'href="/lms/"' in browser.get(submission.get_absolute_url()).content.decode()
    assert exercise.title in browser.get("/lms/").content.decode()
