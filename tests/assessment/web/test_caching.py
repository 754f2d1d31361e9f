"""Every read of the API can be asked again for nothing, and stays out of shared caches."""

import pytest
from django.test import Client

from tests.assessment.review.conftest import Desk, desk  # noqa: F401 (a fixture)
from tests.factories import bearer, make_review

ADDRESSES = [
    "sessions/",
    "sessions/{session}/",
    "exercises/{exercise}/",
    "submissions/",
    "submissions/{submission}/",
    "submissions/{submission}/review/",
    "cohorts/{cohort}/breaks/",
    "grades/",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_who_has_the_answer_is_told_so(
    desk: Desk,  # noqa: F811 (the fixture)
    client: Client,
    address: str,
) -> None:
    make_review(desk.submission, desk.assistant)
    path = "/api/v1/" + address.format(
        session=desk.exercise.session.slug,
        exercise=desk.exercise.slug,
        submission=desk.submission.pk,
        cohort=desk.cohort.slug,
    )
    headers = bearer(desk.instructor, "learn", "teach", "grades:read")

    first = client.get(path, headers=headers)
    alone = client.head(path, headers=headers)
    again = client.get(path, headers=headers | {"If-None-Match": first["ETag"]})
    weak = client.get(path, headers=headers | {"If-None-Match": f'"other", W/{first["ETag"]}'})
    other = client.get(path, headers=headers | {"If-None-Match": '"other"'})

    assert [answer.status_code for answer in (first, again, weak, other)] == [200, 304, 304, 200]
    assert again.content == b""
    assert (alone.status_code, alone["ETag"]) == (200, first["ETag"])
    for answer in (first, again):
        assert "private" in answer["Cache-Control"]
        assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


def test_a_read_on_a_condition_is_refused_as_a_problem_where_another_version_is_there(
    desk: Desk,  # noqa: F811 (the fixture)
    client: Client,
) -> None:
    headers = bearer(desk.instructor, "teach")
    read = client.get("/api/v1/submissions/", headers=headers)

    other = client.get("/api/v1/submissions/", headers=headers | {"If-Match": '"other"'})
    same = client.get("/api/v1/submissions/", headers=headers | {"If-Match": read["ETag"]})
    # No answer has a time of change: RFC 9110 says to ignore what is asked about it.
    since = {"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}
    timed = client.get("/api/v1/submissions/", headers=headers | since)

    assert [answer.status_code for answer in (other, same, timed)] == [412, 200, 200]
    assert other["Content-Type"] == "application/problem+json"
    assert not client.get("/api/v1/submissions/").has_header("ETag")
