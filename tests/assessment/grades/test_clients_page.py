import re
from http import HTTPStatus

import pytest
from django.test import Client as Browser

from assessment.cohorts.models import AccessToken, Client
from tests.assessment.grades.conftest import Course, ask_token, lms_headers
from tests.factories import enrol, make_client, make_cohort, make_user

URL = "/lms/clients/"


def make(browser: Browser, course: Course, **fields: object) -> str:
    """Send the form as the instructor; returns the page."""
    browser.force_login(course.instructor)
    filled = {"name": "School", "cohorts": [str(course.cohort.pk)], "scopes": ["grades:read"]}
    return browser.post(URL, filled | fields).content.decode()


def test_a_client_is_made_and_its_secret_is_shown_once(course: Course, client: Browser) -> None:
    page = make(client, course)

    made = Client.objects.get(name="School")
    identity, secret = re.findall(r'id="client-(?:id|secret)"\s+value="([^"]+)"', page)
    assert identity == made.client_id
    assert list(made.cohorts.all()) == [course.cohort]
    assert secret not in client.get(URL).content.decode()
    assert secret != made.client_secret, "only the hash is kept"
    token = ask_token(made, client_secret=secret)
    assert token["status"] == HTTPStatus.OK
    assert token["scope"] == "grades:read"


def test_the_page_says_where_to_read(course: Course, client: Browser) -> None:
    client.force_login(course.instructor)
    page = client.get(URL).content.decode()
    addresses = dict(re.findall(r'id="(\w+)-address"\s+value="http://testserver([^"]+)"', page))
    headers = lms_headers(course.lms)

    assert ask_token(course.lms)["status"] == HTTPStatus.OK
    assert addresses["token"] == "/oauth/token/"
    assert client.get(addresses["rest"], headers=headers).status_code == HTTPStatus.OK
    for service, collection in (("gradebook", "results"), ("rostering", "users")):
        answer = client.get(f"{addresses[service]}/{collection}", headers=headers)
        assert answer.status_code == HTTPStatus.FORBIDDEN, "known, and not within its scopes"


def test_last_use_is_shown(course: Course, client: Browser) -> None:
    client.force_login(course.instructor)
    assert "never" in client.get(URL).content.decode()

    client.get("/api/v1/grades/", headers=lms_headers(course.lms))

    assert "never" not in client.get(URL).content.decode()


def test_revoking_asks_first_and_closes_client_and_tokens(course: Course, client: Browser) -> None:
    headers = lms_headers(course.lms)
    client.force_login(course.instructor)
    url = f"{URL}{course.lms.pk}/revoke/"
    assert "cannot be undone" in client.get(url).content.decode()
    assert Browser().get("/api/v1/grades/", headers=headers).status_code == HTTPStatus.OK

    page = client.post(url, follow=True).content.decode()

    assert "1 token stopped working" in page
    assert "revoked" in page
    assert not AccessToken.objects.exists()
    answer = Browser().get("/api/v1/grades/", headers=headers)
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert ask_token(course.lms)["status"] == HTTPStatus.UNAUTHORIZED
    assert client.post(url).status_code == HTTPStatus.NOT_FOUND, "it is revoked already"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"name": ""}, id="no name"),
        pytest.param({"name": "x" * 101}, id="name too long"),
        pytest.param({"cohorts": []}, id="no cohort"),
        pytest.param({"scopes": []}, id="no scope"),
        pytest.param({"scopes": ["teach"]}, id="a person's scope"),
        pytest.param({"scopes": ["everything"]}, id="unknown scope"),
    ],
)
def test_a_form_that_does_not_fit_makes_nothing(
    course: Course, client: Browser, fields: dict[str, object]
) -> None:
    assert "error-summary" in make(client, course, **fields)
    assert list(Client.objects.all()) == [course.lms]


def test_nobody_binds_a_client_to_a_cohort_of_others(course: Course, client: Browser) -> None:
    foreign = make_cohort()

    page = make(client, course, cohorts=[str(course.cohort.pk), str(foreign.pk)])

    assert "error-summary" in page
    assert not Client.objects.filter(name="School").exists()


def test_clients_that_read_cohorts_of_others_too_are_an_administrators(
    course: Course, client: Browser
) -> None:
    both = make_client(course.cohort, make_cohort())
    client.force_login(course.instructor)
    assert both.client_id not in client.get(URL).content.decode()
    assert client.get(f"{URL}{both.pk}/revoke/").status_code == HTTPStatus.NOT_FOUND

    client.force_login(make_user(is_superuser=True))

    assert both.client_id in client.get(URL).content.decode()
    assert client.get(f"{URL}{both.pk}/revoke/").status_code == HTTPStatus.OK


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    ("role", "status"),
    [
        pytest.param("learner", HTTPStatus.NOT_FOUND, id="learner"),
        pytest.param("assistant", HTTPStatus.NOT_FOUND, id="assistant"),
    ],
)
def test_only_instructors_and_administrators_manage_clients(
    course: Course, client: Browser, method: str, role: str, status: HTTPStatus
) -> None:
    client.force_login(enrol(course.cohort, role=role).user)

    assert getattr(client, method)(URL).status_code == status
    revoke = getattr(client, method)(f"{URL}{course.lms.pk}/revoke/")
    assert revoke.status_code == HTTPStatus.NOT_FOUND


def test_nobody_is_sent_to_sign_in(course: Course, client: Browser) -> None:
    assert client.get(URL)["Location"].startswith("/sign-in/")
    assert course.lms.client_id not in client.get(URL, follow=True).content.decode()
