"""A refused form gives the text back."""

from http import HTTPStatus

import pytest
from django.test import Client, RequestFactory

from assessment.web.refusals import MAX_CHARACTERS, csrf_failure, typed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    """Return a client that is refused without a token, as a browser is."""
    return Client(enforce_csrf_checks=True)


def test_a_stale_form_shows_what_was_typed(browser: Client) -> None:
    answer = browser.post("/theme/", {"exp.result": "[7.389; 2.718; 1]", "note": "two\nlines"})

    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "[7.389; 2.718; 1]</textarea>" in page
    assert "two\nlines</textarea>" in page
    assert ">Exp result</label>" in page
    assert "no-store" in answer["Cache-Control"]


def test_lines_and_repeated_fields_stay_apart() -> None:
    form = {"note": "one\ntwo\nthree", "cohorts": ["autumn", "spring"]}
    request = RequestFactory().post("/theme/", form)

    note, cohorts = typed_in(request)

    assert (note.text, note.rows) == ("one\ntwo\nthree", 4)
    assert (cohorts.text, cohorts.rows) == ("autumn\nspring", 3)


def test_secrets_and_machinery_are_not_shown(browser: Client) -> None:
    answer = browser.post(
        "/theme/",
        {
            "username": "ada",
            "password": "correct horse",
            "csrfmiddlewaretoken": "abc",
            "next": "/x",
        },
    )

    page = answer.content.decode()
    assert "ada</textarea>" in page
    assert "correct horse" not in page
    assert "abc</textarea>" not in page


def test_what_was_typed_stays_text(browser: Client) -> None:
    answer = browser.post("/theme/", {"<b>": "</textarea><script>alert(1)</script>"})

    page = answer.content.decode()
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;" in page


def test_the_page_is_bounded() -> None:
    request = RequestFactory().post("/", {f"f{i}": "x" * 5_000 for i in range(90)})

    assert sum(len(field.text) for field in typed_in(request)) == MAX_CHARACTERS


def test_a_form_that_cannot_be_read_gets_the_page_without_text() -> None:
    request = RequestFactory().post(
        "/", b"x" * 2_000_000, content_type="application/x-www-form-urlencoded"
    )

    answer = csrf_failure(request, reason="CSRF token missing.")

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert b"typed-1" not in answer.content


@pytest.mark.parametrize(
    ("referer", "page"),
    [
        pytest.param(
            "http://testserver/exercises/e/", "http://testserver/exercises/e/", id="our own page"
        ),
        pytest.param("https://evil.example/", "/", id="another site"),
        pytest.param("javascript:alert(1)", "/", id="a script"),
        pytest.param("", "/", id="none"),
    ],
)
def test_the_way_back_leads_to_the_page_of_the_form(
    browser: Client, referer: str, page: str
) -> None:
    answer = browser.post("/theme/", {"note": "x"}, headers={"referer": referer})

    assert f'<a class="button button-primary" href="{page}">' in " ".join(
        answer.content.decode().split()
    )
