"""Reads single claims: whatever else a platform writes there is taken for nothing."""

from typing import Any

from assessment.grades.lti.addresses import is_callable
from assessment.grades.lti.messages import Claims

LONGEST_ID = 255
_ADDRESS = 1000


def mapping_of(claims: Claims, name: str) -> dict[str, Any]:
    """Return an object of the claims, empty where it is none."""
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def text_of(claims: Claims, name: str, *, longest: int = LONGEST_ID) -> str:
    """Return a text of the claims, empty where it is none; a bounded part of a long one.

    What nobody sees becomes a blank: no database stores a NUL or half a character.
    """
    found = claims.get(name)
    if not isinstance(found, str):
        return ""
    seen = "".join(sign if sign.isprintable() else " " for sign in found[: 2 * longest])
    return seen.strip()[:longest]


def address_of(claims: Claims, name: str) -> str:
    """Return an address that may be called, empty where there is none."""
    found = text_of(claims, name, longest=_ADDRESS + 1)
    return found if len(found) <= _ADDRESS and is_callable(found) else ""
