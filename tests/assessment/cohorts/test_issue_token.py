"""``issue_token``: a token for a person, printed once."""

from http import HTTPStatus

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from assessment.cohorts.models import AccessToken
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def issue(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command and return the one line that it prints."""
    call_command("issue_token", *words)
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    return printed.strip()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        pytest.param([], HTTPStatus.OK, id="all scopes"),
        pytest.param(["--scope", "teach", "learn"], HTTPStatus.OK, id="several after one word"),
        pytest.param(["--scope", "teach", "--scope", "learn"], HTTPStatus.OK, id="said twice"),
        pytest.param(["--scope", "teach"], HTTPStatus.FORBIDDEN, id="another scope"),
    ],
)
def test_the_token_opens_what_its_scopes_say(
    client: Client, capsys: pytest.CaptureFixture[str], words: list[str], status: HTTPStatus
) -> None:
    make_user("ada")

    token = issue("ada", *words, capsys=capsys)

    answer = client.get("/api/v1/sessions/", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status
    assert not AccessToken.objects.filter(token=token).exists(), "kept as a checksum alone"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        pytest.param(["nobody"], 1, "no active user", id="nobody"),
        pytest.param(["ada", "--scope", "learn", "all"], 2, "unknown scope all", id="scope"),
        pytest.param(["ada", "--expires-in-days", "0"], 2, "write 1 to 366", id="no time"),
        pytest.param(["ada", "--expires-in-days", "9" * 30], 2, "write 1 to 366", id="for ever"),
    ],
)
def test_what_cannot_be_issued_is_one_line(words: list[str], status: int, said: str) -> None:
    make_user("ada")

    with pytest.raises(CommandError, match=said) as refused:
        call_command("issue_token", *words)

    assert refused.value.returncode == status
    assert not AccessToken.objects.exists()


def test_revoked_tokens_of_a_person_open_nothing(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    make_user("ada")
    make_user("bo")
    tokens = {name: issue(name, capsys=capsys) for name in ("ada", "bo")}

    call_command("revoke_tokens", "ada")

    assert capsys.readouterr().out == "tokens of ada that stopped working: 1\n"
    found = {
        name: client.get("/api/v1/sessions/", headers={"Authorization": f"Bearer {token}"})
        for name, token in tokens.items()
    }
    assert found["ada"].status_code == HTTPStatus.UNAUTHORIZED
    assert found["bo"].status_code == HTTPStatus.OK


def test_tokens_of_nobody_are_not_revoked() -> None:
    with pytest.raises(CommandError, match="no user is named 'nobody'"):
        call_command("revoke_tokens", "nobody")
