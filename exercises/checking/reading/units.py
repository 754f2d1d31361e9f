"""Units that an answer may carry: an allow-list, and pint for what they amount to.

The registry holds this list and nothing else, so a unit that the list does not name does not exist
for it. It is built once, when the first quantity is read.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from exercises.checking.reading.characters import LETTER, SUPERSCRIPTS
from exercises.checking.reading.errors import AmbiguousError, MalformedError, UnitError

if TYPE_CHECKING:
    from pint import UnitRegistry

_MOST_CHARACTERS = 40
_MOST_FACTORS = 5
_MOST_POWER = 4

# name in the registry: (definition, spellings)
_UNITS: dict[str, tuple[str, str]] = {
    "bit": ("[information]", "bit bits"),
    "byte": ("8 * bit", "byte bytes B octet octets"),
    "nat": ("[]", "nat nats"),
    "second": ("[time]", "s sec secs second seconds"),
    "minute": ("60 * second", "min mins minute minutes"),
    "hour": ("3600 * second", "h hr hrs hour hours"),
    "day": ("86400 * second", "d day days"),
    "flop": ("[operation]", "FLOP FLOPs flop flops"),
    "metre": ("[length]", "m metre metres meter meters"),
    "gram": ("[mass]", "g gram grams"),
    "ampere": ("[current]", "A"),
    "newton": ("1000 * gram * metre / second ** 2", "N"),
    "joule": ("newton * metre", "J"),
    "watt": ("joule / second", "W"),
    "volt": ("watt / ampere", "V"),
    "hertz": ("1 / second", "Hz"),
    "kelvin": ("[temperature]", "K"),
}
_DECIMAL = {
    "k": ("kilo", 3),
    "M": ("mega", 6),
    "G": ("giga", 9),
    "T": ("tera", 12),
    "P": ("peta", 15),
}
_BINARY = {"Ki": ("kibi", 10), "Mi": ("mebi", 20), "Gi": ("gibi", 30), "Ti": ("tebi", 40)}
_SMALL = {"m": ("milli", -3), "μ": ("micro", -6), "u": ("micro", -6), "n": ("nano", -9)}
_LARGE_ONES = (("byte", "B"), ("bit", "bit"), ("flop", "FLOP"))
_SMALL_ONES = (("second", "s"), ("metre", "m"), ("gram", "g"))
# A small b is a bit by the standard, and a byte to most who type it.
_TWO_READINGS = {"b": ("bit", "byte")} | {
    f"{typed}b": (f"{long}bit", f"{long}byte")
    for short, (long, _) in (_DECIMAL | _BINARY).items()
    for typed in (short, short.swapcase() if len(short) == 1 else short)
}
_FACTOR = re.compile(rf" *({LETTER}+) *(?:(?:\^|\*\*) *([+-]?[0-9])|([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]))? *")


def _spellings() -> tuple[dict[str, str], list[str]]:
    """Return the registry's name for each spelling, and the registry's definitions."""
    names: dict[str, str] = {}
    definitions: list[str] = []

    def define(name: str, definition: str, written: list[str]) -> None:
        definitions.append(f"{name} = {definition}")
        names.update(dict.fromkeys(written, name))

    for name, (definition, written) in _UNITS.items():
        define(name, definition, written.split())
    for unit, symbol in _LARGE_ONES:
        for short, (long, power) in _DECIMAL.items():
            define(long + unit, f"1e{power} * {unit}", [short + symbol, long + unit])
            names.update(dict.fromkeys([f"{long}{unit}s", f"{short}{unit}s"], long + unit))
        for short, (long, power) in _BINARY.items():
            define(long + unit, f"{2**power} * {unit}", [short + symbol, long + unit])
            names.update(dict.fromkeys([f"{long}{unit}s", f"{short}{unit}s"], long + unit))
    # French writes octets.
    for short, (long, _) in (_DECIMAL | _BINARY).items():
        names[f"{short}o"] = f"{long}byte"
    names["KB"] = "kilobyte"
    for unit, symbol in _SMALL_ONES:
        for short, (long, power) in (_SMALL | {"k": ("kilo", 3), "c": ("centi", -2)}).items():
            if long + unit not in names:
                define(long + unit, f"1e{power} * {unit}", [long + unit])
            names.update(dict.fromkeys([short + symbol, f"{long}{unit}s"], long + unit))
    return names, definitions


_NAMES, _DEFINITIONS = _spellings()


def is_unit(text: str) -> bool:
    """Whether the text is a unit of the list, or a product or quotient of such."""
    try:
        _expression(text)
    except (MalformedError, UnitError, AmbiguousError):
        return False
    return True


@lru_cache(maxsize=1024)
def factor(unit: str, base: str) -> Fraction:
    """Return how many ``base`` one ``unit`` is, exactly.

    Raises
    ------
    UnitError
        Where the two measure different things.
    MalformedError, AmbiguousError
        Where the list does not have the unit, or has two for it.
    """
    registry = _registry()
    asked = registry.Unit(_expression(base))
    given = registry.Unit(_expression(unit))
    if asked.dimensionality != given.dimensionality:
        raise UnitError("unit_other", seen=unit, unit=base)
    return Fraction(registry.Quantity(Fraction(1), given).to(asked).magnitude)


def _expression(text: str) -> str:
    """Return the unit as an expression over the registry's names."""
    if len(text) > _MOST_CHARACTERS:
        raise MalformedError("unit_unknown", seen=text[:_MOST_CHARACTERS])
    parts: list[str] = []
    operator = ""
    rest = re.sub(r" per ", "/", text.strip())
    while True:
        found = _FACTOR.match(rest)
        if found is None or len(parts) >= _MOST_FACTORS:
            raise MalformedError("unit_unknown", seen=text)
        written, power, superscript = found.groups()
        exponent = int((power or superscript or "1").translate(SUPERSCRIPTS))
        if abs(exponent) > _MOST_POWER:
            raise MalformedError("unit_unknown", seen=text)
        parts.append(f"{operator}{_name(written)} ** {exponent}")
        rest = rest[found.end() :]
        if not rest:
            return " ".join(parts)
        if rest[0] not in "*/":
            raise MalformedError("unit_unknown", seen=text)
        operator, rest = f"{rest[0]} ", rest[1:]


def _name(written: str) -> str:
    name = _NAMES.get(written)
    if name is not None:
        return name
    two = _TWO_READINGS.get(written)
    if two is not None:
        raise AmbiguousError("unit_ambiguous", seen=written, first=two[0], second=two[1])
    raise MalformedError("unit_unknown", seen=written)


@lru_cache(maxsize=1)
def _registry() -> "UnitRegistry[Fraction]":
    # Half the engine's import time would be pint's, and most runs read no quantity.
    from pint import UnitRegistry  # noqa: PLC0415

    registry: UnitRegistry[Fraction] = UnitRegistry(None, non_int_type=Fraction)
    for definition in _DEFINITIONS:
        registry.define(definition)
    return registry
