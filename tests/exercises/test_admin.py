from http import HTTPStatus
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from assessment.cohorts.models import User

CONTENT = Path(__file__).parents[2] / "exercises" / "content"

pytestmark = pytest.mark.django_db


@pytest.fixture
def superuser(client: Client) -> Client:
    call_command("import_session", str(CONTENT / "applied-ai-advanced-11"), verbosity=0)
    client.force_login(User.objects.create_superuser("root", password="secret"))
    return client


def registered() -> list[type[Model]]:
    labels = ("exercises", "rubrics")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    return [model for model in models if admin.site.is_registered(model)]


@pytest.mark.parametrize("model", registered(), ids=lambda model: model.__name__)
def test_content_is_looked_at_and_never_changed(superuser: Client, model: type[Model]) -> None:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = model._default_manager.first()
    assert row is not None

    page = reverse(f"{name}_change", args=[row.pk])
    assert superuser.get(reverse(f"{name}_changelist")).status_code == HTTPStatus.OK
    assert superuser.get(page).status_code == HTTPStatus.OK
    assert superuser.get(reverse(f"{name}_add")).status_code == HTTPStatus.FORBIDDEN
    assert superuser.post(page, {}).status_code == HTTPStatus.FORBIDDEN
    assert superuser.post(
        reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}
    ).status_code == (HTTPStatus.FORBIDDEN)
