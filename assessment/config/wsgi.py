"""The WSGI entry point of the web server."""

import os
import re
from collections.abc import Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")

_CHARSET = re.compile(r';\s*charset\s*=\s*("[^"]*"|[^;]*)', re.IGNORECASE)
_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401 (the server's own)
    """Read addresses and forms as UTF-8, whatever a caller names.

    Django follows the name, and some name no encoding of text (``zlib``): it would break before it
    could say so.
    """
    environ["CONTENT_TYPE"] = _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))
    return _django(environ, start_response)
