"""Reads the filters of the grades list; what cannot be read is refused, never an empty success."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.http import QueryDict
from rest_framework.exceptions import ValidationError

from assessment.web.parameters import read_slug, refuse_unknown

DEFAULT_LIMIT: Final = 100
HIGHEST_LIMIT: Final = 1000
KNOWN: Final = ("cohort", "updated_since", "cursor", "limit")

_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?"
    r"(?P<offset>[Zz]|[+-][0-9]{2}:[0-9]{2}| [0-9]{2}:?[0-9]{2})?"
)
_EXAMPLE = "write for example 2026-11-30T08:00:00Z"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the caller asked for; empty where nothing was said."""

    cohort: str
    updated_since: datetime | None
    cursor: str
    limit: int


def read_filters(query: QueryDict) -> Filters:
    """Return the filters of a query string.

    Raises
    ------
    ValidationError
        By parameter: unknown, given twice, too long, or not to be read.
    """
    refuse_unknown(query, KNOWN)
    return Filters(
        cohort=read_slug(query, "cohort"),
        updated_since=_since(query),
        cursor=query.get("cursor", ""),
        limit=_limit(query),
    )


def _limit(query: Mapping[str, str]) -> int:
    text = query.get("limit", str(DEFAULT_LIMIT))
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= HIGHEST_LIMIT:
        raise ValidationError({"limit": f"is a whole number from 1 to {HIGHEST_LIMIT}"})
    return int(text)


def _since(query: Mapping[str, str]) -> datetime | None:
    text = query.get("updated_since", "")
    if not text:
        return None
    found = _INSTANT.fullmatch(text)
    if found is None:
        raise _refused(f"“{text[:40]}” is no time; {_EXAMPLE}")
    if found["offset"] is None:
        raise _refused(f"has no offset, so it names no instant; add Z or +HH:MM ({_EXAMPLE})")
    if found["offset"].startswith(" "):
        raise _refused("has a blank where an offset's plus belongs: escape + as %2B, or use Z")
    try:
        # Here and not in the query: near the first and the last year there is no such time in UTC.
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _refused(f"“{text[:40]}” is no time; {_EXAMPLE}") from error


def _refused(problem: str) -> ValidationError:
    return ValidationError({"updated_since": problem})
