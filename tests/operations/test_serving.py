"""``manage.py serve``: one command starts everything, one signal ends everything."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.operations.service import (
    ROOT,
    Service,
    environment,
    processes_of,
    run_command,
)
from tests.ports import free_port
from tests.waiting import eventually

# The processes that the supervisor starts, before and after they have given themselves a title.
_PARTS = (
    r"gunicorn: master|-m gunicorn",
    r"--quiet worker|MainProcess",
    r"beat --schedule|celery beat",
    r"valkey-server",
)


def _one_line(found: subprocess.CompletedProcess[str]) -> str:
    assert found.returncode == 1
    assert found.stdout == ""
    (line,) = found.stderr.splitlines()
    return line


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Return a running service."""
    service = Service(tmp_path_factory.mktemp("served") / "var", free_port())
    try:
        service.wait_until_it_answers()
        yield service
    finally:
        service.end(signal.SIGTERM)


def test_the_sign_in_page_names_the_demo_accounts(service: Service) -> None:
    page = service.get("/sign-in/")

    for account in settings.DEMO_ACCOUNTS:
        assert account in page
    assert settings.DEMO_PASSWORD in page


def test_web_worker_beat_and_broker_run(service: Service) -> None:
    def missing() -> list[str]:
        commands = service.processes().values()
        return [part for part in _PARTS if not any(re.search(part, name) for name in commands)]

    assert eventually(lambda: not missing()), missing()


def test_it_listens_on_loopback_alone(service: Service) -> None:
    table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    port = f"{service.port:04X}"
    listening = [row.split()[1] for row in table if row.split()[3] == "0A"]

    assert [address for address in listening if address.endswith(f":{port}")] == [
        f"0100007F:{port}"
    ]


def test_a_second_one_on_the_same_port_says_so_in_one_line(
    service: Service, tmp_path: Path
) -> None:
    second = run_command("serve", "--port", str(service.port), data=tmp_path / "var")

    assert f"Port {service.port} is in use" in _one_line(second)
    assert "Firstbreak" in service.get("/sign-in/")


def test_a_second_one_on_the_same_data_says_so_in_one_line(service: Service) -> None:
    second = run_command("serve", "--port", str(free_port()), data=service.data)

    assert "already runs on the data" in _one_line(second)
    assert (service.data / "broker-url").exists()


def test_the_secrets_on_disk_are_their_owners_alone(service: Service) -> None:
    for name in ("secret-key", "broker-url", "valkey/valkey.conf"):
        assert (service.data / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("part", _PARTS)
def test_a_killed_part_is_started_again(service: Service, part: str) -> None:
    def pids() -> set[int]:
        return {pid for pid, name in service.processes().items() if re.search(part, name)}

    before: set[int] = set()

    def is_one() -> bool:  # a child just forked still has its parent's title
        before.clear()
        before.update(pids())
        return len(before) == 1

    assert eventually(is_one), before
    (master,) = before
    os.kill(master, signal.SIGKILL)

    assert eventually(lambda: bool(pids()) and not pids() & before), service.logs()
    assert eventually(service.answers), service.logs()


def test_what_waits_is_found_again_after_the_worker_was_killed(service: Service) -> None:
    """No message was ever sent for it: only the database knows."""

    def state() -> str:
        with contextlib.closing(sqlite3.connect(service.data / "db.sqlite3")) as database:
            found: str = database.execute(
                "SELECT state FROM attempts_submission WHERE id = ?", [waiting]
            ).fetchone()[0]
            return found

    with contextlib.closing(sqlite3.connect(service.data / "db.sqlite3", timeout=20)) as database:
        (waiting,) = database.execute(
            "SELECT id FROM attempts_submission WHERE state = 'checked' LIMIT 1"
        ).fetchone()
        database.execute(
            "UPDATE attempts_submission SET state = 'submitted', claim = NULL, tries = 0 "
            "WHERE id = ?",
            [waiting],
        )
        database.commit()
    for pid, name in service.processes().items():
        if re.search(_PARTS[1], name):
            with contextlib.suppress(ProcessLookupError):  # it ended with its parent
                os.kill(pid, signal.SIGKILL)

    # The broker may still be starting after the last test killed it; the sweep then says so.
    assert eventually(lambda: run_command("sweep", data=service.data).returncode == 0)
    assert eventually(lambda: state() == "checked"), service.logs()


def test_one_worker_on_sqlite_needs_no_warning(service: Service) -> None:
    assert "one writer at a time" not in (service.data / "log" / "worker.log").read_text()


def test_a_second_worker_on_the_same_sqlite_file_is_told_so(service: Service) -> None:
    url = (service.data / "broker-url").read_text(encoding="utf-8")
    output = service.data / "second-worker.txt"
    with output.open("wb") as log:
        second = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "-A", "assessment.config", "worker"),
                *("--concurrency", "1", "--hostname", "second@%h"),
            ],
            cwd=ROOT,
            env=environment(service.data, DEMO="1", REDIS_URL=url),
            stdout=log,
            stderr=log,
        )
    try:
        assert eventually(lambda: "one writer at a time" in output.read_text())
    finally:
        second.terminate()
        second.wait(timeout=90)


