"""One strict grammar for what people type.

No ``eval``, no ``float()`` on raw text, everything bounded. What can be read in two ways is refused
with both readings.
"""

from exercises.checking.reading.errors import (
    Ambiguous,
    Blank,
    Malformed,
    OutOfRange,
    ReadingError,
    TooLarge,
    UnitError,
)
from exercises.checking.reading.typed import Typed

__all__ = [
    "Ambiguous",
    "Blank",
    "Malformed",
    "OutOfRange",
    "ReadingError",
    "TooLarge",
    "Typed",
    "UnitError",
]
