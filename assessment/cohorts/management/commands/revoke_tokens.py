"""``revoke_tokens USERNAME``: ends all bearer tokens of a person."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.cohorts.models import User
from assessment.cohorts.tokens import revoke_tokens


class Command(BaseCommand):
    """End all bearer tokens that act as a user."""

    help = "End all bearer tokens that act as a user; clients have lms_client revoke."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the user."""
        parser.add_argument("username")

    def handle(self, *args: object, **options: Any) -> None:
        """Revoke the tokens, or say in one line why not."""
        username: str = options["username"]
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"no user is named {username!r}", returncode=1)
        closed = revoke_tokens(user)
        sys.stdout.write(f"tokens of {username} that stopped working: {closed}\n")