def test_commands_beside_it_reach_the_same_broker(service: Service) -> None:
    swept = run_command("sweep", data=service.data)

    assert (swept.returncode, swept.stderr) == (0, "")


def test_killing_the_supervisor_leaves_nothing(service: Service) -> None:
    """The last one that needs the service."""
    service.end(signal.SIGKILL)

    assert eventually(lambda: not service.processes()), service.processes()


def test_every_signal_ends_every_process_and_the_next_start_finds_the_data(
    service: Service,
) -> None:
    service.end(signal.SIGTERM)
    data = service.data
    assert "demo cohort" in service.said()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        again = Service(data, free_port())
        again.wait_until_it_answers()
        status = again.end(number)

        assert (status, processes_of(data)) == (0, {}), number
        assert not (data / "broker-url").exists()
        assert "demo cohort" not in again.said()


def test_a_signal_during_the_first_start_leaves_nothing(tmp_path: Path) -> None:
    service = Service(tmp_path / "var", free_port())
    assert eventually((tmp_path / "var" / "db.sqlite3").exists)
    status = service.end(signal.SIGINT)

    assert (status, service.processes()) == (0, {})
    assert "Traceback" not in service.said()


@pytest.mark.parametrize(
    ("arguments", "settings_"),
    [
        pytest.param(["--host", "0.0.0.0"], {}, id="every address"),  # noqa: S104 (what is refused)
        pytest.param(["--host", "::"], {}, id="every address of the sixth version"),
        pytest.param(["--host", "example.org"], {}, id="a name"),
        pytest.param([], {"HOST": "192.168.1.10"}, id="by the environment"),
    ],
)
def test_the_demo_refuses_to_listen_elsewhere(
    tmp_path: Path, arguments: list[str], settings_: dict[str, str]
) -> None:
    refused = run_command("serve", *arguments, data=tmp_path / "var", **settings_)

    assert "listens on this machine only" in _one_line(refused)


def test_a_port_that_something_else_holds(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = run_command("serve", data=tmp_path / "var", PORT=str(port))

    assert f"Port {port} is in use" in _one_line(refused)


def test_a_port_that_is_no_number(tmp_path: Path) -> None:
    refused = run_command("serve", data=tmp_path / "var", PORT="eighty")

    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_production_settings_do_not_serve_the_demo(tmp_path: Path) -> None:
    refused = run_command(
        "serve", data=tmp_path / "var", DEMO="0", SECRET_KEY="x" * 64, ALLOWED_HOSTS="example.org"
    )

    assert "docker-compose.yml" in _one_line(refused)


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    url = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    refused = run_command(
        "serve", "--port", str(free_port()), data=tmp_path / "var", DATABASE_URL=url
    )

    assert "The database does not answer" in _one_line(refused)
