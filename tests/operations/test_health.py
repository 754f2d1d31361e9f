"""The address that containers and load balancers ask."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_it_answers_to_anyone_while_the_database_does() -> None:
    answer = Client().get("/health/")

    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


def test_it_answers_a_head_request_too() -> None:
    assert Client().head("/health/").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_it_takes_no_other_method(method: str) -> None:
    assert getattr(Client(), method)("/health/").status_code == 405
