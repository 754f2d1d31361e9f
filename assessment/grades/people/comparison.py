"""What a comparison of gradebooks can find, and the sentence that sums it up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _


class Finding(StrEnum):
    """What the comparison of one cell found."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_HERE = "only here"
    ONLY_THERE = "only there"
    UNKNOWN_PERSON = "unknown person"
    UNKNOWN_EXERCISE = "unknown exercise"
    UNREADABLE = "unreadable"
    TWICE = "twice"

    @property
    def label(self) -> str:
        """What it is called on pages."""
        return str(_LABELS[self])


_LABELS = {
    Finding.SAME: _("the same"),
    Finding.DIFFERENT: _("different"),
    Finding.ONLY_HERE: _("only here"),
    Finding.ONLY_THERE: _("only there"),
    Finding.UNKNOWN_PERSON: _("unknown person"),
    Finding.UNKNOWN_EXERCISE: _("unknown exercise"),
    Finding.UNREADABLE: _("unreadable"),
    Finding.TWICE: _("there twice"),
}
# The findings about a grade; the others are about entries that name none.
_GRADES = (Finding.SAME, Finding.DIFFERENT, Finding.ONLY_HERE, Finding.ONLY_THERE)


@dataclass(frozen=True, slots=True)
class Compared:
    """One cell of both gradebooks; ``where`` is the line of the file or the LMS's own id."""

    finding: Finding
    person: str
    exercise: str
    ours: Decimal | None = None
    our_maximum: Decimal | None = None
    theirs: Decimal | None = None
    their_maximum: Decimal | None = None
    where: str = ""
    note: str = ""


def verdict(compared: Sequence[Compared]) -> tuple[bool, str]:
    """Return whether both gradebooks agree, and one sentence that says how far."""
    count = Counter(each.finding for each in compared)
    same, compared_here = count[Finding.SAME], sum(count[kind] for kind in _GRADES)
    unmatched = len(compared) - compared_here
    of = {
        "same": same,
        "all": compared_here,
        "different": count[Finding.DIFFERENT],
        "here": count[Finding.ONLY_HERE],
        "there": count[Finding.ONLY_THERE],
        "unmatched": unmatched,
    }
    if not compared:
        return False, gettext("There is nothing to compare: neither side has a grade.")
    if same == compared_here and not unmatched:
        text = ngettext(
            "Both gradebooks agree on the one grade there is.",
            "Both gradebooks agree on all %(same)s grades.",
            same,
        )
        return True, text % of
    if same == compared_here:
        text = ngettext(
            "Grades that could be compared agree (%(same)s), but %(unmatched)s entry there could"
            " not be matched.",
            "Grades that could be compared agree (%(same)s), but %(unmatched)s entries there could"
            " not be matched.",
            unmatched,
        )
        return False, text % of
    text = gettext(
        "The gradebooks do not agree: of %(all)s grades %(same)s the same, %(different)s different,"
        " %(here)s only here, %(there)s only there; entries that could not be matched:"
        " %(unmatched)s."
    )
    return False, text % of
