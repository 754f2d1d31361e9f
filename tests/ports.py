"""Ports of this machine that stay one test process's own."""

import socket
import sys

_held: list[socket.socket] = []


def free_port() -> int:
    """Return a port that nothing listens on, and keep everybody else from taking it meanwhile.

    A server takes it all the same: servers may bind beside a socket that does not listen.
    """
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    port: int = holder.getsockname()[1]
    if sys.platform.startswith("linux"):
        # Only from now on, so that the next one who asks for a free port does not get it too.
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _held.append(holder)
    else:
        holder.close()  # other systems let no server in beside it
    return port
