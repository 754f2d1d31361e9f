"""One strict grammar for what people type.

No ``eval``, no ``float()`` on raw text, everything bounded. What can be read in two ways is refused
with both readings.
"""

from exercises.checking.reading.errors import (
    AmbiguousError,
    BlankError,
    MalformedError,
    OutOfRangeError,
    ReadingError,
    TooLargeError,
    UnitError,
)
from exercises.checking.reading.typed import Typed

__all__ = [
    "AmbiguousError",
    "BlankError",
    "MalformedError",
    "OutOfRangeError",
    "ReadingError",
    "TooLargeError",
    "Typed",
    "UnitError",
]
