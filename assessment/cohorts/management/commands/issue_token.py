"""``issue_token USERNAME``: prints a bearer token for the REST API."""

import sys
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.cohorts.models import User
from assessment.cohorts.tokens import issue_token

_LONGEST_DAYS = 366


class Command(BaseCommand):
    """Print a bearer token that acts as a user."""

    help = "Print a bearer token for the REST API; it is shown once and kept only as a checksum."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the user, the scopes and the lifetime."""
        parser.add_argument("username")
        parser.add_argument("--scope", action="extend", nargs="+", dest="scopes", metavar="S")
        parser.add_argument("--expires-in-days", type=int, default=30, metavar="N")

    def handle(self, *args: object, **options: Any) -> None:
        """Issue the token, or say in one line why not."""
        known = settings.OAUTH2_PROVIDER["SCOPES"]
        username: str = options["username"]
        days: int = options["expires_in_days"]
        scopes: list[str] = options["scopes"] or list(known)
        if unknown := set(scopes) - set(known):
            raise CommandError(
                f"unknown scope {', '.join(sorted(unknown))}; known: {', '.join(known)}",
                returncode=2,
            )
        if not 1 <= days <= _LONGEST_DAYS:
            raise CommandError(
                f"--expires-in-days is {days}; write 1 to {_LONGEST_DAYS}", returncode=2
            )
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"no active user is named {username!r}", returncode=1)
        sys.stdout.write(issue_token(user, scopes=scopes, lifetime=timedelta(days=days)) + "\n")
