"""``sign_in_link USERNAME``: prints a one-time link to a password."""

import sys
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.cohorts.inviting import invite
from assessment.cohorts.models import Invitation, User


class Command(BaseCommand):
    """Print a link by which a person chooses a password."""

    help = "Print a link by which a person chooses a password, once, within seven days."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare whose link it is, and where the service is reached."""
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument(
            "--origin",
            help="where people reach the service; with HTTPS by default the first allowed host",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Make the link, or say in one line why not."""
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"no active user is named {options['username']!r}", returncode=1)
        origin = _origin(options["origin"])
        (path,) = invite([user], by=None, way=Invitation.Way.COMMAND).values()
        sys.stdout.write(f"{origin}{path}\n")


def _origin(given: str | None) -> str:
    if not given and not settings.HTTPS:
        raise CommandError(
            "without HTTPS nothing says at which port people reach the service;"
            " write --origin http://127.0.0.1:8000",
            returncode=2,
        )
    origin = given or f"https://{next(iter(settings.ALLOWED_HOSTS), '')}"
    parts = urlsplit(origin)
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not host or "*" in host or host.startswith("."):
        raise CommandError(
            f"{origin!r} is no address that people reach; write --origin https://course.example.org",
            returncode=2,
        )
    return f"{parts.scheme}://{parts.netloc}"
