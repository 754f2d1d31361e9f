"""Keeps secrets that stand in addresses out of the log."""

import logging
import re

# Whoever reads such a link has the account: a line about a refused request must not hold it.
_LINK = re.compile(r"(/(?:link|forgotten)/[^/\s]*/)[^/\s]+")


def without_links(text: str) -> str:
    """Return a text with the secret part of sign-in links blanked.

    >>> without_links("Not Found: /link/NDI/c8xq-1f2e/")
    'Not Found: /link/NDI/…/'
    """
    return _LINK.sub(r"\1…", text)


class WithoutLinks(logging.Filter):
    """Blanks the secret part of sign-in links in every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the line; none is left out."""
        text = record.getMessage()
        if _LINK.search(text):
            record.msg, record.args = without_links(text), ()
        return True
