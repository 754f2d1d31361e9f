import json
from http import HTTPStatus

import pytest
from django.core.management import CommandError, call_command

from assessment.cohorts.models import Client
from tests.assessment.grades.conftest import Course, ask_token


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run ``lms_client``; returns what it printed."""
    call_command("lms_client", *arguments)
    return capsys.readouterr().out


def test_makes_lists_and_revokes(course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(run(capsys, "make", "School", "--cohort", course.cohort.slug, "--json"))
    client = Client.objects.get(client_id=made["client_id"])
    assert ask_token(client, client_secret=made["client_secret"])["scope"] == "grades:read"

    rows = [json.loads(line) for line in run(capsys, "list", "--json").splitlines()]
    assert rows[-1] == {
        "client_id": client.client_id,
        "name": "School",
        "cohorts": [course.cohort.slug],
        "scopes": ["grades:read"],
        "last_used_at": None,
        "revoked_at": None,
    }
    assert made["client_secret"] not in run(capsys, "list")

    assert "tokens that stopped working: 1" in run(capsys, "revoke", client.client_id)
    assert ask_token(client, client_secret=made["client_secret"])["status"] == (
        HTTPStatus.UNAUTHORIZED
    )
    assert "revoked" in run(capsys, "list")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        pytest.param(["make", "x", "--cohort", "no-such"], 1, "no cohort named", id="cohort"),
        pytest.param(
            ["make", "x", "--cohort", "no-such", "--scope", "teach"], 2, "no scope", id="scope"
        ),
        pytest.param(["make", " ", "--cohort", "no-such"], 2, "1 to 100", id="name"),
        pytest.param(["revoke", "no-such"], 1, "no client has that id", id="client"),
    ],
)
def test_says_in_one_line_what_is_wrong(
    db: None,  # noqa: ARG001 (it looks)
    arguments: list[str],
    status: int,
    message: str,
) -> None:
    with pytest.raises(CommandError, match=message) as refusal:
        call_command("lms_client", *arguments)

    assert refusal.value.returncode == status
