"""Who may come to which door: every route and method, asked as every caller.

``who_may.txt`` says what each of them gets. A new route fails here until its lines stand there.
"""

import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.db.models import Model
from pytest_django.plugin import DjangoDbBlocker

from assessment.attempts.models import Draft, Prediction, Submission
from assessment.cohorts.clients import client_scopes
from assessment.cohorts.models import Client, Cohort, PlaceOffer, User
from assessment.grades.models import Context, Exemption, Platform, PointsFile
from assessment.review.models import Review
from exercises.models import Exercise, Session
from tests.factories import bearer
from tests.routes import table, world
from tests.routes.walking import routes
from tests.routes.world import CANARIES, Caller, World

once = pytest.mark.once
pytestmark = pytest.mark.django_db  # whatever a test does is undone inside the module's world

ROWS = table.read()
ROUTES = routes()
DOORS = [(method, route) for route in ROUTES for method in table.METHODS]
API = [route for route in ROUTES if route.startswith("/api/v1/") and "^" not in route]
# Doors that machines and other sites' browsers come to: a secret or a signature stands in the form.
WITHOUT_FORM_TOKEN = [
    "/oauth/token/",
    "/oauth/token",
    "/oauth/revoke/",
    "/lti/login/",
    "/lti/launch/",
]
# What people and LMSs write, with where it is kept.
TYPED: list[tuple[type[Model], str]] = [
    (User, "first_name"),
    (User, "last_name"),
    (User, "email"),
    (Cohort, "name"),
    (Client, "name"),
    (PlaceOffer, "written"),
    (Prediction, "reason"),
    (Review, "note"),
    (Exemption, "reason"),
    (PointsFile, "name"),
    (Platform, "name"),
    (Context, "title"),
    (Exercise, "title"),
    (Session, "title"),
]
PRIVATE = re.compile(r"^Cache-Control: .*\b(private|no-store)\b", re.MULTILINE)
PEOPLE = ["owner", "peer", "elsewhere", "left", "assistant", "instructor", "foreign", "former"]


@pytest.fixture(scope="module")
def populated(
    django_db_setup: None,  # noqa: ARG001 (the tables)
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[World]:
    """Return the world, made once; it is gone after this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield world.populate()
        transaction.set_rollback(True)


def observed(populated: World, method: str, route: str) -> tuple[table.Row, dict[str, str]]:
    """Ask as every caller, each in an untouched world; return the row and what was read."""
    cells, texts = {}, {}
    for caller in populated.callers:
        with transaction.atomic():
            answer = populated.ask(caller, method, route)
            transaction.set_rollback(True)
        cells[caller], texts[caller] = answer.outcome, answer.text
    return table.Row(method, route, cells), texts


@pytest.mark.parametrize(
    ("method", "route"),
    [
        # Only what writes can end otherwise on another database.
        pytest.param(*door, id=" ".join(door), marks=[once] if door[0] == "GET" else [])
        for door in DOORS
    ],
)
def test_everyone_gets_what_the_table_says(populated: World, method: str, route: str) -> None:
    found, texts = observed(populated, method, route)
    declared = table.row_for(ROWS, method, route)

    assert declared is not None, (
        f"{method} {route} is not in {table.FILE.name}. Add this line once you are sure that each"
        f" caller should get just that:\n{table.write_line(found)}"
    )
    assert list(found.cells) == list(declared.cells), "world.py and the table name other callers"
    assert declared.differences(found) == {}, table.write_line(found)
    assert [
        f"{caller} reads {canary!r}"
        for caller, text in texts.items()
        for canary, readers in CANARIES.items()
        if canary in text and caller not in readers
    ] == []


def test_the_table_has_no_line_too_many() -> None:
    used = {id(table.row_for(ROWS, *door)) for door in DOORS}

    assert [f"{row.method} {row.route}" for row in ROWS if id(row) not in used] == []


@once
def test_head_is_answered_as_get_is(populated: World) -> None:
    answers = {}
    for route in ROUTES:
        row = table.row_for(ROWS, "GET", route)
        assert row is not None
        for caller in ("nobody", "owner", "instructor", "lms"):
            if row.cells[caller] != "any":
                found = populated.ask(caller, "HEAD", route).outcome
                answers[f"{caller} {route}"] = (row.cells[caller], found)

    assert {door: pair for door, pair in answers.items() if pair[0] != pair[1]} == {}


@once
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_no_other_method_does_anything(populated: World, method: str) -> None:
    refused = {"302", "401", "403", "404", "405", "in"}
    doors = [route for route in ROUTES if not route.startswith(("/admin/", "/sign-in/"))]

    answers = {
        f"{caller} {route}": populated.ask(caller, method, route).outcome
        for route in doors
        for caller in ("nobody", "owner", "instructor", "lms")
    }

    assert {door: found for door, found in answers.items() if found not in refused} == {}


@once
def test_every_form_is_refused_without_its_token(populated: World) -> None:
    doors = [route for route in ROUTES if not route.startswith("/ims/")]

    answers = {
        route: populated.ask("instructor", "POST", route, forged=True).outcome
        for route in doors
        if "^" not in route and route not in WITHOUT_FORM_TOKEN
    }

    assert {route: found for route, found in answers.items() if found != "403"} == {}


@once
def test_what_is_somebodys_own_stays_out_of_shared_caches(populated: World) -> None:
    own = [row for row in ROWS if row.method == "GET" and row.cells["nobody"] in {"in", "401"}]

    answers = {
        f"{caller} {row.route}": populated.ask(caller, "GET", row.route).text
        for row in own
        for caller, cell in row.cells.items()
        if cell == "200"
    }

    assert [door for door, text in answers.items() if not PRIVATE.search(text)] == []


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("method", table.METHODS)
def test_a_token_opens_what_its_owner_may_open(populated: World, who: str, method: str) -> None:
    person = populated.people[who]
    headers = bearer(person, "learn", "teach", *client_scopes())
    populated.callers["token"] = Caller(headers=headers)

    answers = {}
    for route in API:
        declared = table.row_for(ROWS, method, route)
        assert declared is not None
        with transaction.atomic():
            found = populated.ask("token", method, route).outcome
            transaction.set_rollback(True)
        answers[route] = (declared.cells[who], found)
    del populated.callers["token"]

    # A method that no scope opens is closed to tokens before it is unknown.
    assert {
        route: pair
        for route, pair in answers.items()
        if pair[0] != pair[1] and pair != ("405", "403")
    } == {}


@once
def test_nothing_that_is_typed_becomes_markup(populated: World) -> None:
    planted = "\"'><b id=planted>"
    for model, name in TYPED:
        model._default_manager.update(**{name: planted})
    Submission.objects.update(answers={"sum": {"result": planted}, "mechanism": planted})
    Draft.objects.update(answers={"workload": planted})
    pages = [route for route in ROUTES if not route.startswith(("/admin/", "/api/", "/ims/"))]

    texts = {
        f"{caller} {route}": populated.ask(caller, "GET", route).text
        for route in pages
        for caller in ("owner", "instructor", "admin")
    }

    html = {door: text for door, text in texts.items() if "Content-Type: text/html" in text}
    assert [door for door, text in html.items() if "<b id=planted>" in text] == []
    assert sum("&lt;b id=planted&gt;" in text for text in html.values()) > len(TYPED)
