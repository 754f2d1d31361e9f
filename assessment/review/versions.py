"""The version of a review that a caller has read: its number and that of the rubric."""

from typing import Final

from django.utils.http import parse_etags

from assessment.attempts.models import Submission
from assessment.review.models import Review
from assessment.review.scoring import rubric_of

_PARTS: Final = 2


def etag_of(submission: Submission) -> str:
    """Return the entity tag of the review as it stands: ``"0-1"`` is none yet, rubric 1."""
    present = Review.objects.present().filter(submission=submission).first()
    return f'"{present.number if present else 0}-{rubric_of(submission).number}"'


def read_etags(header: str, submission: Submission) -> tuple[int, int] | None:
    """Return review and rubric number of an ``If-Match`` header; ``None`` where it is none of ours.

    Of several tags the one that holds is taken. The tag of the whole submission begins with the
    same two numbers and is taken too. Weak tags never match, and ``*`` names no version, so neither
    is taken.
    """
    named = list(filter(None, map(_numbers, parse_etags(header.strip()))))
    present = _numbers(etag_of(submission))
    return present if present in named else next(iter(named), None)


def _numbers(tag: str) -> tuple[int, int] | None:
    parts = tag.removeprefix('"').removesuffix('"').split("-")[:_PARTS]
    if tag.startswith('"') and len(parts) == _PARTS and all(map(_is_number, parts)):
        return int(parts[0]), int(parts[1])
    return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004 (fits the column)
