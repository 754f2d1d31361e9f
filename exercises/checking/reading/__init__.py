"""One strict grammar for what people type.

No ``eval``, no ``float()`` on raw text, everything bounded. What can be read in two ways is refused
with both readings. ``characters`` maps what keyboards and pages produce onto the grammar's own
characters, ``numerals`` reads one number, ``brackets`` and ``separators`` take an array apart,
``units`` knows the units; the modules named for a kind of answer hold the functions below.
"""

from exercises.checking.reading.arrays import read_array
from exercises.checking.reading.characters import Decimal
from exercises.checking.reading.errors import (
    AmbiguousError,
    BlankError,
    MalformedError,
    OutOfRangeError,
    ReadingError,
    TooLargeError,
    UnitError,
)
from exercises.checking.reading.names import Names, NamesError, read_choice, read_set
from exercises.checking.reading.numbers import read_number
from exercises.checking.reading.operations import Evaluated, evaluate_operation
from exercises.checking.reading.quantities import read_quantity
from exercises.checking.reading.shapes import read_shape
from exercises.checking.reading.typed import Typed

__all__ = [
    "AmbiguousError",
    "BlankError",
    "Decimal",
    "Evaluated",
    "MalformedError",
    "Names",
    "NamesError",
    "OutOfRangeError",
    "ReadingError",
    "TooLargeError",
    "Typed",
    "UnitError",
    "evaluate_operation",
    "read_array",
    "read_choice",
    "read_number",
    "read_quantity",
    "read_set",
    "read_shape",
]
