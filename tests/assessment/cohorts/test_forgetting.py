from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.models import AccessToken, PeopleList
from assessment.cohorts.tasks import forget_expired
from tests.factories import bearer, make_cohort, make_user

pytestmark = pytest.mark.django_db


def test_what_has_ended_is_forgotten_and_nothing_else() -> None:
    now, day = timezone.now(), timedelta(days=1)
    for _ in range(2):
        bearer(make_user(), "learn")
    ada, cohort = make_user("ada"), make_cohort()
    for _ in range(2):
        PeopleList.objects.create(cohort=cohort, handed_in_by=ada)
    for _ in range(2):
        Browser().post("/sign-in/", {"username": "ada", "password": "secret"})
    for rows, ended in (
        (AccessToken.objects.all(), {"expires": now - day}),
        (Session.objects.all(), {"expire_date": now - day}),
        (AccessLog.objects.all(), {"attempt_time": now - 31 * day}),
        (PeopleList.objects.all(), {"handed_in_at": now - 2 * day}),
    ):
        rows.filter(pk=rows[0].pk).update(**ended)

    forget_expired()

    kinds = (AccessToken, Session, AccessLog, PeopleList)
    assert [kind.objects.count() for kind in kinds] == [1, 1, 1, 1]


def test_the_clock_asks_for_it() -> None:
    tasks = {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()}

    assert forget_expired.name in tasks
