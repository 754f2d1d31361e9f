"""The words and shapes that stand for a status: one table, used by every page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Mark:
    """How one status is shown.

    ``shape`` names an icon of ``web/_mark_shape.html``; no two statuses of one table share it.
    ``tone`` names a colour class; it only repeats what shape and label say.
    """

    label: Text
    shape: str
    tone: str
    meaning: Text


STEPS: Final[Mapping[str, Mark]] = {
    "right": Mark(_("Right"), "check", "right", _("The value follows and is right.")),
    "carried": Mark(
        _("Carried forward"),
        "arrow",
        "carried",
        _("It follows from your earlier lines: the method keeps its credit."),
    ),
    "unsupported": Mark(
        _("Line before missing"),
        "gap",
        "caution",
        _("The value stands alone: write the line that it rests on."),
    ),
    "slip": Mark(
        _("Arithmetic slip"),
        "plus-minus",
        "caution",
        _("The operation is sound; its result was worked out wrongly."),
    ),
    "coarse": Mark(
        _("Too few digits"),
        "approx",
        "caution",
        _("Right as far as it goes: write more digits."),
    ),
    "wrong": Mark(_("Wrong"), "cross", "wrong", _("Read, and not the value that follows.")),
    "shape": Mark(
        _("Other shape"), "grid", "wrong", _("The array has another shape than this step gives.")
    ),
    "unit": Mark(_("Unit"), "ruler", "wrong", _("The unit is missing or of another kind.")),
    "unreadable": Mark(
        _("Not readable"),
        "question",
        "caution",
        _("This could not be read as one value. It costs no attempt."),
    ),
    "missing": Mark(_("Missing"), "blank", "quiet", _("Nothing was written here.")),
    "blank": Mark(_("Blank"), "blank", "quiet", _("Nothing was typed.")),
    "waiting": Mark(_("Not checked yet"), "clock", "quiet", _("A worker will check this step.")),
}

STATES: Final[Mapping[str, Mark]] = {
    "draft": Mark(_("Draft"), "pencil", "quiet", _("Saved for you alone; nobody checks it.")),
    "submitted": Mark(_("Submitted"), "clock", "accent", _("Stored; waiting for the check.")),
    "checked": Mark(_("Checked"), "check-outline", "accent", _("Each step was checked.")),
    "uncheckable": Mark(
        _("Could not be checked"), "warning", "wrong", _("The check stopped; a person is needed.")
    ),
    "reviewed": Mark(_("Reviewed"), "eye", "carried", _("A person scored it; not yet released.")),
    "released": Mark(_("Released"), "sent", "right", _("The points are final and visible.")),
    "withdrawn": Mark(
        _("Withdrawn"), "struck", "caution", _("The released points were taken back.")
    ),
}

BREAKS: Final[Mapping[str, Mark]] = {
    "vocabulary": Mark(_("Vocabulary"), "chain-1", "wrong", _("A word is used for another thing.")),
    "shapes": Mark(_("Shapes"), "chain-2", "wrong", _("Dimensions or counts do not fit.")),
    "operation": Mark(_("Operation"), "chain-3", "wrong", _("Another operation was carried out.")),
    "interpretation": Mark(
        _("Interpretation"), "chain-4", "wrong", _("The result is read as something else.")
    ),
    "claim_scope": Mark(
        _("Claim scope"), "chain-5", "wrong", _("The claim reaches further than the evidence.")
    ),
    "none": Mark(pgettext_lazy("causal break", "None"), "chain", "right", _("The chain holds.")),
    "cannot_tell": Mark(
        _("Cannot tell"), "chain-unknown", "caution", _("The work does not show where it breaks.")
    ),
    "untagged": Mark(
        _("Not yet tagged"), "chain-blank", "quiet", _("Nobody has looked at it yet.")
    ),
}

EVIDENCE: Final[Mapping[str, Mark]] = {
    "established": Mark(_("Established"), "disc", "right", _("Shown by primary sources.")),
    "reported": Mark(
        _("Reported by the source"),
        "half-disc",
        "accent",
        _("Said by a source; not verified here."),
    ),
    "hypothesis": Mark(_("Hypothesis"), "ring", "caution", _("Not yet tested.")),
}


def find(table: Mapping[str, Mark], value: object) -> Mark:
    """Return the mark of a value; an unknown value shows itself, with a question mark."""
    name = str(value or "").replace(" ", "_").replace("-", "_")
    return table.get(name) or Mark(name.replace("_", " "), "question", "quiet", "")
