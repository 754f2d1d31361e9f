"""What the design page shows: every component with content as a real page has it."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from django import forms

from assessment.web import charts, marks

_PROSE: Final = """\
The softmax turns logits into shares that add to one. The loss then reads **one** of them: the share
that the model gave to the token that came.

Working formula: `CE(z,y)=−z_y+log Σ exp(z_j)`, the same as $-\\log p_y$ with
$p_j = \\frac{e^{z_j}}{\\sum_k e^{z_k}}$.

1. Subtract the largest logit, so that no exponential overflows.
2. Exponentiate, add, take the logarithm.

| quantity | shape | read as |
|---|---|---|
| logits | (B, T, V) | scores, only their differences count |
| targets | (B, T) | one index a position |

> Larger logits alone lower nothing: adding ten to each leaves the loss where it was.
"""

_FORMULAS: Final = (
    "L = −Σ log p(x_t | x_<t)",
    "CE(z,y)=−z_y+log Σ exp(z_j)",
    "θ ← θ − lr·m̂/(√v̂+ε) − lr·λ·θ",
    "m ← β₁·m + (1 − β₁)·g",
    "[2,1,0]",
    "e² = 7.389",
    "a line that is (not a formula",
)


class AnswerForm(forms.Form):
    """A form with one field of each kind."""

    softmax = forms.CharField(
        label="Softmax of the three logits",
        help_text="Three values, for example 0.1; 0.2; 0.7. A decimal comma is fine.",
        widget=forms.TextInput(attrs={"class": "value-input", "inputmode": "text"}),
        max_length=2000,
    )
    interpretation = forms.CharField(
        label="What does the value say?",
        help_text="One or two sentences.",
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=2000,
        required=False,
    )
    direction = forms.ChoiceField(
        label="Which way will the loss move?",
        choices=[("down", "It falls"), ("same", "It stays"), ("up", "It rises")],
        widget=forms.RadioSelect,
    )
    dominant = forms.ChoiceField(
        label="Dominant break",
        choices=[
            ("", "Not yet tagged"),
            *((key, mark.label) for key, mark in marks.BREAKS.items()),
        ],
        required=False,
    )
    confirmed = forms.BooleanField(label="I checked the shape of every line", required=False)


def _trace() -> list[dict[str, Any]]:
    return [
        {
            "name": "Exponentials",
            "data": "z = [2, 1, 0]",
            "operation": "exp(z)",
            "result": "[7.389; 2.718; 1]",
            "interpretation": "Three positive weights, not yet shares",
            "status": "right",
        },
        {
            "name": "Sum",
            "data": "exp",
            "operation": "7.389 + 2.718 + 1",
            "result": "12.107",
            "interpretation": "The total that the shares divide",
            "status": "slip",
            "message": "The operation is the right one and gives another result: add it up again.",
            "is_break": True,
        },
        {
            "name": "Softmax",
            "data": "exp, sum",
            "operation": "exp / sum",
            "result": "0.610 0.225 0.083",
            "interpretation": "Shares of the three tokens",
            "status": "carried",
            "message": "It follows from your sum. Do the three shares add to one?",
        },
        {
            "name": "Loss",
            "data": "softmax, target 0",
            "operation": "−ln(0.610)",
            "result": "",
            "interpretation": "",
            "status": "missing",
        },
    ]


def _bars() -> charts.BarChart:
    counts = {"vocabulary": 2, "shapes": 4, "operation": 9, "interpretation": 2, "claim_scope": 1}
    others = {"none": 1, "cannot_tell": 1}
    return charts.bar_chart(
        key="exercise-1",
        title="Exercise 1: where the chains break",
        bars=[
            *(
                charts.Bar(str(marks.BREAKS[name].label), count, f"#break-{name}")
                for name, count in (counts | others).items()
            ),
            charts.Bar(str(marks.BREAKS["untagged"].label), 4, "#break-untagged", is_untagged=True),
        ],
        n=24,
        tagged=20,
    )


def _changes() -> charts.ChangeChart:
    rows = [
        ("vocabulary", 2, 3),
        ("shapes", 4, 4),
        ("operation", 9, 3),
        ("interpretation", 2, 5),
        ("claim_scope", 1, 2),
    ]
    return charts.change_chart(
        key="change",
        title="After the new demonstration: fewer wrong operations",
        before="Session 11, first answers",
        after="Session 11, follow-ups",
        changes=[
            charts.Change(str(marks.BREAKS[name].label), first, 24, second, 22)
            for name, first, second in rows
        ],
    )


def context() -> dict[str, Any]:
    """Return everything that ``web/design.html`` shows."""
    refused = AnswerForm(
        {"softmax": "", "interpretation": "The first token wins.", "direction": ""}
    )
    refused.is_valid()
    return {
        "colours": (
            *("paper", "paper-raised", "paper-sunken", "ink", "ink-soft", "rule", "rule-strong"),
            *("accent", "pencil", "right", "caution", "carried"),
        ),
        "scale": ("2xl", "xl", "lg", "md", "sm", "xs"),
        "form": AnswerForm(prefix="empty"),
        "refused": refused,
        "steps": marks.STEPS,
        "states": marks.STATES,
        "breaks": marks.BREAKS,
        "evidence": marks.EVIDENCE,
        "prose_text": _PROSE,
        "formulas": _FORMULAS,
        "trace": _trace(),
        "rubric": [
            ("Data and shapes stated", Decimal("2.00"), Decimal(2), "Both axes named."),
            ("A chain that can be followed", Decimal("1.50"), Decimal(3), "Breaks at the sum."),
            ("Prediction made before", Decimal("2.00"), Decimal(2), "Direction and a value."),
            ("Reading and check", Decimal("0.50"), Decimal(2), "No check that shares add to one."),
            ("A limit is named", None, Decimal(1), ""),
        ],
        "typed": "z = [2, 1, 0]   # as typed\ne^z = 7.389, 2.718, 1",
        "when": datetime(2026, 11, 30, 17, 5, tzinfo=UTC),
        "bars": _bars(),
        "changes": _changes(),
    }
