"""``lms_client make | list | revoke``: the clients by which other systems read grades."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.cohorts.clients import client_scopes, register_client, revoke_client
from assessment.cohorts.models import Client, Cohort

_LONGEST_NAME = 100


class Command(BaseCommand):
    """Make, list and revoke clients of other systems."""

    help = "Make, list and revoke the clients by which an LMS reads released grades."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare one subcommand for each verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        make = verbs.add_parser("make", help="make a client; its secret is printed this once")
        make.add_argument("name")
        make.add_argument("--cohort", action="append", dest="cohorts", required=True)
        make.add_argument("--scope", action="append", dest="scopes", metavar="S")
        make.add_argument("--json", action="store_true")
        listing = verbs.add_parser("list", help="list all clients with their last use")
        listing.add_argument("--json", action="store_true")
        revoke = verbs.add_parser("revoke", help="close a client and all its tokens")
        revoke.add_argument("client_id")

    def handle(self, *_arguments: object, **options: Any) -> None:
        """Do what the verb says, or say in one line why not."""
        match options["verb"]:
            case "make":
                self._make(options)
            case "list":
                self._list(as_json=options["json"])
            case _:
                self._revoke(options["client_id"])

    def _make(self, options: dict[str, Any]) -> None:
        scopes = options["scopes"] or ["grades:read"]
        if unknown := set(scopes) - set(client_scopes()):
            raise CommandError(
                f"no scope of clients: {', '.join(sorted(unknown))};"
                f" known: {', '.join(client_scopes())}",
                returncode=2,
            )
        name = options["name"].strip()
        if not 0 < len(name) <= _LONGEST_NAME:
            raise CommandError(f"a name has 1 to {_LONGEST_NAME} characters", returncode=2)
        cohorts = list(Cohort.objects.filter(slug__in=options["cohorts"]))
        if missing := set(options["cohorts"]) - {cohort.slug for cohort in cohorts}:
            raise CommandError(f"no cohort named {', '.join(sorted(missing))}", returncode=1)
        client, secret = register_client(name, cohorts=cohorts, scopes=scopes)
        found = {"client_id": client.client_id, "client_secret": secret}
        if options["json"]:
            sys.stdout.write(json.dumps(found) + "\n")
        else:
            sys.stdout.writelines(f"{key}: {value}\n" for key, value in found.items())

    def _list(self, *, as_json: bool) -> None:
        for client in Client.objects.prefetch_related("cohorts").order_by("created"):
            row = {
                "client_id": client.client_id,
                "name": client.name,
                "cohorts": [cohort.slug for cohort in client.cohorts.all()],
                "scopes": client.scopes,
                "last_used_at": _instant(client.last_used_at),
                "revoked_at": _instant(client.revoked_at),
            }
            if as_json:
                sys.stdout.write(json.dumps(row) + "\n")
                continue
            state = (
                "revoked" if client.revoked_at else f"last used {row['last_used_at'] or 'never'}"
            )
            reads = f"{', '.join(row['cohorts'])}: {' '.join(client.scopes)}"
            sys.stdout.write(f"{client.client_id}  {client.name}  ({reads})  {state}\n")

    def _revoke(self, client_id: str) -> None:
        client = Client.objects.filter(client_id=client_id).first()
        if client is None:
            raise CommandError("no client has that id; see: lms_client list", returncode=1)
        closed = revoke_client(client)
        sys.stdout.write(f"{client.name}: revoked; tokens that stopped working: {closed}\n")


def _instant(moment: Any) -> str | None:  # noqa: ANN401 (a datetime of an untyped model)
    return moment.isoformat(timespec="seconds") if moment else None
