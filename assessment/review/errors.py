# ruff: noqa: N818 (a refusal is an answer of the service, not a failure)
"""Why a review or a release was refused; each carries what the caller needs to put it right."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext

from assessment.review.models import Review
from rubrics.models import Rubric


class ReviewError(Exception):
    """A review or a release that was refused; its text is a sentence for people."""


class ReviewConflict(ReviewError):
    """Someone saved a newer review than the one that was read; ``present`` holds it."""

    def __init__(self, present: Review | None) -> None:
        super().__init__(present)
        self.present = present

    def __str__(self) -> str:
        if self.present is None:
            return gettext("This submission has no review yet; read it again and save.")
        return gettext(
            "%(reviewer)s saved version %(number)s meanwhile; read both and decide again."
        ) % {"reviewer": self.present.reviewer, "number": self.present.number}


class RubricMoved(ReviewError):
    """The rubric has a newer version than the one that was on the screen; ``rubric`` is it."""

    def __init__(self, rubric: Rubric) -> None:
        super().__init__(rubric)
        self.rubric = rubric

    def __str__(self) -> str:
        return gettext(
            "The rubric changed while you were scoring; score by its version %(number)s."
        ) % {"number": self.rubric.number}


class Frozen(ReviewError):
    """The grade has been released."""

    def __str__(self) -> str:
        return gettext("The grade is released and frozen; withdraw it before changing the review.")


class NotChecked(ReviewError):
    """The submission still waits for its check."""

    def __str__(self) -> str:
        return gettext("This submission still waits for its check; try again in a moment.")


class ScoringRefused(ReviewError):
    """Points, break, level or note do not fit; ``problems`` says what, by field or criterion."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(problems)
        self.problems = dict(problems)

    def __str__(self) -> str:
        return " ".join(f"{name}: {problem}" for name, problem in self.problems.items())


class Incomplete(ReviewError):
    """Only complete work is released; ``missing`` names what lacks, by submission."""

    def __init__(self, missing: Mapping[UUID, Sequence[str]]) -> None:
        super().__init__(missing)
        self.missing = dict(missing)

    def __str__(self) -> str:
        lacking = sorted({name for names in self.missing.values() for name in names})
        return gettext("Only a complete review can be released. Still missing: %(names)s.") % {
            "names": ", ".join(lacking)
        }


class Superseded(ReviewError):
    """A later attempt of the same learner is the released one; ``number`` is that attempt's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return gettext(
            "Attempt %(number)s is released and counts; withdraw its grade before releasing an"
            " earlier attempt."
        ) % {"number": self.number}


class NotReleased(ReviewError):
    """There is no released grade to withdraw."""

    def __str__(self) -> str:
        return gettext("This grade is not released, so there is nothing to withdraw.")


class InstructorsOnly(ReviewError):
    """Assistants review; releasing and withdrawing is for instructors."""

    def __str__(self) -> str:
        return gettext("Only an instructor of this cohort releases or withdraws grades.")
