"""Nothing of the instructor's reaches a learner before release, by any door."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from assessment.attempts import checking
from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from assessment.review.releasing import release
from exercises import models as content
from tests.factories import bearer, enrol, make_cohort, make_review

pytestmark = pytest.mark.django_db

PACKAGE = Path(content.__file__).parent.parent / "content" / "applied-ai-advanced-11"
SECRET = "for-instructors-only"
# Every text that is the instructor's, by model and field.
SECRETS: list[tuple[type[Model], list[str]]] = [
    (content.Slide, ["note"]),
    (content.ClassCheck, ["answer", "remark"]),
    (content.ExpectedWrongAnswer, ["text", "refutation"]),
    (content.CommonError, ["refutation"]),
    (content.Misconception, ["statement", "correction", "probe"]),
    (content.Concept, ["teaching_note", "appendix", "appendix_formula"]),
    (content.PlanRow, ["activity", "evidence"]),
    (content.TransferChallenge, ["expected", "misconception", "refutation", "remark"]),
    (content.ExerciseVersion, ["solution_title", "solved_variant"]),
    (content.Session, ["teaching_decision"]),
]
# What the documents print about the variation of exercise 1, and the worked case's results.
FIGURES = ["0.748", "0.184", "0.068", "0.291", "0.665", "0.245", "0.090", "0.408"]
# What a person gave: one criterion, and the total of five.
POINTS = ["0.97", "4.85"]
TYPED = {
    "exp": "[11.023; 2.718; 1]",
    "sum": "3.4",
    "softmax": "[0.706; 0.294; 0]",
    "loss": "0.348",
}


@pytest.fixture
def session() -> content.Session:
    """Return the bundled session with every instructor's text marked."""
    call_command("import_session", str(PACKAGE), verbosity=0)
    for model, fields in SECRETS:
        model._default_manager.update(**dict.fromkeys(fields, SECRET))
    content.ExerciseVersion.objects.update(solution=[SECRET])
    hidden = content.Passage.objects.exclude(kind__in=content.Passage.LEARNER_KINDS)
    hidden.update(text=SECRET)
    content.WorkedLine.objects.filter(withheld=True).update(text=SECRET)
    return content.Session.objects.get()


@pytest.fixture
def ada(session: content.Session) -> Enrolment:
    return enrol(make_cohort(session))


@pytest.fixture
def submission(session: content.Session, ada: Enrolment) -> Submission:
    """Return a reviewed attempt at exercise 1, made on the pages, with nothing released."""
    client = Client()
    client.force_login(ada.user)
    url = session.exercises.get(number=1).get_absolute_url()
    client.post(f"{url}prediction/", {"direction": "down", "step": "store"})
    client.post(f"{url}draft/", {"exp.data": "z"})
    client.post(
        f"{url}submit/", {f"{name}.result": text for name, text in TYPED.items()} | {"despite": "1"}
    )
    submission = Submission.objects.get()
    checking.check(submission.pk)
    submission.refresh_from_db()
    reviewer = enrol(ada.cohort, role="instructor").user
    points = ["0.97"] * 5
    make_review(submission, reviewer, *points, dominant_break="claim_scope", note=SECRET, level=1)
    return submission


def addresses(submission: Submission) -> set[str]:
    """Return every address of the service that takes a GET, filled with what there is."""
    known = {
        "slug": [submission.exercise.slug, submission.exercise.session.slug],
        "submission_id": [str(submission.pk)],
        "pk": [str(submission.pk)],
        "cohort": [submission.enrolment.cohort.slug],
    }
    found: set[str] = set()
    for pattern in patterns(get_resolver()):
        filled = {pattern}
        for name, values in known.items():
            filled = {
                re.sub(rf"<[^<>:]*:?{name}>", value, each) for each in filled for value in values
            }
        found |= {f"/{each}" for each in filled if "<" not in each and "(" not in each}
    return found


def patterns(resolver: URLResolver, prefix: str = "") -> list[str]:
    found = []
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            found += patterns(each, route)
        elif isinstance(each, URLPattern):
            found.append(route)
    return found


def crawl(client: Client, start: set[str]) -> dict[str, str]:
    """Return the texts of all pages that can be reached, by address."""
    seen: dict[str, str] = {}
    waiting = set(start)
    while waiting:
        address = waiting.pop()
        response: Any = client.get(address)
        text = b"".join(response.streaming_content if response.streaming else [response.content])
        seen[address] = text.decode(errors="replace")
        if "html" in response.headers.get("Content-Type", ""):
            links = re.findall(r'(?:href|action)="(/[^"#]*)', seen[address])
            pages = {link.replace("&amp;", "&") for link in links if "/static/" not in link}
            waiting |= pages - set(seen)
    return seen


def figures_in(text: str, figures: list[str]) -> list[str]:
    """Return those that stand in the text as numbers of their own."""
    return [each for each in figures if re.search(rf"(?<![\d.]){re.escape(each)}(?!\d)", text)]


def test_no_page_shows_a_learner_what_is_the_instructors(
    ada: Enrolment, submission: Submission
) -> None:
    client = Client()
    client.force_login(ada.user)

    texts = crawl(client, addresses(submission))

    assert submission.get_absolute_url() in texts
    assert len(texts) > 30
    for address, text in texts.items():
        assert SECRET not in text, address
        assert not figures_in(text, POINTS), address
        if address != "/design/":  # specimens of demo mode, of no session
            assert not figures_in(text, FIGURES), address


def test_no_answer_of_the_api_does_either(ada: Enrolment, submission: Submission) -> None:
    api = APIClient(headers=bearer(ada.user, "learn"))

    addresses_ = {each for each in addresses(submission) if each.startswith("/api/v1/")}
    texts = {each: api.get(each).content.decode() for each in addresses_}

    assert '"first_break"' in texts[f"/api/v1/submissions/{submission.pk}/"]
    for address, text in texts.items():
        assert SECRET not in text, address
        assert not figures_in(text, POINTS), address
        assert "claim_scope" not in text, address
        assert not figures_in(text, FIGURES), address


def test_the_unreleased_tag_is_not_on_the_learners_page(
    ada: Enrolment, submission: Submission
) -> None:
    client = Client()
    client.force_login(ada.user)

    text = client.get(submission.get_absolute_url()).content.decode()

    assert "Claim scope" not in text
    assert "Points" not in text


def test_release_opens_points_tag_and_note(ada: Enrolment, submission: Submission) -> None:
    releaser = ada.cohort.enrolments.get(role="instructor").user
    release([submission], by=releaser)
    client = Client()
    client.force_login(ada.user)

    text = client.get(submission.get_absolute_url()).content.decode()

    assert "4.85" in text
    assert "Claim scope" in text
    assert SECRET in text  # the reviewer's note, now meant for the learner
