#!/usr/bin/env python
"""Django's command line.

A checkout worked on by hand, with no secret of its own, is the demo: data under ``var/``,
loopback only. Servers start from ``assessment.config`` and are in production mode unless told.

Whatever the command: wrong use ends with status 2, anything else that stops it with 1, and both
with one line on standard error; ``--traceback`` shows where an unexpected error comes from.
"""

import os
import sys
from typing import NoReturn

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand, CommandError, CommandParser

WRONG_USE = 2


def main() -> None:
    """Run one management command."""
    has_secret = os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE")
    os.environ.setdefault("DEMO", "0" if has_secret else "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    # Django builds every command's parser by itself and offers no other place to change it.
    CommandParser.error = _refuse  # type: ignore[method-assign]  # see above
    try:
        CommandLine(sys.argv).execute()
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
    except Exception as error:  # no traceback reaches the person at the terminal unasked
        if "--traceback" in sys.argv:
            raise
        reason = " ".join(str(error).split())
        sys.exit(f"{type(error).__name__}: {reason} (--traceback shows where it comes from)")


class CommandLine(ManagementUtility):
    """Django's own, with one line and status 2 for a command that does not exist."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return the command of that name."""
        # Where the settings cannot be read, Django says so instead.
        if self.settings_exception is None and subcommand not in get_commands():
            _end(f"{self.prog_name}: there is no command {subcommand!r}; all are listed by: help")
        return super().fetch_command(subcommand)


def _refuse(self: CommandParser, message: str) -> NoReturn:
    if not self.called_from_command_line:
        raise CommandError(message, returncode=WRONG_USE)
    _end(f"{self.prog}: {message} (see --help)")


def _end(message: str) -> NoReturn:
    sys.stderr.write(" ".join(message.split()) + "\n")
    sys.exit(WRONG_USE)


if __name__ == "__main__":
    main()
