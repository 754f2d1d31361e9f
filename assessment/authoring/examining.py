"""Gather what is to be proved of a session, stored or only read; nothing is stored by it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from assessment.authoring.importing import import_package
from assessment.authoring.proving import HandedOut, prove_material
from assessment.authoring.reading_along import findings_of
from exercises.documents.package import Package
from exercises.models import Session


@dataclass(frozen=True, slots=True)
class Examined:
    """A session's slug, what each exercise hands out, and what is wrong beside the exercises.

    Exercises are named by their slugs; None is one that asks for written answers alone.
    """

    session: str
    exercises: Mapping[str, HandedOut | None]
    findings: tuple[str, ...]


def examine(session: Session) -> Examined:
    """Gather from a stored session."""
    exercises = session.exercises.offered().select_related("current")
    return Examined(
        session.slug,
        {
            each.slug: HandedOut.by_version(each.current) if each.current.reference else None
            for each in exercises
            if each.current is not None
        },
        (*prove_material(session), *findings_of(session)),
    )


@transaction.atomic
def examine_package(package: Package) -> Examined:
    """Gather from documents: they are imported, looked at, and taken out again.

    Raises DocumentError and ImportRefusedError like an import.
    """
    imported = import_package(package, proves=False)
    examined = examine(imported.session)
    transaction.set_rollback(True)
    return examined
