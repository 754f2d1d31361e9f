"""Notices what LMSs have to be told: people, places, sessions and deadlines that change."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, Model, OuterRef
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.dispatch import receiver
from django.utils import timezone

from assessment.attempts.models import Case, Submission
from assessment.cohorts.models import Cohort, Enrolment, User, places_changed
from assessment.grades.models import (
    Assignment,
    Change,
    Exemption,
    FormerTerm,
    Offer,
    Placement,
    ResultChange,
    Roll,
    School,
    Term,
    now_in_order,
)
from assessment.review.models import Review
from exercises.models import Exercise

# What an LMS reads of a person; signing in changes none of it.
_SHOWN = frozenset({"username", "first_name", "last_name", "email", "sis_id", "is_active"})


@transaction.atomic(savepoint=False)
def _note(subject: UUID) -> None:
    Change.objects.bulk_create(
        [Change(subject=subject, changed_at=now_in_order())],
        update_conflicts=True,
        unique_fields=["subject"],
        update_fields=["changed_at"],
    )


@receiver(post_save, sender=Cohort)
@receiver(post_save, sender=Exercise)
@receiver(post_save, sender=School)
def _note_change(instance: Model, **_: Any) -> None:
    _note(instance.pk)


@receiver(post_save, sender=User)
def _note_person(instance: User, update_fields: Iterable[str] | None, **_: Any) -> None:
    if update_fields is None or _SHOWN.intersection(update_fields):
        _note(instance.pk)


def _note_result(enrolment: UUID, exercise: UUID) -> None:
    """Note a change of someone's work as soon as it is committed.

    Not within its transaction: all changes wait for each other where they are noted, and learners
    who hand in hold rows that a change of many places wants next.
    """

    def note() -> None:
        ResultChange.objects.bulk_create(
            [ResultChange(enrolment_id=enrolment, exercise_id=exercise, changed_at=now_in_order())],
            update_conflicts=True,
            unique_fields=["enrolment", "exercise"],
            update_fields=["changed_at"],
        )

    transaction.on_commit(transaction.atomic(note), robust=True)


def note_missed() -> int:
    """Note what a process that died right after a commit did not; return how much that was."""
    now = timezone.now()
    missed: set[tuple[UUID, UUID]] = set()
    for rows, at, of in (
        (Submission.objects.all(), "submitted_at", ("enrolment", "exercise")),
        (Case.objects.all(), "created_at", ("enrolment", "version__exercise")),
        (Review.objects.all(), "created_at", ("submission__enrolment", "submission__exercise")),
    ):
        noted = ResultChange.objects.filter(
            enrolment=OuterRef(of[0]), exercise=OuterRef(of[1]), changed_at__gte=OuterRef(at)
        )
        # Those of this minute may be about to be noted.
        lately = {f"{at}__range": (now - timedelta(days=1), now - timedelta(minutes=1))}
        missed |= set(rows.filter(~Exists(noted), **lately).values_list(*of))
    for enrolment, exercise in sorted(missed):
        _note_result(enrolment, exercise)
    return len(missed)


@receiver(post_save, sender=Submission)
def _note_attempt(instance: Submission, created: bool, **_: Any) -> None:  # noqa: FBT001 (what a signal carries)
    if created:
        _note_result(instance.enrolment_id, instance.exercise_id)


@receiver(post_save, sender=Case)
def _note_opening(instance: Case, created: bool, **_: Any) -> None:  # noqa: FBT001 (what a signal carries)
    if created:
        _note_result(instance.enrolment_id, instance.version.exercise_id)


@receiver(post_save, sender=Review)
def _note_review(instance: Review, **_: Any) -> None:
    _note_result(instance.submission.enrolment_id, instance.submission.exercise_id)


@receiver(post_save, sender=Exemption)
@receiver(post_delete, sender=Exemption)
def _note_exemption(instance: Exemption, **_: Any) -> None:
    _note_result(instance.enrolment_id, instance.exercise_id)


@receiver(post_save, sender=Enrolment)
def _note_place(instance: Enrolment, **_: Any) -> None:
    _note_places([instance])


@receiver(places_changed)
@transaction.atomic(savepoint=False)
def _note_places(places: Iterable[Enrolment], **_: Any) -> None:
    moment = now_in_order()
    learners: list[Roll] = []
    others: list[Roll] = []
    for place in places:
        is_learner = place.role == Enrolment.Role.LEARNER
        roll = Roll(enrolment=place, was_learner=is_learner, changed_at=moment)
        (learners if is_learner else others).append(roll)
    # Who was a learner once stays one who was.
    for rolls, fields in ((learners, ["changed_at", "was_learner"]), (others, ["changed_at"])):
        Roll.objects.bulk_create(
            rolls, update_conflicts=True, unique_fields=["enrolment"], update_fields=fields
        )


@receiver(m2m_changed, sender=Cohort.sessions.through)
@transaction.atomic(savepoint=False)
def _note_sessions(
    instance: Model,
    action: str,
    reverse: bool,  # noqa: FBT001 (what a signal carries)
    pk_set: set[UUID] | None,
    **_: Any,
) -> None:
    if action not in {"post_add", "post_remove", "pre_clear"}:
        return
    own, other = ("session", "cohort") if reverse else ("cohort", "session")
    if pk_set is None:  # all of them are about to go
        links = Cohort.sessions.through.objects.filter(**{f"{own}_id": instance.pk})
        pk_set = set(links.values_list(f"{other}_id", flat=True))
    if not pk_set:
        return
    moment = now_in_order()
    ended = None if action == "post_add" else moment
    Offer.objects.bulk_create(
        [
            Offer(
                **{f"{own}_id": instance.pk, f"{other}_id": pk},
                changed_at=moment,
                withdrawn_at=ended,
            )
            for pk in sorted(pk_set)
        ],
        update_conflicts=True,
        unique_fields=["cohort", "session"],
        update_fields=["changed_at", "withdrawn_at"],
    )


@receiver(post_save, sender=Assignment)
@receiver(post_delete, sender=Assignment)
@transaction.atomic(savepoint=False)
def _note_deadline(instance: Assignment, **_: Any) -> None:
    session = Exercise.objects.filter(pk=instance.exercise_id).values("session")
    offers = Offer.objects.filter(cohort=instance.cohort_id, session__in=session)
    offers.update(changed_at=now_in_order())


@receiver(pre_save, sender=Placement)
@transaction.atomic(savepoint=False)
def _note_moved(instance: Placement, **_: Any) -> None:
    same = {"cohort": instance.cohort_id, "term": instance.term_id}
    for before in Placement.objects.filter(pk=instance.pk).exclude(**same):
        _note_left(before)
        _note_placement(before)


@receiver(post_delete, sender=Placement)
@transaction.atomic(savepoint=False)
def _note_left(instance: Placement, origin: object = None, **_: Any) -> None:
    if isinstance(origin, Cohort) or getattr(origin, "model", None) is Cohort:  # it goes along
        return
    FormerTerm.objects.update_or_create(
        cohort_id=instance.cohort_id,
        term_id=instance.term_id,
        defaults={"left_at": now_in_order()},
    )


@receiver(post_save, sender=Placement)
@receiver(post_delete, sender=Placement)
@transaction.atomic(savepoint=False)
def _note_placement(instance: Placement, **_: Any) -> None:
    Offer.objects.filter(cohort=instance.cohort_id).update(changed_at=now_in_order())
    _note(instance.cohort_id)


@receiver(post_save, sender=Term)
@transaction.atomic(savepoint=False)
def _note_term(instance: Term, **_: Any) -> None:
    placed = Offer.objects.filter(cohort__placement__term=instance)
    placed.update(changed_at=now_in_order())
    _note(instance.pk)
