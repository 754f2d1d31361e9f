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
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="%(app_label)s_%(class)s_placed_once"
            ),
        ]


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
        SYNTHESIS = "synthesis", _("Synthesis")
        EXTENSION = "extension", _("Extension")
        REVIEW_INTRODUCTION = "review_introduction", _("Before you submit")
        REVIEW_QUESTION = "review_question", _("Question before submission")
        REVIEW_CLOSING = "review_closing", _("Last look")

    LEARNER_KINDS = (
        Kind.OUTCOME,
        Kind.WORKED_CASE_QUESTION,
        Kind.LAB_PROTOCOL,
        Kind.LAB_CYCLE,
        Kind.SOURCE,
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


class ExitTicketPart(Material):
    """A part of the exit ticket: its name in the guide, in the slides, and how much it takes."""

    name = models.CharField(max_length=200)
    short_name = models.CharField(max_length=200)
    max_length = models.PositiveSmallIntegerField(default=400)

    def __str__(self) -> str:
        return self.name


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
    """A numbered mechanism: the slide's text and formula, the guide's teaching note.

    ``appendix`` and ``appendix_formula`` are the exercises' appendix for correction.
    """

    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    text = models.TextField()
    formula = models.TextField(blank=True)
    teaching_note = models.TextField(blank=True)
    appendix = models.TextField(blank=True)
    appendix_formula = models.TextField(blank=True)

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
    """A differentiation track; ``key`` is ``support``, ``core``, ``extension`` or its slug."""

    key = models.SlugField(max_length=100)
    name = models.CharField(max_length=100)
    text = models.TextField()

    def __str__(self) -> str:
        return self.name


class SlideQuerySet(models.QuerySet["Slide"]):
    """Named questions about slides."""

    def for_learners(self) -> Self:
        """Load no instructor's note; reading one afterwards would be a query of its own."""
        return self.defer("note")


class Slide(Material):
    """A slide and the instructor's note that belongs to it by order.

    Bodies print results (the full trace, for one): learners are shown what is cut from them, not
    the slides.
    """

    title = models.CharField(max_length=300)
    body = models.TextField(blank=True)
    note = models.TextField()

    objects = SlideQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.position}. {self.title}"


class ClassCheckQuerySet(models.QuerySet["ClassCheck"]):
    """Named questions about checks."""

    def for_learners(self) -> Self:
        """Load neither answer nor remark nor the binding, which may hold what is expected."""
        return self.defer("answer", "remark", "binding")


class ClassCheck(Material):
    """A question put to the class; the answer and the remark are the instructor's.

    ``binding`` is what checks.yaml says of it, and empty where it says nothing: ``fields``, each
    with ``name``, ``kind`` (number, quantity, choice, set, text) and what the engine needs:
    ``reference``, ``given`` and ``step``, or ``expected`` with ``options``.
    """

    concept = models.CharField(max_length=200)
    prompt = models.TextField()
    answer = models.TextField(blank=True)
    remark = models.TextField(blank=True)
    binding = models.JSONField(default=dict)
    feedback = models.CharField(max_length=12, default="revealed")

    objects = ClassCheckQuerySet.as_manager()

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
    """A worked case: its data, and its trace line by line.

    ``guide_statement`` is the teacher guide's wording; ``reference`` and ``given`` bind it to the
    engine and are empty where checks.yaml says nothing.
    """

    statement = models.TextField()
    guide_statement = models.TextField(blank=True)
    reference = models.CharField(max_length=80, blank=True)
    given = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.statement


class WorkedLine(models.Model):
    """A line of a worked case's trace; ``mark`` is ``right``, ``wrong`` or empty, as ticked there.

    A withheld line prints a result: learners do not see it before they have answered ``step``, or,
    where that is empty, the whole case.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    case = models.ForeignKey(WorkedCase, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    mark = models.CharField(max_length=5, blank=True)
    withheld = models.BooleanField(default=True)
    step = models.CharField(max_length=80, blank=True)

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


class TransferChallengeQuerySet(models.QuerySet["TransferChallenge"]):
    """Named questions about transfer challenges."""

    def for_learners(self) -> Self:
        """Load nothing that comes from the instructor's note."""
        return self.defer("expected", "misconception", "refutation", "remark")


class TransferChallenge(Material):
    """A new case; from ``expected`` on it is the instructor's."""

    statement = models.TextField()
    tasks = models.JSONField(default=list)
    expected = models.TextField(blank=True)
    misconception = models.TextField(blank=True)
    refutation = models.TextField(blank=True)
    remark = models.TextField(blank=True)

    objects = TransferChallengeQuerySet.as_manager()

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
