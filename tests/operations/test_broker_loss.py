"""Sending a task never holds a request up: not with the broker down, deaf, or behind TLS."""

import datetime
import ipaddress
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.operations.service import ROOT, environment
from tests.queue import Broker

# Sends sweep three times through the settings' own Celery application and prints what came of it.
_SEND = """
import time
from assessment.config.celery import app
app.loader.import_default_modules()
for _ in range(3):
    begun = time.perf_counter()
    try:
        app.send_task("assessment.attempts.tasks.sweep")
        outcome = "sent"
    except app.connection_for_write().transport.connection_errors as error:
        outcome = "refused"
    except Exception as error:
        outcome = type(error).__name__
    print(outcome, time.perf_counter() - begun)
"""


def _send(data: Path, url: str, **settings: str) -> list[tuple[str, float]]:
    found = subprocess.run(
        [sys.executable, "-c", _SEND],
        cwd=ROOT,
        env=environment(
            data,
            DEMO="1",
            REDIS_URL=url,
            DJANGO_SETTINGS_MODULE="assessment.config.settings",
            **settings,
        ),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [(line.split()[0], float(line.split()[1])) for line in found.stdout.splitlines()]


def _least(sent: list[tuple[str, float]]) -> float:
    """Return the least time: the others may have met a busy machine."""
    return min(seconds for _, seconds in sent)


def test_a_broker_that_is_down_is_given_up_at_once(tmp_path: Path) -> None:
    sent = _send(tmp_path, os.environ["REDIS_URL"])

    assert [outcome for outcome, _ in sent] == ["OperationalError"] * 3
    assert _least(sent) < 0.3


def test_a_broker_that_never_answers_is_given_up_within_a_second(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        sent = _send(tmp_path, f"redis://127.0.0.1:{deaf.getsockname()[1]}/0")

    assert [outcome for outcome, _ in sent] == ["OperationalError"] * 3
    assert _least(sent) < 0.9


def test_a_broker_that_runs_gets_every_message(broker: Broker, tmp_path: Path) -> None:
    sent = _send(tmp_path, broker.url)

    assert [outcome for outcome, _ in sent] == ["sent"] * 3
    assert broker.waiting() == 3


def _certificate(folder: Path) -> Path:
    """Make a key and a certificate for 127.0.0.1 in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    file = folder / "broker.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file


class _TlsDoor:
    """Takes TLS off and passes bytes on to the broker, as a managed Redis's entrance does."""

    def __init__(self, certificate: Path, port: int) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            outside = self._context.wrap_socket(plain, server_side=True)
            inside = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            plain.close()
            return
        threading.Thread(target=_pass_on, args=(inside, outside), daemon=True).start()
        _pass_on(outside, inside)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while chunk := source.recv(65536):
            target.sendall(chunk)
    except OSError:
        return
    finally:
        target.close()


@pytest.fixture
def door(broker: Broker, tmp_path: Path) -> Iterator[_TlsDoor]:
    """Return a TLS entrance to the broker."""
    door = _TlsDoor(_certificate(tmp_path), int(broker.url.split(":")[2].split("/")[0]))
    yield door
    door.close()


def test_a_broker_behind_tls_is_used_when_its_certificate_is_known(
    broker: Broker, door: _TlsDoor, tmp_path: Path
) -> None:
    url = f"rediss://127.0.0.1:{door.port}/0"
    sent = _send(tmp_path, url, REDIS_CA_CERTS=str(tmp_path / "broker.pem"))

    assert [outcome for outcome, _ in sent] == ["sent"] * 3
    assert broker.waiting() == 3


def test_a_broker_with_an_unknown_certificate_gets_nothing(
    broker: Broker, door: _TlsDoor, tmp_path: Path
) -> None:
    sent = _send(tmp_path, f"rediss://127.0.0.1:{door.port}/0")

    assert [outcome for outcome, _ in sent] == ["OperationalError"] * 3
    assert broker.waiting() == 0


def test_a_broker_started_again_gets_the_next_message(broker: Broker, tmp_path: Path) -> None:
    """The connection kept from before is dead; the message still arrives at the first try."""
    script = _SEND.replace("for _ in range(3):", "for _ in range(2):\n    input()")
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(
            tmp_path,
            DEMO="1",
            REDIS_URL=broker.url,
            DJANGO_SETTINGS_MODULE="assessment.config.settings",
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as sender:
        assert sender.stdin is not None
        assert sender.stdout is not None
        sender.stdin.write("\n")
        sender.stdin.flush()
        first = sender.stdout.readline()
        broker.stop()
        broker.start()
        time.sleep(0.2)
        sender.stdin.write("\n")
        sender.stdin.flush()
        second = sender.stdout.readline()

    assert (first.split()[0], second.split()[0]) == ("sent", "sent")
    assert broker.waiting() == 1
