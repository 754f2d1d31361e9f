"""Whether this process can serve: asked by containers and load balancers."""

import http.client
import os
import sys

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

_PORT = 8000


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """Answer 200 when the database answers, 503 when it does not; nobody need sign in."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("the database does not answer\n", "text/plain", status=503)
    return HttpResponse("ok\n", "text/plain")


def ask(address: str) -> bool:
    """Return whether the web server at ``host:port`` says that it is well."""
    # By a name that the server answers to: others are refused.
    name = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")
    request = http.client.HTTPConnection(address, timeout=5)
    try:
        request.request("GET", "/health/", headers={"Host": name if name != "*" else "localhost"})
        return request.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        request.close()


if __name__ == "__main__":
    sys.exit(0 if ask(sys.argv[1] if len(sys.argv) > 1 else f"127.0.0.1:{_PORT}") else 1)
