"""``manage.py serve``: the whole service from one command, on this machine."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from assessment.demo import preparing, services, supervising
from assessment.demo.processes import KeepsEndingError

_HIGHEST_PORT = 65535
_DIGITS = 5


class Command(BaseCommand):
    """Serve web, worker, beat and broker until Ctrl-C."""

    help = "Serve web, worker, beat and broker on this machine, until Ctrl-C (demo mode only)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address."""
        parser.add_argument("--host", default=os.environ.get("HOST") or services.LOOPBACK)
        parser.add_argument("--port", type=_port, default=os.environ.get("PORT") or "8000")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check the address, prepare the data, run everything, end everything."""
        if not settings.DEMO:
            raise CommandError(
                "serve is the demo's (DEMO=1). In production web, worker and beat run apart: "
                "see docker-compose.yml."
            )
        host, port = options["host"], options["port"]
        supervising.stop_on_signals()
        try:
            supervising.check_address(host, port)
            with supervising.sole_user_of(Path(settings.VAR_DIR)):
                self._serve(host, port)
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        except supervising.CannotServeError as error:
            raise CommandError(str(error)) from error
        except KeepsEndingError as error:
            raise CommandError(
                f"Stopped, because {error.child.name} keeps ending (status {error.status}): "
                f"its log is {error.child.log}."
            ) from error
        except OperationalError as error:
            reason = " ".join(str(error).split())
            raise CommandError(f"The database does not answer: {reason}") from error

    def _serve(self, host: str, port: int) -> None:
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"

        def announce() -> None:
            self._say(
                f"Firstbreak runs at {address} (Ctrl-C ends it; logs: {services.log_folder()})"
            )

        preparing.prepare(self._say)
        note = Path(settings.VAR_DIR) / "broker-url"
        children = [services.worker(), services.beat(), services.web(host, port)]
        if not os.environ.get("REDIS_URL"):
            children.insert(0, services.broker(note))
        try:
            with supervising.running(children):
                supervising.look_after(children, host=host, port=port, announce=announce)
        finally:
            note.unlink(missing_ok=True)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _port(text: str) -> int:
    if not (text.isdecimal() and len(text) <= _DIGITS and 1 <= int(text) <= _HIGHEST_PORT):
        raise ArgumentTypeError(f"{text!r} is no port: write a number from 1 to {_HIGHEST_PORT}.")
    return int(text)
