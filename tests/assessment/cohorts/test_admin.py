from http import HTTPStatus

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.test import Client as Browser

from assessment.cohorts.models import Cohort, User
from tests.assessment.cohorts.conftest import browser_of
from tests.factories import enrol, make_user

pytestmark = pytest.mark.django_db


def test_createsuperuser_makes_someone_who_signs_in_and_makes_cohorts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "quiet-gradient-41")
    call_command(
        *("createsuperuser", "--noinput", "--username", "first", "--email", "f@example.org"),
        verbosity=0,
    )
    form = {"username": "first", "password": "quiet-gradient-41"}

    page = Browser().post("/sign-in/", form, follow=True).content.decode()

    assert "As an administrator you make cohorts" in page


def test_accounts_are_found_and_nothing_of_their_passwords_is_shown(
    administrator: User, autumn: Cohort
) -> None:
    ada = enrol(autumn, make_user("ada", sis_id="S-1815")).user
    browser = browser_of(administrator)

    assert "ada" in browser.get("/admin/cohorts/user/?q=S-1815").content.decode()
    page = browser.get(f"/admin/cohorts/user/{ada.pk}/change/").content.decode()
    assert "S-1815" in page
    assert "md5" not in page
    assert ada.password not in page
    assert browser.get("/admin/cohorts/enrolment/?q=ada").status_code == HTTPStatus.OK


def test_a_new_account_has_no_password(administrator: User) -> None:
    form = {"username": "pia", "is_active": "on", "sis_id": ""}

    response = browser_of(administrator).post("/admin/cohorts/user/add/", form)

    assert response.status_code == HTTPStatus.FOUND
    pia = User.objects.get(username="pia")
    assert (pia.has_usable_password(), pia.sis_id) == (False, None)


def test_staff_with_every_permission_but_no_administrator_changes_no_account() -> None:
    clerk = make_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.all())
    browser = browser_of(clerk)
    form = {"username": "clerk", "is_active": "on", "is_superuser": "on"}

    response = browser.post(f"/admin/cohorts/user/{clerk.pk}/change/", form)

    assert response.status_code == HTTPStatus.FORBIDDEN
    assert browser.get("/admin/cohorts/invitation/").status_code == HTTPStatus.FORBIDDEN


def test_records_and_accounts_are_not_deleted(administrator: User) -> None:
    ada = make_user("ada")

    response = browser_of(administrator).post(
        f"/admin/cohorts/user/{ada.pk}/delete/", {"post": "y"}
    )

    assert response.status_code == HTTPStatus.FORBIDDEN


def test_the_admin_sends_to_the_page_that_counts_tries_for_a_password(administrator: User) -> None:
    browser = browser_of(administrator)
    guess = {"old_password": "guess", "new_password1": "x", "new_password2": "x"}

    for response in (
        browser.get("/admin/password_change/"),
        browser.post("/admin/password_change/", guess),
    ):
        assert response.headers["Location"] == "/password/"
