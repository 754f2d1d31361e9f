"""Runs the engine over answers of one exercise version; no database is written here."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assessment.attempts import answers as typed_answers
from assessment.attempts import versions
from assessment.attempts.completeness import missing_elements
from assessment.attempts.models import Submission
from assessment.attempts.proposing import Proposer
from assessment.attempts.reading import DECIMAL_MARKS
from exercises import references
from exercises.checking.batches import check_traces
from exercises.checking.tolerance import Tolerance
from exercises.models import ExerciseVersion, Field

log = logging.getLogger(__name__)

REASON_LENGTH = 500


@dataclass(frozen=True)
class Verdict:
    """What the engine says about one submission; with a ``reason`` it could say nothing."""

    submission: Submission
    engine: str
    reference: str
    result: dict[str, Any] = field(default_factory=dict)
    proposed: dict[str, Any] = field(default_factory=dict)
    reason: str = ""

    @property
    def first_break(self) -> dict[str, Any]:
        """The first fault, or an empty mapping."""
        return self.result.get("first_break") or {}

    @property
    def is_unreadable(self) -> bool:
        """Whether a text could not be read as one value."""
        return any(step["status"] == "unreadable" for step in self.result.get("steps", []))


def judge(version: ExerciseVersion, submissions: Sequence[Submission]) -> list[Verdict]:
    """Return one verdict for each submission, in order; one bad apple spoils only itself."""
    fields = list(version.fields.all())
    try:
        return _judge(version, fields, submissions)
    except Exception as error:  # whatever a reference raises: no answer is lost
        if len(submissions) == 1:
            log.warning("Submission %s cannot be checked", submissions[0].pk, exc_info=True)
            seen = f"{type(error).__name__}: {error}"
            return [_uncheckable(version, submissions[0], seen)]
    return [verdict for each in submissions for verdict in judge(version, [each])]


def _judge(
    version: ExerciseVersion, fields: Sequence[Field], submissions: Sequence[Submission]
) -> list[Verdict]:
    engine, reference = versions.engine(), ""
    results: list[dict[str, Any]] = [_no_trace() for _each in submissions]
    if version.reference:
        reference = versions.reference(version.reference)
        steps = [each for each in fields if each.kind == Field.Kind.STEP]
        names = [each.name for each in steps]
        results = check_traces(
            references.get(version.reference),
            [each.given for each in submissions],
            [typed_answers.for_engine(each.answers, names) for each in submissions],
            tolerances={
                each.name: Tolerance.from_json(each.tolerance) for each in steps if each.tolerance
            },
            decimal=DECIMAL_MARKS[version.decimal],
        )
    proposer = Proposer(version, submissions)
    verdicts = []
    for submission, result in zip(submissions, results, strict=True):
        if result.get("verdict") == "error":
            verdicts.append(_uncheckable(version, submission, result["message"]))
            continue
        missing = [each.value for each in missing_elements(fields, submission.answers)]
        # As the database will give it back, so that a later check compares like with like.
        found = json.loads(json.dumps(result)) | {"missing_elements": missing}
        proposed = proposer.propose(submission, found)
        verdicts.append(Verdict(submission, engine, reference, found, proposed))
    return verdicts


def _no_trace() -> dict[str, Any]:
    return {"steps": [], "first_break": None, "faults": [], "score": None}


def _uncheckable(version: ExerciseVersion, submission: Submission, seen: str) -> Verdict:
    reason = (
        f"The reference {version.reference or '(none)'!r} of exercise {version.exercise.slug!r} "
        f"failed on this answer ({seen}). Correct the exercise's values "
        f"or the reference, then run: manage.py regrade --exercise {version.exercise.slug}"
    )
    return Verdict(submission, versions.engine(), version.reference, reason=reason[:REASON_LENGTH])
