"""The floor of an answer: a web application that writes rows it already holds as JSON.

It is served by the same server with the same options. ``POST`` hands it a page; every ``GET``
answers with that page, written anew.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

_held: dict[str, Any] = {"page": {}}


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    """Take a page or give it back."""
    if environ["REQUEST_METHOD"] == "POST":
        length = int(environ["CONTENT_LENGTH"])
        _held["page"] = json.loads(environ["wsgi.input"].read(length))
    body = json.dumps(_held["page"], ensure_ascii=False, separators=(",", ":")).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response("200 OK", headers)
    return [body]
