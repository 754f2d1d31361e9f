"""Waits for what other processes do, and times it, on machines that may be slow and busy."""

import time
from collections.abc import Callable

# Only a failure waits that long.
_PATIENCE = 90.0
_MEASUREMENTS = 5


def eventually(holds: Callable[[], bool], *, within: float = _PATIENCE) -> bool:
    """Whether something becomes true; looks often at first, then now and then."""
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < within:
        if holds():
            return True
        time.sleep(min(max(passed / 10, 0.02), 0.5))
    return holds()


def takes_less_than(seconds: float, measure: Callable[[], float]) -> bool:
    """Whether the least of a few measurements is below a limit; stops at the first that is.

    A busy machine holds up one or another; what is slow by itself is slow each time.
    """
    return any(measure() < seconds for _ in range(_MEASUREMENTS))
