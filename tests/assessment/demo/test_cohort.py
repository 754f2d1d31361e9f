"""The demo cohort: made once, by the real verbs, with work of every kind."""

import logging
from decimal import Decimal

import pytest
from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from assessment.attempts.models import Check, Submission
from assessment.cohorts.models import Cohort, User
from assessment.demo import cohort, preparing
from assessment.demo.work import WORK
from assessment.review.models import Grade, Review
from exercises import references

pytestmark = pytest.mark.django_db

_STATUSES = {
    *("right", "carried", "coarse", "unsupported", "slip"),
    *("wrong", "unreadable", "missing"),
}


@pytest.fixture
def made() -> Cohort:
    """Return the cohort, made as a first start makes it."""
    preparing.prepare(lambda _line: None)
    return Cohort.objects.get(slug=cohort.SLUG)


def test_it_has_24_learners_with_work_of_every_kind(made: Cohort) -> None:
    mistakes = {
        mistake.name
        for step in references.get("cross_entropy").steps
        for mistake in step.mistakes
        if mistake.name != "power_of_two"  # nobody here takes e for 2
    }
    checks = Check.objects.filter(submission__exercise__number=1)
    statuses = {step["status"] for check in checks for step in check.result["steps"]}
    states = set(Submission.objects.values_list("state", flat=True))

    assert made.enrolments.learners().count() == 24
    assert states == {"checked", "reviewed", "released"}
    assert mistakes <= set(Check.objects.values_list("cause", flat=True))
    assert statuses >= _STATUSES
    assert set(Review.objects.values_list("dominant_break", flat=True)) >= {
        *("", "none", "vocabulary", "operation", "interpretation", "claim_scope", "cannot_tell"),
    }


@pytest.mark.usefixtures("made")
def test_every_planted_mistake_is_the_one_that_is_found() -> None:
    for username, attempts in WORK.items():
        found = Submission.objects.filter(enrolment__user__username=username).order_by("number")
        for attempt in attempts:
            if attempt.manner.mistake:
                first = found.filter(exercise__number=attempt.exercise)[0]
                check = first.checks.get()
                assert (check.first_step, check.cause) == attempt.manner.mistake, username


@pytest.mark.usefixtures("made")
def test_every_review_takes_the_points_that_the_engine_proposed() -> None:
    for review in Review.objects.select_related("check_seen").prefetch_related("scores"):
        assert review.check_seen is not None
        proposed = review.check_seen.proposed["criteria"]
        for score in review.scores.all():
            known = proposed[score.title]["points"]
            assert known is None or Decimal(known) == score.points


def test_the_accounts_sign_in_with_the_password_that_the_page_shows(made: Cohort) -> None:
    for username in settings.DEMO_ACCOUNTS:
        assert User.objects.get(username=username).check_password(settings.DEMO_PASSWORD)
    others = made.enrolments.exclude(user__username__in=settings.DEMO_ACCOUNTS)
    assert others.count() == 22
    assert not any(place.user.has_usable_password() for place in others.select_related("user"))


def test_one_learner_has_nothing_submitted_and_one_has_graded_work(made: Cohort) -> None:
    roles = dict(made.enrolments.values_list("role").annotate(Count("id")))

    assert roles == {"learner": 24, "instructor": 1, "assistant": 1}
    assert not Submission.objects.filter(enrolment__user__username="blaise").exists()
    assert Grade.objects.released().filter(enrolment__user__username="ada").count() == 2


@pytest.mark.usefixtures("made")
def test_one_account_administers_and_has_no_place_in_the_cohort() -> None:
    administrator = User.objects.get(is_superuser=True)

    assert administrator.username in settings.DEMO_ACCOUNTS
    assert not administrator.enrolments.exists()


def test_a_second_start_changes_nothing(made: Cohort) -> None:
    before = list(Submission.objects.order_by("pk").values_list("pk", "digest", "state"))
    said: list[str] = []
    preparing.prepare(said.append)

    assert said == []
    assert list(Submission.objects.order_by("pk").values_list("pk", "digest", "state")) == before
    assert list(Cohort.objects.all()) == [made]


@pytest.mark.django_db(transaction=True)
def test_making_it_wakes_nobody_in_vain(caplog: pytest.LogCaptureFixture) -> None:
    """The broker is not up yet: no line may say so for each submission."""
    with caplog.at_level(logging.WARNING):
        preparing.prepare(lambda _line: None)

    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.usefixtures("made")
def test_all_work_lies_in_the_past_and_predictions_before_answers() -> None:
    for submission in Submission.objects.select_related("case__prediction", "enrolment"):
        assert submission.enrolment.joined_at < submission.submitted_at < timezone.now()
        if submission.case.variation:
            assert submission.case.prediction.created_at < submission.submitted_at
