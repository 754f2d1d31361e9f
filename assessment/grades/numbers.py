"""Points on their way out: exact decimals, with the digits they have."""

from decimal import Decimal


def number(value: Decimal) -> int | float:
    """Return a decimal as the JSON number of the same digits: 7.5, 10, never 0.7000000000000001.

    A float prints the shortest digits that name it, so every decimal of up to 15 digits survives.
    """
    return int(value) if value == value.to_integral_value() else float(value)
