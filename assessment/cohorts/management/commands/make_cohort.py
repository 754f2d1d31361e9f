"""``make_cohort SLUG``: makes a cohort with its sessions and instructors."""

import sys
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.cohorts.enrolling import LearnerHereError
from assessment.cohorts.making import Made, make_cohort
from assessment.cohorts.models import Cohort, User
from exercises.models import Session


class Command(BaseCommand):
    """Make a cohort, or add to one what it lacks; run again it changes nothing."""

    help = "Make a cohort with its sessions and instructors, or add to it what it lacks."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the cohort, its sessions and its instructors."""
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--name", help="as people read it; the slug without it")
        parser.add_argument("--time-zone", metavar="ZONE", help="for example Europe/Paris")
        parser.add_argument("--session", action="append", dest="sessions", metavar="SLUG")
        parser.add_argument("--instructor", action="append", dest="instructors", metavar="USERNAME")

    def handle(self, *args: object, **options: Any) -> None:
        """Make it, and say in one line what is new."""
        known = Cohort.objects.filter(slug=options["slug"]).first()
        wanted = Cohort(
            slug=options["slug"],
            name=options["name"] or (known.name if known else options["slug"]),
            time_zone=options["time_zone"] or (known.time_zone if known else settings.TIME_ZONE),
        )
        try:
            wanted.clean_fields()
        except ValidationError as error:
            field, problems = next(iter(error.message_dict.items()))
            raise CommandError(f"{field}: {problems[0]}", returncode=2) from error
        slugs, names = set(options["sessions"] or ()), set(options["instructors"] or ())
        sessions = list(Session.objects.filter(slug__in=slugs))
        users = list(User.objects.filter(username__in=names, is_active=True))
        _refuse_unknown("session is imported as", slugs - {each.slug for each in sessions})
        _refuse_unknown("active user is named", names - {each.username for each in users})
        try:
            made = make_cohort(
                wanted.slug,
                name=wanted.name,
                time_zone=wanted.time_zone,
                sessions=sessions,
                instructors=users,
                may_exist=True,
            )
        except LearnerHereError as error:
            raise CommandError(
                "one of the instructors is a learner of this cohort", returncode=2
            ) from error
        if options["verbosity"]:
            sys.stdout.write(_line(made) + "\n")


def _refuse_unknown(what: str, unknown: Iterable[str]) -> None:
    if names := ", ".join(repr(name) for name in sorted(unknown)):
        raise CommandError(f"no {what} {names}", returncode=2)


def _line(made: Made) -> str:
    done = "made" if made.is_new else "changed" if made.is_changed else "unchanged"
    added = f"added: sessions {made.sessions}, instructors {made.instructors}"
    return f"cohort {made.cohort.slug} ({made.cohort.name}): {done}; {added}"
