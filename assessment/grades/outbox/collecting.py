"""Works out what each learner's cell of each LMS column should say."""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from assessment.grades.models import Exemption, LineItem, Membership, Passback
from assessment.review.models import Grade
from rubrics.models import Rubric

_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a cell should say; without points no score belongs there."""

    cause: str
    activity: Passback.Activity
    grading: Passback.Grading
    maximum: Decimal
    points: Decimal | None = None
    submitted_at: datetime | None = None


# Of someone whom the LMS was told of while the column took another exercise.
_UNTOUCHED = Wish(
    cause="untouched",
    activity=Passback.Activity.INITIALIZED,
    grading=Passback.Grading.NOT_READY,
    maximum=_NOTHING,
)


def collect() -> int:
    """Bring the whole outbox up to date; return how many cells have something new to say.

    Nothing depends on being told of a change: attempts handed in by a deadline, releases during an
    outage and columns made after a release are found like all others.
    """
    items = LineItem.objects.filter(context__deployment__platform__is_active=True)
    return sum(collect_for(item) for item in items.select_related("exercise", "context"))


@transaction.atomic
def collect_for(item: LineItem) -> int:
    """Bring the cells of one column up to date (six queries and one a change).

    One process at a time looks at a column, or an older look could replace a newer one's wishes.
    """
    if LineItem.objects.select_for_update().filter(pk=item.pk).first() is None:
        return 0
    wishes = _wishes(item)
    cells = {
        cell.person_id: cell for cell in Passback.objects.select_for_update().filter(line_item=item)
    }
    learners = Q(enrolment__in=wishes, enrolment__role=Enrolment.Role.LEARNER)
    # Whoever the LMS was told of is followed, whatever became of their place: a score that does
    # not hold any more would stand there for ever.
    told_of = Q(person__in=[person_id for person_id, cell in cells.items() if cell.stamp])
    members = Membership.objects.filter(learners | told_of, context=item.context_id)
    changed = 0
    for person_id, enrolment_id in members.values_list("person", "enrolment"):
        wish, cell = wishes.get(enrolment_id, _UNTOUCHED), cells.get(person_id)
        if cell is not None and cell.cause == wish.cause:
            continue
        cell = cell or Passback(line_item=item, person_id=person_id, enrolment_id=enrolment_id)
        _tell(cell, wish)
        changed += 1
    return changed


def still_holds(cell: Passback) -> bool:
    """Return whether a score may still be told: it is what is released now, to nobody excused."""
    if cell.points is None:
        return True
    within = {"enrolment": cell.enrolment_id, "exercise": cell.line_item.exercise_id}
    if Exemption.objects.filter(**within, lifted_at=None).exists():
        return False
    grade = Grade.objects.released().filter(**within).first()
    return grade is not None and cell.cause == _cause(grade)


def tells_of_an_attempt(cell: Passback) -> bool:
    """Return whether a cell says that work came, not what became of it."""
    return cell.grading == Passback.Grading.PENDING_MANUAL and ":without:" not in cell.cause


def _cause(grade: Grade) -> str:
    return f"grade:{grade.sequence}"


def resend(cell: Passback) -> None:
    """Send a cell again, whatever became of it; what it says is worked out anew."""
    Passback.objects.filter(pk=cell.pk).update(
        state=Passback.State.WAITING, tries=0, next_try_at=timezone.now(), last_error=""
    )


def _tell(cell: Passback, wish: Wish) -> None:
    cell.cause, cell.activity, cell.grading = wish.cause, wish.activity, wish.grading
    cell.points, cell.maximum, cell.submitted_at = wish.points, wish.maximum, wish.submitted_at
    cell.state, cell.tries, cell.last_error = Passback.State.WAITING, 0, ""
    cell.next_try_at = timezone.now()
    cell.save()


def _wishes(item: LineItem) -> dict[UUID, Wish]:
    """Return what the column should say, by enrolment; those who did nothing are not in it.

    A released grade stands until it is withdrawn or replaced, whatever is submitted meanwhile.
    """
    within = {"exercise": item.exercise_id, "enrolment__lti_memberships__context": item.context_id}
    exempt = Exemption.objects.filter(**within, lifted_at=None)
    # Read before the attempts, so that each finds its own among them.
    grades = list(Grade.objects.filter(**within).select_related("submission"))
    maximum = _present_maximum(item)
    wishes = {}
    attempts = Submission.objects.filter(**within).order_by("number")
    for enrolment_id, pk, moment in attempts.values_list("enrolment", "pk", "submitted_at"):
        wishes[enrolment_id] = Wish(
            cause=f"attempt:{pk}",
            activity=Passback.Activity.SUBMITTED,
            grading=Passback.Grading.PENDING_MANUAL,
            maximum=maximum,
            submitted_at=moment,
        )
    for grade in grades:
        attempt = wishes[grade.enrolment_id]
        if grade.status == Grade.Status.RELEASED:
            wishes[grade.enrolment_id] = Wish(
                cause=_cause(grade),
                activity=Passback.Activity.COMPLETED,
                grading=Passback.Grading.FULLY_GRADED,
                points=grade.points,
                maximum=grade.maximum,
                submitted_at=grade.submission.submitted_at,
            )
        else:
            # The same attempt, said again: a cell without a score takes the former score away.
            cause = f"{attempt.cause}:without:{grade.sequence}"
            wishes[grade.enrolment_id] = replace(attempt, cause=cause)
    for enrolment_id in exempt.values_list("enrolment", flat=True):
        if wish := wishes.get(enrolment_id):
            wishes[enrolment_id] = _excused(wish)
    return wishes


def _excused(wish: Wish) -> Wish:
    """Return the same work without a score, which nobody is going to grade."""
    return replace(
        wish,
        cause=f"{wish.cause}:excused",
        activity=Passback.Activity.SUBMITTED,
        grading=Passback.Grading.NOT_READY,
        points=None,
    )


def _present_maximum(item: LineItem) -> Decimal:
    rubrics = Rubric.objects.filter(version=item.exercise.current_id).order_by("-number")
    return rubrics.values_list("total", flat=True).first() or _NOTHING
