"""What callers say beside the body: the cohort that they answer in, and the key of a repeat."""

import re
from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from assessment.web.parameters import read_slug, refuse_unknown, slug_in_path

# Visible ASCII: what every proxy passes on unchanged.
_KEY: Final = "[!-~]{1,200}"

SESSION_SLUG = slug_in_path(120, "The slug of a session.")
EXERCISE_SLUG = slug_in_path(160, "The slug of an exercise.")
SUBMISSION_ID = OpenApiParameter(
    "submission_id",
    OpenApiTypes.UUID,
    location=OpenApiParameter.PATH,
    description="The id of a submission.",
)
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": f"^{_KEY}$"},
    location=OpenApiParameter.HEADER,
    description=(
        "A repeat with the same key and answers returns the first submission; a new key makes an "
        "attempt of its own. Without one, the same answers twice in a row are one attempt."
    ),
)
LOCATION = OpenApiParameter(
    "Location",
    OpenApiTypes.URI_REF,
    location=OpenApiParameter.HEADER,
    response=[201],
    description="Where the submission is.",
)


def read_cohort(request: Request) -> str | None:
    """Return the cohort that the caller names, if any."""
    refuse_unknown(request.query_params, ("cohort",))
    return read_slug(request.query_params, "cohort") or None


def read_key(request: Request) -> str | None:
    """Return the key of ``Idempotency-Key``, apart from those of the pages."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not re.fullmatch(_KEY, key):
        raise ValidationError({"Idempotency-Key": ["is 1 to 200 visible ASCII characters"]})
    return f"api:{key}"
