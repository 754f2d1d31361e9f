from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults

import pytest

from assessment.config.wsgi import application

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def ask(method: str, query: str, body: bytes, content_type: str, path: str) -> tuple[str, str]:
    """Come in by the web server's own entry; return the status and the page."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        "REMOTE_ADDR": "127.0.0.1",
    }
    setup_testing_defaults(environ)
    environ["HTTP_HOST"] = "localhost"
    said: list[str] = []
    page = b"".join(application(environ, lambda status, _headers: said.append(status)))
    return said[0], page.decode()


@pytest.mark.parametrize(
    "charset",
    ["zlib", "bz2", "hex", "rot13", '"zlib"', "utf-16", "iso-8859-1", "UTF-8", "none", ""],
)
def test_addresses_and_forms_are_utf8_whatever_a_caller_names(charset: str) -> None:
    named = f"{FORM}; charset={charset}; more=1"
    query = urlencode({"next": "/breaks/é/"})

    status, page = ask("GET", query, b"", named, "/sign-in/")
    assert status == "200 OK"
    assert 'value="/breaks/é/"' in page

    # Without its token a form is refused, and what was typed is shown again.
    status, page = ask("POST", "", urlencode({"note": "é"}).encode(), named, "/theme/")
    assert status == "403 Forbidden"
    assert "é</textarea>" in page
