"""Makes and revokes the clients by which other systems read a cohort's rows."""

from collections.abc import Iterable, Sequence
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from oauth2_provider.generators import generate_client_secret

from assessment.cohorts.models import AccessToken, Client, Cohort, User

# These act for a person; a client of its own has none.
_PERSONAL: Final = frozenset({"learn", "teach"})


def client_scopes() -> dict[str, str]:
    """Return the scopes that a client may be given, with what each opens."""
    known: dict[str, str] = settings.OAUTH2_PROVIDER["SCOPES"]
    return {name: str(text) for name, text in known.items() if name not in _PERSONAL}


@transaction.atomic
def register_client(
    name: str, *, cohorts: Iterable[Cohort], scopes: Sequence[str]
) -> tuple[Client, str]:
    """Make a client bound to these cohorts; its secret is returned this once and kept hashed."""
    if unknown := set(scopes) - set(client_scopes()):
        raise ValueError(f"no scope of clients: {', '.join(sorted(unknown))}")
    secret: str = generate_client_secret()
    client: Client = Client.objects.create(
        name=name,
        client_type=Client.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Client.GRANT_CLIENT_CREDENTIALS,
        client_secret=secret,
        scopes=list(scopes),
    )
    client.cohorts.set(cohorts)
    return client, secret


@transaction.atomic
def revoke_client(client: Client) -> int:
    """Close a client for good; returns how many of its tokens stopped working."""
    Client.objects.filter(pk=client.pk, revoked_at=None).update(revoked_at=timezone.now())
    closed: int
    closed, _by_model = AccessToken.objects.filter(application=client).delete()
    return closed


def clients_of(user: User) -> QuerySet[Client]:
    """Return the clients that a person manages, the newest first.

    An administrator manages all; an instructor those that read cohorts of theirs and no others.
    """
    clients: QuerySet[Client] = Client.objects.prefetch_related("cohorts").order_by(
        "-created", "-pk"
    )
    if user.is_superuser:
        return clients
    taught = instructed_by(user)
    foreign = Client.cohorts.through.objects.exclude(cohort__in=taught).values("client")
    clients = clients.filter(cohorts__in=taught).exclude(pk__in=foreign)
    return clients.distinct()


def instructed_by(user: User) -> QuerySet[Cohort]:
    """Return the cohorts whose clients a person may make: all for administrators."""
    if user.is_superuser:
        return Cohort.objects.all()
    return Cohort.objects.instructed_by(user)
