"""Keeps secrets that stand in addresses out of the log."""

import logging
import re

# Whoever reads such an address has the account, or connects an LMS: a line about a request must not
# hold it.
_LINK = re.compile(r"(/(?:link|forgotten)/[^/\s]*/|/lti/register/)[^/\s]+")


def without_links(text: str) -> str:
    """Return a text with the secret part of its addresses blanked.

    >>> without_links("Not Found: /link/NDI/c8xq-1f2e/")
    'Not Found: /link/NDI/…/'
    >>> without_links("Forbidden: /lti/register/q3Rt/")
    'Forbidden: /lti/register/…/'
    """
    return _LINK.sub(r"\1…", text)


class WithoutLinks(logging.Filter):
    """Blanks the secret part of addresses in every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the line; none is left out."""
        text = record.getMessage()
        if _LINK.search(text):
            record.msg, record.args = without_links(text), ()
        return True
