"""Applies a file of points that someone looked at, and takes it back.

Both go through the review's own verb, so nothing that someone saved meanwhile is overwritten.
"""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from assessment.attempts.models import Submission
from assessment.cohorts.models import User
from assessment.grades.csv_files.changes import Change, Plan, Problem
from assessment.grades.csv_files.points import present_reviews, present_rubrics, scores_of
from assessment.grades.models import PointsFile
from assessment.review.errors import ReviewError
from assessment.review.points import read_points
from assessment.review.scoring import Scoring, save_review
from assessment.web.numbers import plain


def apply(file: PointsFile, plan: Plan, by: User) -> bool:
    """Save a review for every change, once; return whether it was this call that did.

    Each change stands for itself: one that someone was faster with stops no other. What was saved,
    what was refused and what stood there before is kept with the file.
    """
    if not PointsFile.objects.filter(pk=file.pk, applied_at=None).update(
        applied_at=timezone.now(), rows=[]
    ):
        return False
    saved, problems = _save(plan.changes, by)
    PointsFile.objects.filter(pk=file.pk).update(
        outcome={
            "saved": [_before(change) for change in saved],
            "problems": Plan(problems=[*problems, *plan.problems]).lines,
        }
    )
    return True


def take_back(file: PointsFile, by: User) -> bool:
    """Save the former points again, once; what someone saved since then stays.

    What is still being applied cannot be taken back yet: nobody knows what it will have saved.
    """
    written = file.outcome.get("saved")
    waiting = PointsFile.objects.filter(pk=file.pk, taken_back_at=None)
    if written is None or not waiting.update(taken_back_at=timezone.now()):
        return False
    attempts = {
        str(attempt.pk): attempt
        for attempt in Submission.objects.filter(
            pk__in=[each["submission"] for each in written]
        ).select_related("exercise", "enrolment__user")
    }
    found = list(attempts.values())
    reviews, rubrics = present_reviews(found), present_rubrics(found)
    changes, problems = [], []
    for each in written:
        attempt = attempts.get(each["submission"])
        review = reviews.get(attempt.pk) if attempt else None
        if attempt is None or review is None or review.number != each["number"]:
            text = gettext("%(who)s: someone saved another review since; it stays.")
            problems.append(Problem(each["line"], text % {"who": each["who"]}))
            continue
        former = {title: read_points(text) for title, text in each["points"].items()}
        rubric = rubrics[attempt.version_id]
        change = Change(attempt, review, rubric, each["line"], former, scores_of(review))
        if each.get("break") is not None:
            change.tags[each["break"]] = each["line"]
        changes.append(change)
    saved, refused = _save(changes, by)
    file.outcome["taken_back"] = len(saved)
    file.outcome["kept"] = Plan(problems=[*problems, *refused]).lines
    PointsFile.objects.filter(pk=file.pk).update(outcome=file.outcome)
    return True


def _before(change: Change) -> dict[str, Any]:
    """Return what takes a change back: the review that it made, and the points before."""
    return {
        "submission": str(change.submission.pk),
        "who": str(change.submission.enrolment.user),
        "line": change.line,
        "number": change.number + 1,
        "break": None if change.tag is None else change.present_tag,
        "points": {
            title: "" if now is None else plain(now) for title, now, _then in change.differences
        },
    }


def _save(changes: Iterable[Change], by: User) -> tuple[list[Change], list[Problem]]:
    saved, problems = [], []
    for change in changes:
        review = change.review
        titles = {criterion.title for criterion in change.rubric.criteria.all()}
        kept = {title: points for title, points in change.present.items() if title in titles}
        scoring = Scoring(
            points={**kept, **change.points},
            dominant_break=change.present_tag if change.tag is None else change.tag,
            level=review.level if review else None,
            note=review.note if review else "",
            check_seen=review.check_seen_id if review else None,
            rubric_seen=change.rubric.number,
        )
        try:
            save_review(change.submission, by, scoring, expected_number=change.number)
        except ReviewError as error:
            problems.append(Problem(change.line, str(error)))
        else:
            saved.append(change)
    return saved, problems
