"""Fills the database that the settings name, and says what a reader from outside needs to know.

Run as ``manage.py shell -c "from tests.benchmarks.filling import tell; tell(1000000)"``.
"""

import json
import sys
from dataclasses import asdict, dataclass

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from assessment.review.models import Grade
from tests.benchmarks.million import fill
from tests.factories import bearer

REST = "/api/v1/grades/"
ONEROSTER = "/ims/oneroster/gradebook/v1p2/results"


@dataclass(frozen=True)
class Filled:
    """What is in the database, who may read it, and how often a page asks for it."""

    results: int
    released: int
    client_id: str
    # The class of a thousand, and the cookie of someone who teaches it.
    cohort: str
    session: str
    # Queries of a page of ten and of a page of a thousand, by address.
    queries: dict[str, tuple[int, int]]


def tell(results: int) -> None:
    """Make tables and rows; print the rest as one line of JSON."""
    call_command("migrate", verbosity=0)
    made = fill(results)
    browser = Browser(headers={"host": settings.ALLOWED_HOSTS[0]})
    browser.force_login(made.instructor, "django.contrib.auth.backends.ModelBackend")
    headers = bearer(made.instructor, *made.lms.scopes)
    told = Filled(
        results=made.results,
        released=Grade.objects.count(),
        client_id=made.lms.client_id,
        cohort=made.thousand.slug,
        session=browser.cookies[settings.SESSION_COOKIE_NAME].value,
        queries={
            label: (_queries(address, 10, headers), _queries(address, 1000, headers))
            for label, address in (("REST", REST), ("OneRoster", ONEROSTER))
        },
    )
    sys.stdout.write(f"{json.dumps(asdict(told))}\n")


def _queries(address: str, limit: int, headers: dict[str, str]) -> int:
    """Return the queries of a page, past the one that notes the token's use."""
    browser = Browser(headers={"host": settings.ALLOWED_HOSTS[0], **headers})
    browser.get(address, {"limit": 1})
    with CaptureQueriesContext(connection) as asked:
        answer = browser.get(address, {"limit": limit})
        assert answer.status_code == 200, answer.content[:300]
    return len(asked)
