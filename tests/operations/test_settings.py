"""Settings: production refuses to start half-configured, and is sound when it starts."""

import secrets
import subprocess
from pathlib import Path

import pytest

from tests.operations.service import run_command

_SECRET = secrets.token_urlsafe(64)
_HOSTS = "grades.example.org"
_HELD = (
    "from django.conf import settings as s\n"
    "print((s.SECURE_HSTS_SECONDS > 0, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD))"
)


def _check(data: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return run_command("check", *arguments, data=data, **{"DEMO": "0", **settings})


def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    found = _check(
        *(tmp_path, "--deploy", "--fail-level", "WARNING"), SECRET_KEY=_SECRET, ALLOWED_HOSTS=_HOSTS
    )

    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    ("wanted", "held"),
    [
        pytest.param({}, "(True, False, False)", id="this host"),
        pytest.param({"HSTS_SUBDOMAINS": "1"}, "(True, True, False)", id="its subdomains"),
        pytest.param({"HSTS_PRELOAD": "1"}, "(True, True, True)", id="before the first visit"),
        pytest.param({"HTTPS": "0"}, "(False, False, False)", id="nothing without TLS"),
    ],
)
def test_browsers_are_held_to_tls_as_far_as_is_asked_for(
    tmp_path: Path, wanted: dict[str, str], held: str
) -> None:
    shown = run_command(
        *("shell", "--no-imports", "--command", _HELD),
        data=tmp_path,
        **{"DEMO": "0", "SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, **wanted},
    )

    assert shown.stdout.strip() == held


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        pytest.param({}, "SECRET_KEY", id="nothing set"),
        pytest.param({"SECRET_KEY": _SECRET}, "ALLOWED_HOSTS", id="no hosts"),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": " ,"},
            "ALLOWED_HOSTS",
            id="hosts without names",
        ),
        pytest.param({"ALLOWED_HOSTS": _HOSTS}, "SECRET_KEY", id="no secret key"),
        pytest.param({"SECRET_KEY": "", "ALLOWED_HOSTS": _HOSTS}, "SECRET_KEY", id="empty secret"),
        pytest.param(
            {"SECRET_KEY_FILE": "/nowhere/key", "ALLOWED_HOSTS": _HOSTS},
            "SECRET_KEY_FILE",
            id="no such secret file",
        ),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, "HTTPS": "maybe"},
            "HTTPS",
            id="no flag",
        ),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, "DATABASE_URL": "oracle://db/x"},
            "DATABASE_URL",
            id="another database",
        ),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, "DATABASE_URL": "postgres://db:p/x"},
            "DATABASE_URL",
            id="a database address with no number for a port",
        ),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, "REDIS_URL": "amqp://broker"},
            "REDIS_URL",
            id="another broker",
        ),
        pytest.param(
            {"SECRET_KEY": _SECRET, "ALLOWED_HOSTS": _HOSTS, "API_CALLS_PER_MINUTE": "0"},
            "API_CALLS_PER_MINUTE",
            id="no call at all",
        ),
        pytest.param(
            {
                "SECRET_KEY": _SECRET,
                "ALLOWED_HOSTS": "*",
                "EMAIL_URL": "smtps://mail.example.org",
                "EMAIL_FROM": "a@example.org",
            },
            "ALLOWED_HOSTS",
            id="mailed links to any host",
        ),
    ],
)
def test_production_refuses_to_start(tmp_path: Path, settings: dict[str, str], named: str) -> None:
    refused = _check(tmp_path, **settings)

    (line,) = refused.stderr.splitlines()
    assert refused.returncode == 1
    assert named in line


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{_SECRET}\n", encoding="utf-8")

    found = _check(tmp_path, "--deploy", SECRET_KEY_FILE=str(file), ALLOWED_HOSTS=_HOSTS)

    assert found.returncode == 0


def test_a_secret_in_the_environment_is_never_the_demo(tmp_path: Path) -> None:
    refused = run_command("check", data=tmp_path, SECRET_KEY=_SECRET)

    assert "ALLOWED_HOSTS" in refused.stderr


def test_demo_keeps_one_secret_of_its_own(tmp_path: Path) -> None:
    run_command("check", data=tmp_path, DEMO="1")
    first = (tmp_path / "secret-key").read_text(encoding="utf-8")
    run_command("check", data=tmp_path, DEMO="1")

    assert (tmp_path / "secret-key").read_text(encoding="utf-8") == first
    assert len(first) > 50
