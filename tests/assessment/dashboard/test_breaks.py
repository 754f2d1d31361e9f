from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.dashboard.figures import ExerciseFigures, breaks_of
from assessment.review.queue import QueueFilter, queue_for
from exercises.models import Exercise
from tests.factories import (
    WRONG_SUM,
    bearer,
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_submission,
)

ALARM = "Repair the support or the demonstration first"


class Class:
    """A cohort whose submissions are tagged one after the other."""

    def __init__(self) -> None:
        self.exercise: Exercise = make_exercise()
        self.cohort: Cohort = make_cohort(self.exercise.session)
        self.instructor: User = enrol(self.cohort, role="instructor").user

    def tag(self, *breaks: str, learner: Enrolment | None = None, level: int | None = 2) -> None:
        """Submit once for each break and tag it; an empty one stays untagged."""
        for name in breaks:
            submission = make_submission(learner or enrol(self.cohort), self.exercise)
            if name:
                make_review(submission, self.instructor, dominant_break=name, level=level)

    @property
    def figures(self) -> ExerciseFigures:
        """The figures of the exercise."""
        return breaks_of(self.cohort).exercises[0]


@pytest.fixture
def group(db: None) -> Class:  # noqa: ARG001 (rows are made)
    """Return an empty class."""
    return Class()


def test_counts_tags_of_people_and_no_suggestion(group: Class) -> None:
    group.tag("operation", "operation", "shapes", "none", "cannot_tell", "")
    make_submission(enrol(group.cohort), group.exercise, answers=WRONG_SUM)

    found = group.figures

    assert (found.n, found.tagged, found.untagged) == (7, 5, 2)
    assert found.breaks == {
        "vocabulary": 0,
        "shapes": 1,
        "operation": 2,
        "interpretation": 0,
        "claim_scope": 0,
    }
    assert found.other == {"none": 1, "cannot_tell": 1}
    assert found.levels == {0: 0, 1: 0, 2: 5, 3: 0}
    assert found.without_level == 2


def test_only_the_latest_attempt_of_each_learner_counts(group: Class) -> None:
    learner = enrol(group.cohort)
    group.tag("operation", learner=learner)
    group.tag("shapes", learner=learner)

    assert (group.figures.n, group.figures.breaks["operation"]) == (1, 0)
    assert group.figures.breaks["shapes"] == 1


def test_an_attempt_that_nobody_could_read_replaces_none(group: Class) -> None:
    learner = enrol(group.cohort)
    group.tag("operation", learner=learner)
    unread = make_submission(learner, group.exercise)
    unread.counts = False
    unread.save()

    assert group.figures.breaks["operation"] == 1


def test_a_changed_tag_counts_once_and_a_removed_one_not_at_all(group: Class) -> None:
    submission = make_submission(enrol(group.cohort), group.exercise)
    make_review(submission, group.instructor, dominant_break="operation")
    make_review(submission, group.instructor, dominant_break="claim_scope")
    assert group.figures.breaks["operation"] == 0
    assert group.figures.breaks["claim_scope"] == 1

    make_review(submission, group.instructor, dominant_break="")

    assert group.figures.untagged == 1


def test_other_cohorts_staff_and_those_who_left_are_not_of_the_group(group: Class) -> None:
    group.tag("operation")
    left = enrol(group.cohort)
    group.tag("operation", learner=left)
    left.left_at = left.joined_at
    left.save()
    group.tag("operation", learner=enrol(group.cohort, role="assistant"))
    group.tag("operation", learner=enrol(make_cohort(group.exercise.session)))

    assert (group.figures.n, group.figures.breaks["operation"]) == (1, 1)


@pytest.mark.parametrize(
    ("tags", "alarms"),
    [
        pytest.param(["operation"] * 2 + ["shapes"] * 2 + ["none"] * 2, [], id="exactly a third"),
        pytest.param(["operation"] * 3 + [""] * 5, ["operation"], id="more than a third"),
        pytest.param(["operation"] * 3 + [""] * 6, [], id="untagged ones count in n"),
        pytest.param(["none"] * 5 + ["shapes"], [], id="no break is no alarm"),
        pytest.param(["cannot_tell"] * 5, [], id="cannot tell is no alarm"),
        pytest.param(["operation"], [], id="one learner is no group"),
        pytest.param(["operation", "operation", ""], ["operation"], id="two of three"),
        pytest.param(
            ["operation"] * 2 + ["shapes"] * 2 + [""], ["shapes", "operation"], id="two alarms"
        ),
        pytest.param([], [], id="nobody"),
    ],
)
def test_the_alarm_rings_beyond_one_third(
    group: Class, client: Browser, tags: list[str], alarms: list[str]
) -> None:
    group.tag(*tags)

    assert group.figures.alarms == alarms
    client.force_login(group.instructor)
    page = client.get(f"/breaks/{group.cohort.slug}/").content.decode()
    assert page.count(ALARM) == len(alarms)


