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
