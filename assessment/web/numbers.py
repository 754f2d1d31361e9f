"""Exact decimals for people."""

from decimal import Decimal, InvalidOperation

from django.utils.formats import number_format

_LONGEST = 60


def exact(value: Decimal | float | str) -> str:
    """Return the value in the language's notation, every digit that it has and no trailing zero.

    Text that is no finite number comes back as it is.
    """
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not number.is_finite():
        return str(value)
    plain = f"{number:f}"
    if len(plain) > _LONGEST:
        return str(number)
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return number_format("0" if plain == "-0" else plain, use_l10n=True)


def plain(value: Decimal) -> str:
    """Write a decimal exactly, without trailing zeros or an exponent: ``7.5``, ``10``, ``0``.

    >>> plain(Decimal("10.0000")), plain(Decimal("7.50")), plain(Decimal("0E-4"))
    ('10', '7.5', '0')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