def test_every_bar_leads_to_the_submissions_that_it_counts(group: Class, client: Browser) -> None:
    learner = enrol(group.cohort)
    group.tag("shapes", "shapes", "operation", "none", "", "")
    group.tag("operation", "shapes", learner=learner)
    client.force_login(group.instructor)
    page = client.get(f"/breaks/{group.cohort.slug}/")

    (board,) = page.context["boards"]
    for row in board.chart.rows:
        query = {key: value for key, (value,) in parse_qs(urlsplit(row.url).query).items()}
        wanted = QueueFilter(
            cohort=query["cohort"],
            exercise=query["exercise"],
            dominant_break=query["break"],
            latest=query["latest"] == "1",
        )
        assert queue_for(group.instructor, wanted).count() == row.count, row.label
        assert client.get(row.url).context["page"].paginator.count == row.count


def test_the_page_and_the_api_give_the_same_figures(group: Class, client: Browser) -> None:
    group.tag("operation", "operation", "shapes", "", level=3)
    client.force_login(group.instructor)
    url = f"/api/v1/cohorts/{group.cohort.slug}/breaks/"

    body = client.get(url).json()

    (found,) = body["exercises"]
    assert (found["n"], found["tagged"], found["untagged"]) == (4, 3, 1)
    assert found["breaks"] == dict(group.figures.breaks)
    assert found["levels"] == {"0": 0, "1": 0, "2": 0, "3": 3}
    assert found["alarms"] == ["operation"]
    page = client.get(f"/breaks/{group.cohort.slug}/").content.decode()
    assert "Tagged 3, not yet tagged 1, n = 4." in page
    assert "2 of 4 · 50%" in page


def test_queries_do_not_grow_with_learners_and_exercises(group: Class) -> None:
    group.tag("operation")
    with CaptureQueriesContext(connection) as few:
        breaks_of(group.cohort)
    for _ in range(3):
        exercise = make_exercise(group.exercise.session)
        for _ in range(4):
            make_submission(enrol(group.cohort), exercise)

    with CaptureQueriesContext(connection) as many:
        breaks_of(group.cohort)

    assert len(many) == len(few) == 3


@pytest.mark.parametrize(
    ("who", "page", "api"),
    [
        pytest.param("instructor", HTTPStatus.OK, HTTPStatus.OK, id="instructor"),
        pytest.param("assistant", HTTPStatus.OK, HTTPStatus.OK, id="assistant"),
        pytest.param("learner", HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND, id="learner"),
        pytest.param("stranger", HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND, id="other instructor"),
        pytest.param("", HTTPStatus.FOUND, HTTPStatus.UNAUTHORIZED, id="nobody"),
    ],
)
def test_who_may_see_the_figures(
    group: Class, client: Browser, who: str, page: HTTPStatus, api: HTTPStatus
) -> None:
    if who == "stranger":
        client.force_login(enrol(make_cohort(group.exercise.session), role="instructor").user)
    elif who:
        client.force_login(enrol(group.cohort, role=who).user)

    assert client.get(f"/breaks/{group.cohort.slug}/").status_code == page
    assert client.get(f"/api/v1/cohorts/{group.cohort.slug}/breaks/").status_code == api


def test_a_token_needs_the_scope(group: Class, client: Browser) -> None:
    url = f"/api/v1/cohorts/{group.cohort.slug}/breaks/"

    allowed = client.get(url, headers=bearer(group.instructor, "teach"))
    refused = client.get(url, headers=bearer(group.instructor, "grades:read"))

    assert allowed.status_code == HTTPStatus.OK
    assert refused.status_code == HTTPStatus.FORBIDDEN
    again = client.get(
        url, headers=bearer(group.instructor, "teach") | {"If-None-Match": allowed["ETag"]}
    )
    assert again.status_code == HTTPStatus.NOT_MODIFIED


def test_the_way_to_the_figures(group: Class, client: Browser) -> None:
    client.force_login(group.instructor)
    assert client.get("/breaks/")["Location"] == f"/breaks/{group.cohort.slug}/"
    other = make_cohort(group.exercise.session)
    enrol(other, group.instructor, role="assistant")

    page = client.get("/breaks/").content.decode()

    assert f"/breaks/{other.slug}/" in page
    assert client.get("/breaks/no-such/").status_code == HTTPStatus.NOT_FOUND
