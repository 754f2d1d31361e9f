#!/usr/bin/env python
"""Django's command line.

A checkout worked on by hand, with no secret of its own, is the demo: data under ``var/``,
loopback only. Servers start from ``assessment.config`` and are in production mode unless told.
"""

import os
import sys


def main() -> None:
    """Run one management command."""
    has_secret = os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE")
    os.environ.setdefault("DEMO", "0" if has_secret else "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (after the environment)
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (the same)

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
