"""What a file of points would change, attempt by attempt, and which of its lines do not fit."""

from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256

from assessment.attempts.models import Submission
from assessment.review.models import Review
from rubrics.models import Rubric

MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not applied, and why."""

    line: int
    message: str


@dataclass
class Change:
    """What one submission gets: new points by criterion, beside the present ones."""

    submission: Submission
    review: Review | None
    rubric: Rubric
    line: int
    points: dict[str, Decimal | None] = field(default_factory=dict)
    present: dict[str, Decimal] = field(default_factory=dict)
    # Where each criterion stood first, and those for which the file says two things.
    lines: dict[str, int] = field(default_factory=dict)
    contradicted: set[str] = field(default_factory=set)
    # Breaks that differ from the present one, and where each stood first.
    tags: dict[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The number of the review that the change was planned on."""
        return self.review.number if self.review else 0

    @property
    def present_tag(self) -> str:
        """The dominant break now."""
        return self.review.dominant_break if self.review else ""

    @property
    def tag(self) -> str | None:
        """The dominant break then; none where it stays, or where the file says two."""
        return next(iter(self.tags)) if len(self.tags) == 1 else None

    @property
    def tag_labels(self) -> tuple[str, str] | None:
        """What a page calls the break now and then, where it changes."""
        if self.tag is None:
            return None
        return (str(Review.Break(self.present_tag).label), str(Review.Break(self.tag).label))

    @property
    def differences(self) -> list[tuple[str, Decimal | None, Decimal | None]]:
        """Criterion, points now, points then, where they differ."""
        return [
            (title, self.present.get(title), points)
            for title, points in self.points.items()
            if self.present.get(title) != points
        ]


@dataclass
class Plan:
    """What a file would change, and what in it does not fit."""

    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unchanged: int = 0

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that do not fit, and why; the first of them, where they are many."""
        return [(each.line, each.message) for each in self.problems[:MOST_LINES]]

    @property
    def digest(self) -> str:
        """What tells one plan from another: whoever confirms it has seen just these changes."""
        seen = [
            (str(each.submission.pk), each.number, each.differences, each.tag)
            for each in sorted(self.changes, key=lambda change: change.submission.pk)
        ]
        return sha256(repr(seen).encode()).hexdigest()
