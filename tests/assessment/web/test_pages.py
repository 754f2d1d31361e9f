"""The frame's own pages, and the pages for errors."""

from http import HTTPStatus

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_the_colour_choice_is_stored_and_leads_back(client: Client) -> None:
    answer = client.post(reverse("web:theme"), {"theme": "dark", "next": "/sessions/?page=2"})

    assert answer.status_code == HTTPStatus.FOUND
    assert answer["Location"] == "/sessions/?page=2"
    assert client.cookies["theme"].value == "dark"


def test_the_systems_colours_forget_the_choice(client: Client) -> None:
    client.post(reverse("web:theme"), {"theme": "dark"})

    client.post(reverse("web:theme"), {"theme": "system"})

    assert client.cookies["theme"].value == ""


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""]
)
def test_the_colour_choice_leads_nowhere_else(client: Client, target: str) -> None:
    answer = client.post(reverse("web:theme"), {"theme": "dark", "next": target})

    assert answer["Location"] == "/"


def test_the_colour_choice_is_no_link(client: Client) -> None:
    assert client.get(reverse("web:theme")).status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_a_missing_page_is_friendly(client: Client) -> None:
    answer = client.get("/no/such/page/")

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert b"There is nothing at this address" in answer.content


@pytest.mark.parametrize("name", ["400.html", "403.html", "404.html", "500.html"])
def test_an_error_page_needs_no_request(name: str) -> None:
    page = render_to_string(name)

    assert "<h1>" in page
    assert 'href="/"' in page
