"""How gunicorn serves: ``gunicorn -c assessment/config/web_server.py assessment.config.wsgi``.

A proxy that reads requests whole before it passes them on, as nginx does, belongs in front of a
service that strangers reach: here a request that trickles in holds one of the threads.
"""

import gc
import socket
import struct
from typing import Any
from urllib.parse import quote

from gunicorn.glogging import Logger

from assessment.config.redacting import without_links


class PathLogger(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """Writes the path down as it came, in one line."""

    def atoms(self, *call: Any) -> dict[str, Any]:
        """Return what an access log's line is made of."""
        atoms: dict[str, Any] = super().atoms(*call)
        return {**atoms, "U": quote(without_links(atoms["U"] or ""))}


worker_class = "gthread"
threads = 8
graceful_timeout = 5
control_socket_disable = True
logger_class = PathLogger
# The path without its query: what stands there by mistake, a token even, is kept nowhere.
access_log_format = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(B)s %(M)sms'
# Seconds in which not a byte comes or goes: a phone that lost its network holds no thread for good.
_READING, _WRITING = 15, 60


def when_ready(server: Any) -> None:  # noqa: ANN401 (gunicorn ships no types)
    """Give up on connections that stand still; each inherits this from the one it came by."""
    for listener in server.LISTENERS:
        for option, seconds in ((socket.SO_RCVTIMEO, _READING), (socket.SO_SNDTIMEO, _WRITING)):
            listener.sock.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))


def post_worker_init(worker: Any) -> None:  # noqa: ANN401, ARG001 (gunicorn ships no types)
    """Look for garbage among what requests leave, not again and again among what was imported."""
    gc.collect()
    gc.freeze()
