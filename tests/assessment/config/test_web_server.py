"""The web server as it is configured, in front of an application of one line."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assessment.demo.processes import end_with_parent
from tests.ports import free_port
from tests.waiting import eventually

CONFIG = Path(__file__).parents[3] / "assessment" / "config" / "web_server.py"
# One thread, so that whoever holds it keeps everyone else out; a second instead of fifteen.
SHORTENED = f"exec(open({str(CONFIG)!r}).read())\nthreads = 1\n_READING = 1\n"
APPLICATION = """
def application(environ, start_response):
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", "0")])
    return []
"""


@dataclass
class Server:
    port: int
    log: Path

    def ask(self, path: str) -> int:
        """Send a request; return the status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path)
        return connection.getresponse().status

    def log_with(self, line: str) -> str:
        """Return the log once it has this line: it is written after the answer."""
        assert eventually(lambda: line in self.log.read_text()), self.log.read_text()
        return self.log.read_text()

    def answers(self) -> bool:
        """Whether it has started."""
        try:
            return self.ask("/") == http.client.OK
        except OSError:
            return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a running gunicorn."""
    folder = tmp_path_factory.mktemp("web-server")
    (folder / "shortened.py").write_text(SHORTENED)
    (folder / "one_line.py").write_text(APPLICATION)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "one_line:application", "--config", "shortened.py"]
    command += ["--bind", f"127.0.0.1:{port}", "--access-logfile", "access.log"]
    home = {**os.environ, "PYTHONPATH": str(CONFIG.parents[2])}
    running = subprocess.Popen(command, cwd=folder, env=home, preexec_fn=end_with_parent(15))  # noqa: PLW1509
    found = Server(port, folder / "access.log")
    try:
        assert eventually(found.answers)
        yield found
    finally:
        running.terminate()
        running.wait(60)


def test_what_stands_in_an_address_by_mistake_is_not_logged(server: Server) -> None:
    assert server.ask("/grades/?access_token=token-in-the-address") == http.client.OK

    assert "token-in-the-address" not in server.log_with('"GET /grades/" 200')


@pytest.mark.parametrize("place", ["/link/NDI", "/forgotten/NDI", "/lti/register"])
def test_the_secret_in_an_address_is_not_logged(server: Server, place: str) -> None:
    server.ask(f"{place}/c8xq-1f2e/")

    assert "c8xq-1f2e" not in server.log_with(f'"GET {place}/%E2%80%A6/" 200')


def test_a_path_begins_no_line_of_its_own(server: Server) -> None:
    server.ask("/%0aroot%20signed%20in")

    lines = server.log_with('"GET /%0Aroot%20signed%20in" 200').splitlines()
    assert not [line for line in lines if line.startswith("root")]


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nX-", id="in its headers"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na", id="in its body"),
    ],
)
def test_a_caller_whose_network_went_away_holds_no_thread(server: Server, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as silent:
        silent.sendall(begun)
        time.sleep(0.2)

        assert server.ask("/") == http.client.OK
