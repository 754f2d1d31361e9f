"""What a person decided is nowhere to be seen before the release, by any door, nor after."""

from collections.abc import Iterator

from django.test import Client as Browser

from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw
from tests.assessment.review.conftest import Desk
from tests.factories import bearer, enrol, make_review, make_submission

NOTE = "A note that only the release may open."
# Points that occur nowhere else, the break's words, the reviewer's names.
TRACES = (NOTE, "4.1875", "claim scope", "claim_scope", "Claim scope", "Kowalewska", "sofia")


def decide(desk: Desk) -> None:
    """Review the submission so that each part of the decision can be recognised."""
    desk.instructor.last_name = "Kowalewska"
    desk.instructor.save()
    make_review(
        desk.submission,
        desk.instructor,
        *("4.1875", "0", "0"),
        dominant_break="claim_scope",
        level=3,
        note=NOTE,
    )


def everything_a_learner_opens(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each page and API answer."""
    session, exercise = desk.exercise.session, desk.exercise
    pages = [
        "/",
        "/sessions/",
        f"/sessions/{session.slug}/",
        f"/exercises/{exercise.slug}/",
        f"/submissions/{desk.submission.pk}/",
        f"/review/{desk.submission.pk}/",
        f"/review/{desk.submission.pk}/release/",
        f"/breaks/{desk.cohort.slug}/",
        "/review/",
        "/breaks/",
        "/lms/clients/",
    ]
    api = [
        "/api/v1/sessions/",
        f"/api/v1/sessions/{session.slug}/",
        f"/api/v1/exercises/{exercise.slug}/",
        f"/api/v1/submissions/{desk.submission.pk}/",
        f"/api/v1/submissions/{desk.submission.pk}/review/",
        "/api/v1/submissions/",
        "/api/v1/grades/",
        f"/api/v1/cohorts/{desk.cohort.slug}/breaks/",
    ]
    browser = Browser()
    browser.force_login(desk.learner.user)
    headers = bearer(desk.learner.user, "learn", "teach", "grades:read")
    for url in pages + api:
        yield url, browser.get(url, follow=True).content.decode()
    for url in api:
        answer = Browser().get(url, headers=headers)
        yield f"token {url}", answer.content.decode() + str(answer.headers)


def traces_found(desk: Desk) -> dict[str, list[str]]:
    """Return what of the decision was found, by address."""
    found = {
        url: [trace for trace in TRACES if trace in text]
        for url, text in everything_a_learner_opens(desk)
    }
    return {url: traces for url, traces in found.items() if traces}


def test_nothing_of_an_unreleased_decision_is_visible(desk: Desk) -> None:
    decide(desk)

    assert traces_found(desk) == {}


def test_whether_it_was_reviewed_changes_nothing_that_a_learner_can_compare(desk: Desk) -> None:
    def points_and_versions() -> list[object]:
        answer = Browser().get(
            f"/api/v1/submissions/{desk.submission.pk}/",
            headers=bearer(desk.learner.user, "learn"),
        )
        body = answer.json()
        body.pop("state", None)  # the contract shows that a person has looked
        return [body]

    before = points_and_versions()
    decide(desk)

    assert points_and_versions() == before


def test_the_release_opens_it_and_the_withdrawal_closes_it_everywhere(desk: Desk) -> None:
    decide(desk)
    release([desk.submission], desk.instructor)
    opened = traces_found(desk)
    assert NOTE in opened[f"/submissions/{desk.submission.pk}/"]
    assert "4.1875" in opened[f"/submissions/{desk.submission.pk}/"]

    withdraw(Grade.objects.get(), desk.instructor)

    assert traces_found(desk) == {}


def test_another_learner_sees_nothing_even_after_the_release(desk: Desk) -> None:
    decide(desk)
    release([desk.submission], desk.instructor)
    desk.learner = enrol(desk.cohort)

    assert traces_found(desk) == {}


def test_a_released_grade_stays_with_its_attempt_when_a_later_one_comes(desk: Desk) -> None:
    decide(desk)
    release([desk.submission], desk.instructor)
    later = make_submission(desk.learner, desk.exercise)

    grade = Grade.objects.get()

    assert grade.submission == desk.submission
    assert NOTE in traces_found(desk)[f"/submissions/{desk.submission.pk}/"]
    make_review(later, desk.instructor, "5", "2.5", "2.5")
    release([later], desk.instructor)
    grade.refresh_from_db()
    assert (grade.submission, grade.status) == (later, Grade.Status.RELEASED)
    assert NOTE in traces_found(desk)[f"/submissions/{desk.submission.pk}/"]
    withdraw(grade, desk.instructor)
    assert traces_found(desk) == {}
