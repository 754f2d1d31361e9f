"""The material of a session: one row a thing, in the author's order.

Instructors see all of it. What learners may see is said by ``for_learners``: never an instructor's
note, an expected answer, a refutation, or a result that is still withheld.
"""

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from exercises.models.session import Session


class Material(models.Model):
    """One thing of a session, at its place in the author's order."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="%(class)ss")
    position = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True
        ordering = ["position"]


class PassageQuerySet(models.QuerySet["Passage"]):
    """Named questions about passages."""

    def for_learners(self) -> Self:
        """Narrow to what learners may read."""
        return self.filter(kind__in=Passage.LEARNER_KINDS)


class Passage(Material):
    """A text of a list: an outcome, a rule, a source, a part of the exit ticket."""

    class Kind(models.TextChoices):
        OUTCOME = "outcome", _("Observable outcome")
        PREPARATION = "preparation", _("Preparation")
        WORKED_CASE_INSTRUCTION = "worked_case_instruction", _("Running the worked case")
        WORKED_CASE_QUESTION = "worked_case_question", _("Question after each line")
        LAB_PROTOCOL = "lab_protocol", _("Lab protocol")
        LAB_CYCLE = "lab_cycle", _("Lab cycle")
        OBSERVATION_RULE = "observation_rule", _("Observation and remediation")
        FOLLOW_UP_RULE = "follow_up_rule", _("Follow-up")
        SOURCE = "source", _("Source")
        EXIT_TICKET_PART = "exit_ticket_part", _("Exit ticket")
        SYNTHESIS = "synthesis", _("Synthesis")
        EXTENSION = "extension", _("Extension")
        REVIEW_INTRODUCTION = "review_introduction", _("Before you submit")
        REVIEW_QUESTION = "review_question", _("Question before submission")
        REVIEW_CLOSING = "review_closing", _("Last look")

    LEARNER_KINDS = (
        Kind.OUTCOME,
        Kind.LAB_PROTOCOL,
        Kind.LAB_CYCLE,
        Kind.SOURCE,
        Kind.EXIT_TICKET_PART,
        Kind.SYNTHESIS,
        Kind.EXTENSION,
        Kind.REVIEW_INTRODUCTION,
        Kind.REVIEW_QUESTION,
        Kind.REVIEW_CLOSING,
    )

    kind = models.CharField(max_length=24, choices=Kind.choices)
    text = models.TextField()

    objects = PassageQuerySet.as_manager()

    class Meta(Material.Meta):
        ordering = ["kind", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "kind", "position"], name="exercises_passage_placed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.position}"


class DiagnosticQuestion(Material):
    """A question asked before class; instructors run it."""

    text = models.TextField()
    concept = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.text


class PlanRow(Material):
    """Minutes ``start`` to ``end`` of the class."""

    start = models.PositiveSmallIntegerField()
    end = models.PositiveSmallIntegerField()
    activity = models.TextField()
    evidence = models.TextField()

    def __str__(self) -> str:
        return f"{self.start}–{self.end} min: {self.activity}"


class Concept(Material):
    """A numbered mechanism: what the slides say, its formula, and the guide's teaching note."""

    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    text = models.TextField()
    formula = models.TextField(blank=True)
    teaching_note = models.TextField(blank=True)
    appendix = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.number}. {self.title}"


class Misconception(Material):
    """A misconception to look out for, its correction, and what to ask."""

    statement = models.TextField()
    correction = models.TextField()
    probe = models.TextField()

    def __str__(self) -> str:
        return self.statement


class CommonError(Material):
    """A wrong claim and what refutes it."""

    statement = models.TextField()
    refutation = models.TextField()

    def __str__(self) -> str:
        return self.statement


class ProbingQuestion(Material):
    """A question about removing or reversing a mechanism."""

    text = models.TextField()
    concept = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.text


class Track(Material):
    """A differentiation track."""

    name = models.CharField(max_length=100)
    text = models.TextField()

    def __str__(self) -> str:
        return self.name


class Slide(Material):
    """A slide and the instructor's note that belongs to it by order."""

    title = models.CharField(max_length=300)
    body = models.TextField(blank=True)
    note = models.TextField()

    def __str__(self) -> str:
        return f"{self.position}. {self.title}"


class ClassCheck(Material):
    """A question put to the class; the answer and the remark are the instructor's."""

    concept = models.CharField(max_length=200)
    prompt = models.TextField()
    answer = models.TextField(blank=True)
    remark = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.prompt


class ExpectedWrongAnswer(models.Model):
    """What a class is expected to answer wrongly, and what to say to it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    check_asked = models.ForeignKey(
        ClassCheck, on_delete=models.CASCADE, related_name="wrong_answers"
    )
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    refutation = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.text


class WorkedCase(Material):
    """A worked case: its data, and its trace line by line."""

    statement = models.TextField()

    def __str__(self) -> str:
        return self.statement


class WorkedLine(models.Model):
    """A line of a worked case's trace; ``mark`` is ``right``, ``wrong`` or empty, as ticked there.

    A withheld line prints a result: learners do not see it before they have answered it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    case = models.ForeignKey(WorkedCase, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    mark = models.CharField(max_length=5, blank=True)
    withheld = models.BooleanField(default=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.text


class LeverTable(Material):
    """A table of levers: what each one buys and what it costs; ``columns`` are its headings."""

    title = models.CharField(max_length=300)
    columns = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.title


class LeverCell(models.Model):
    """One cell of a table of levers; instructors reveal the last row after the class filled it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    table = models.ForeignKey(LeverTable, on_delete=models.CASCADE, related_name="cells")
    row = models.PositiveSmallIntegerField()
    column = models.PositiveSmallIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["row", "column"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "row", "column"], name="exercises_lever_cell_placed_once"
            ),
        ]

    def __str__(self) -> str:
        return self.text


class TransferChallenge(Material):
    """A new case; from ``expected`` on it is the instructor's."""

    statement = models.TextField()
    tasks = models.JSONField(default=list)
    expected = models.TextField(blank=True)
    misconception = models.TextField(blank=True)
    refutation = models.TextField(blank=True)
    remark = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.statement


class TransferOption(models.Model):
    """A lettered option of a transfer challenge."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    challenge = models.ForeignKey(
        TransferChallenge, on_delete=models.CASCADE, related_name="options"
    )
    position = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=10)
    text = models.TextField()

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return f"{self.label}) {self.text}"
