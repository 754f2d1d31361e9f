"""The words that the engine answers with; contract for everything outside."""

from enum import StrEnum


class Verdict(StrEnum):
    """What one answer is."""

    RIGHT = "right"
    COARSE = "coarse"
    WRONG = "wrong"
    SHAPE = "shape"
    UNIT = "unit"
    UNREADABLE = "unreadable"
    BLANK = "blank"
    ERROR = "error"


class Status(StrEnum):
    """What one step of a chain is."""

    RIGHT = "right"
    CARRIED = "carried"
    UNSUPPORTED = "unsupported"
    SLIP = "slip"
    COARSE = "coarse"
    WRONG = "wrong"
    SHAPE = "shape"
    UNIT = "unit"
    UNREADABLE = "unreadable"
    MISSING = "missing"


class Break(StrEnum):
    """Where a chain of reasoning breaks, in chain order."""

    VOCABULARY = "vocabulary"
    SHAPES = "shapes"
    OPERATION = "operation"
    INTERPRETATION = "interpretation"
    CLAIM_SCOPE = "claim_scope"
