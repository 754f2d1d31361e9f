"""The command line: wrong use is one line and status 2, whatever the command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_command

ROOT = Path(__file__).parents[1]


def manage(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` on an empty database of its own."""
    own = {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3", "VAR_DIR": str(tmp_path)}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | own | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


WRONG = [
    pytest.param(("import_session",), "DIR", id="import_session without its folder"),
    pytest.param(("import_session", "nowhere"), "nowhere is no folder", id="import_session folder"),
    pytest.param(("regrade", "--all"), "--all", id="regrade unknown option"),
    pytest.param(("sweep", "now"), "now", id="sweep takes nothing"),
    pytest.param(("issue_token",), "username", id="issue_token without a name"),
    pytest.param(
        ("issue_token", "ada", "--expires-in-days", "soon"), "soon", id="issue_token days"
    ),
    pytest.param(("serve", "--port", "http"), "http", id="serve port"),
    pytest.param(("serve", "--port", "65536"), "65536", id="serve port too high"),
    pytest.param(("serve", "--port", "0"), "'0' is no port", id="serve port too low"),
    pytest.param(("serve", "--port=-1"), "'-1' is no port", id="serve port below zero"),
    pytest.param(("check_content", "--draw"), "--draw", id="check_content without its value"),
    pytest.param(("check_content", "--draws", "0"), "0", id="check_content no draws"),
    pytest.param(("lms_client", "make"), "name", id="lms_client subcommand"),
    pytest.param(("migrate", "--sideways"), "--sideways", id="one of Django's own"),
    pytest.param(("import_sessions",), "import_sessions", id="no such command"),
    pytest.param(("sweep", "two\nlines"), "two lines", id="a line end in what was typed"),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG)
def test_wrong_use_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    named: str,
) -> None:
    ended = run_command(monkeypatch, capsys, *arguments)

    assert (ended.status, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1
    assert named in ended.err
    assert "usage" not in ended.err


def test_a_shell_gets_that_line_and_status_too(tmp_path: Path) -> None:
    ended = manage(tmp_path, "sweep", "now")

    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert "now" in line


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("sweep",), id="sweep"),
        pytest.param(("import_session", "exercises/content/applied-ai-advanced-11"), id="import"),
        pytest.param(("check_content",), id="check_content"),
    ],
)
def test_a_database_without_tables_is_one_line_and_status_1(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ended = manage(tmp_path, *arguments)

    assert ended.returncode == 1
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert "no such table" in ended.stderr


def test_a_traceback_is_shown_to_those_who_ask(tmp_path: Path) -> None:
    ended = manage(tmp_path, "sweep", "--traceback")

    assert ended.returncode == 1
    assert "Traceback" in ended.stderr


def test_settings_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    ended = manage(tmp_path, "sweep", DEMO="0")

    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "SECRET_KEY" in ended.stderr


def test_help_is_no_wrong_use(tmp_path: Path) -> None:
    ended = manage(tmp_path, "import_session", "--help")

    assert ended.returncode == 0
    assert "DIR" in ended.stdout
