"""What can go wrong when text is read: a code, a place and parameters, never prose."""

from collections.abc import Mapping

from exercises.checking.messages import message


class ReadingError(Exception):
    """Text that is not one value of the kind asked for.

    Attributes
    ----------
    code : str
        Key of the sentence in ``exercises.checking.messages``.
    column : int or None
        Place in the text as typed, counted from 1.
    params : Mapping[str, object]
        What the sentence names.
    entry : int or None
        Which entry of an array it is about, counted from 1.
    """

    code = "unreadable"
    entry: int | None = None

    def __init__(
        self, code: str | None = None, *, column: int | None = None, **params: object
    ) -> None:
        self.code = code or self.code
        self.column = column
        self.params: Mapping[str, object] = (
            params if column is None else {**params, "column": column}
        )
        super().__init__(self.code)

    def __str__(self) -> str:
        return message(self.code, self.params, entry=self.entry)


class BlankError(ReadingError):
    """Nothing was typed."""

    code = "blank"


class TooLargeError(ReadingError):
    """More text, entries or brackets than a field takes."""

    code = "too_long"


class OutOfRangeError(ReadingError):
    """A value that a 64-bit number cannot hold."""

    code = "out_of_range"


class AmbiguousError(ReadingError):
    """Text with two readings; ``params["first"]`` and ``params["second"]`` show them."""

    code = "ambiguous"


class MalformedError(ReadingError):
    """Text that follows no rule of the grammar."""

    code = "character"


class UnitError(ReadingError):
    """A unit of another dimension, one where none is asked, or none where one is."""

    code = "unit_other"
