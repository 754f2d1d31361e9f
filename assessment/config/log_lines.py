"""Lines of the log."""

import logging
import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """Keeps a message in its line: what a caller typed into it begins no line of its own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        """Write control characters as what they are."""
        return _CONTROL.sub(lambda found: repr(found[0])[1:-1], super().formatMessage(record))
