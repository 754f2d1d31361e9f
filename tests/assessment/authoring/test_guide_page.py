"""The guide: everything that the documents hold, to those who teach it and to no one else."""

import re
from collections.abc import Iterator
from html import unescape
from http import HTTPStatus
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.models import CharField, JSONField, Model, TextField
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from assessment.cohorts.models import Cohort, User
from exercises.models import Session, Slide
from tests.factories import enrol, make_cohort, make_session

ROOT = Path(__file__).parents[3]
BUNDLED = ROOT / "exercises" / "content" / "applied-ai-advanced-11"

pytestmark = pytest.mark.django_db

# What is no text of the documents: names of rows, digests, and how the engine is bound.
NO_TEXT = {"id", "slug", "key", "digest", "kind", "until", "element", "binding", "feedback"}
NO_TEXT |= {"numbers", "decimal", "mark", "place", "evidence", "prompt_before", "given", "vary"}
NO_TEXT |= {"variation", "tolerance", "options", "shape", "step", "name_in_reference", "predicted"}


@pytest.fixture
def cohort() -> Cohort:
    """Return a cohort that works through the bundled session."""
    call_command("import_session", str(BUNDLED), verbosity=0)
    return make_cohort(Session.objects.get())


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_of(cohort: Cohort, role: str = "instructor") -> str:
    slug = cohort.sessions.get().slug
    client = signed_in(enrol(cohort, role=role).user)
    return client.get(reverse("session-guide", args=[slug])).content.decode()


def words_of(text: str) -> str:
    """Return letters and digits alone: typesetting changes blanks, quotes and signs."""
    return "".join(re.findall(r"[^\W_]", text.casefold()))


def shown(html: str) -> str:
    """Return the words of a page; a formula counts by its source, which its MathML keeps."""
    html = re.sub(r"<math.*?alttext=\"(.*?)\".*?</math>", r" \1 ", html, flags=re.DOTALL)
    return words_of(unescape(re.sub(r"<[^>]+>", " ", html)))


def texts_of(row: Model) -> Iterator[tuple[str, str]]:
    """Yield every text that a row keeps, by its column."""
    for column in row._meta.concrete_fields:
        if column.name in NO_TEXT or not isinstance(column, CharField | TextField | JSONField):
            continue
        value = getattr(row, column.name)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and text:
                yield column.name, text


def test_every_text_of_every_stored_row_is_on_the_page(cohort: Cohort) -> None:
    whole = page_of(cohort)
    # A slide's note holds what was cut out of it, so that each thing must stand elsewhere too.
    slides = whole.index('id="slides"')
    page = {True: shown(whole[slides:]), False: shown(whole[:slides])}
    tables = [
        *apps.get_app_config("exercises").get_models(),
        *apps.get_app_config("rubrics").get_models(),
    ]

    missing = [
        f"{table.__name__}.{column}: {text}"
        for table in tables
        for row in table._default_manager.all()
        for column, text in texts_of(row)
        if words_of(text) not in page[table is Slide]
    ]

    assert not missing, "\n".join(missing)
    assert sum(table._default_manager.count() for table in tables) > 200


def test_every_number_of_the_plan_and_the_rubrics_is_on_the_page(cohort: Cohort) -> None:
    page = unescape(re.sub(r"<[^>]+>", " ", page_of(cohort)))
    session = cohort.sessions.get()

    for row in session.planrows.all():
        assert f"{row.start}–{row.end}" in page
    for exercise in session.exercises.select_related("current"):
        assert exercise.current is not None
        for rubric in exercise.current.rubrics.all():
            for criterion in rubric.criteria.all():
                line = rf"{re.escape(criterion.title)}\s+.*?\s+{criterion.points.normalize():f}\s"
                assert re.search(line, page)


@pytest.mark.parametrize("role", ["instructor", "assistant"])
def test_those_who_teach_it_read_it(cohort: Cohort, role: str) -> None:
    assert "Teaching decision" in page_of(cohort, role)


@pytest.mark.parametrize("who", ["learner", "elsewhere", "former", "missing"])
def test_everyone_else_never_learns_that_it_exists(cohort: Cohort, who: str) -> None:
    slug = cohort.sessions.get().slug
    place = enrol(cohort, role="learner" if who == "learner" else "instructor")
    if who == "elsewhere":
        place = enrol(make_cohort(make_session()), role="instructor")
    if who == "former":
        place.left_at = place.joined_at
        place.save()
    path = reverse("session-guide", args=["no-such" if who == "missing" else slug])

    answer = signed_in(place.user).get(path)

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert cohort.sessions.get().title not in answer.content.decode()


def test_a_stranger_is_sent_to_sign_in(cohort: Cohort, client: Client) -> None:
    path = reverse("session-guide", args=[cohort.sessions.get().slug])

    answer = client.get(path)

    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"] == f"{reverse('sign-in')}?next={path}"


def test_the_page_takes_a_bounded_number_of_queries(
    cohort: Cohort, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(enrol(cohort, role="instructor").user)
    path = reverse("session-guide", args=[cohort.sessions.get().slug])

    with django_assert_max_num_queries(40):
        client.get(path)
