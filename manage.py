#!/usr/bin/env python
"""Django's command line.

A checkout worked on by hand, with no secret of its own, is the demo: data under ``var/``,
loopback only. Servers start from ``assessment.config`` and are in production mode unless told.
"""

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DEMO", "0" if os.environ.get("SECRET_KEY") else "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (after the environment)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
