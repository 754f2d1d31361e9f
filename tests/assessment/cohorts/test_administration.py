"""Django's administration: for administrators only, and without clients and tokens."""

import warnings
from http import HTTPStatus

import pytest
from django.contrib import admin
from django.test import Client as Browser
from django.urls import reverse

from assessment.cohorts.models import AccessToken, Client, User
from tests.factories import bearer, enrol, make_client, make_cohort, make_exercise, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(client: Browser) -> Browser:
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_clients_and_tokens_are_no_rows_to_edit(administrator: Browser) -> None:
    lms = make_client(make_cohort(make_exercise().session))
    bearer(make_user(), "learn")

    assert "oauth" not in administrator.get("/admin/").content.decode().lower()
    for model, row in ((Client, lms), (AccessToken, AccessToken.objects.get())):
        name = f"admin:cohorts_{model._meta.model_name}"
        for address in (
            reverse(f"{name}_changelist"),
            reverse(f"{name}_add"),
            reverse(f"{name}_change", args=[row.pk]),
            reverse(f"{name}_delete", args=[row.pk]),
        ):
            assert administrator.get(address).status_code == HTTPStatus.FORBIDDEN, address


@pytest.mark.parametrize("role", ["learner", "assistant", "instructor"])
def test_nobody_else_comes_in(client: Browser, role: str) -> None:
    client.force_login(enrol(make_cohort(make_exercise().session), role=role).user)

    answer = client.get("/admin/")

    assert answer.headers["Location"].startswith("/admin/login/")


def test_every_form_is_made_without_a_warning(administrator: Browser) -> None:
    models = [model for model in admin.site._registry if model._meta.app_label != "axes"]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        statuses = {
            model: administrator.get(
                reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
            ).status_code
            for model in models
        }

    assert set(statuses.values()) <= {HTTPStatus.OK, HTTPStatus.FORBIDDEN}
