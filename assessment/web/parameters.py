"""Parameters and bodies of the API: strictly read, and described as they are read."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

LONGEST_VALUE: Final = 1000
SLUG: Final = "[-a-zA-Z0-9_]"
LONGEST_COHORT: Final = 80
# What no keyboard types, in the notation that JSON Schema and Python share.
_CONTROLS: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
TEXT: Final = f"^[^{_CONTROLS}]*$"
BLANK: Final = r"^\s*$"
EXACT: Final = r"^[0-9]{1,5}(\.[0-9]{1,4})?$"

COHORT = OpenApiParameter(
    "cohort",
    {"type": "string", "pattern": f"^{SLUG}*$", "maxLength": LONGEST_COHORT},
    description="A cohort's slug; empty as if it were left out.",
)


def refuse_unknown(query: QueryDict, known: Collection[str]) -> None:
    """Refuse parameters that nobody reads: a misspelt filter must not return everything.

    Raises
    ------
    ValidationError
        By parameter: unknown, given twice, or too long.
    """
    problems: dict[str, str] = {}
    for name in query:
        if name not in known:
            problems[name[:LONGEST_VALUE]] = (
                f"is no parameter of this address; it knows {', '.join(known)}"
            )
        elif len(query.getlist(name)) > 1:
            problems[name] = "is given more than once"
        elif len(query[name]) > LONGEST_VALUE:
            problems[name] = f"has more than {LONGEST_VALUE} characters"
    if problems:
        raise ValidationError(problems)


def read_slug(query: Mapping[str, str], name: str, longest: int = LONGEST_COHORT) -> str:
    """Return the slug that a parameter names; an empty one stands for none."""
    text = query.get(name, "")
    if not re.fullmatch(f"{SLUG}{{0,{longest}}}", text):
        raise ValidationError({name: f"is a slug: at most {longest} letters, digits, - and _"})
    return text


def one_of(known: Iterable[str]) -> dict[str, Any]:
    """Return what a choice says that is given none of these; what was sent is not repeated."""
    return {"invalid_choice": f"is one of: {', '.join(known)}"}


def slug_in_path(longest: int, description: str) -> OpenApiParameter:
    """Describe the slug of an address."""
    return OpenApiParameter(
        "slug",
        {"type": "string", "pattern": f"^{SLUG}+$", "maxLength": longest},
        location=OpenApiParameter.PATH,
        description=description,
    )


class ClosedSerializer(serializers.Serializer[Any]):
    """A body whose members are all known: a misspelt one is refused, not ignored."""

    def to_internal_value(self, data: Any) -> Any:  # noqa: ANN401 (DRF's signature)
        """Refuse unknown members, then read the known ones."""
        if isinstance(data, Mapping) and (unknown := set(data) - set(self.fields)):
            problem = [f"is no member of this body; it has {', '.join(self.fields)}"]
            raise ValidationError({name[:LONGEST_VALUE]: problem for name in sorted(unknown)})
        return super().to_internal_value(data)
