"""Plain data to database: one transaction, all or nothing, and nothing where nothing changed."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.text import slugify

from assessment.authoring.placing import most_lines, place_material
from assessment.authoring.proving import refuse_undiscriminating
from assessment.authoring.referencing import referenced
from assessment.authoring.versioning import digest, place_exercises
from exercises.documents.package import Package
from exercises.models import Session


class ImportRefusedError(Exception):
    """Documents that are sound but cannot be stored; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; ``changed`` are the slugs of exercises with a new version."""

    session: Session
    is_new: bool
    is_changed: bool
    changed_exercises: tuple[str, ...]


@transaction.atomic
def import_package(package: Package, *, dry_run: bool = False, proves: bool = True) -> Imported:
    """Store a package; with ``dry_run`` say what storing it would do, and store nothing.

    Without ``proves`` the caller proves by itself that variants discriminate.

    Two imports of one session at a time come one after the other.

    Raises
    ------
    DocumentError
        A binding does not fit the references that the engine has, or known mistakes cannot be told
        on what an exercise draws.
    ImportRefusedError
        The session's address belongs to another one, or answers rest on what was removed.
    """
    checks = referenced(package.checks)
    if proves:
        refuse_undiscriminating(checks)
    unnamed = replace(checks, name="")
    fingerprint = digest(package.guide, package.slides, package.packet, unnamed)
    session, is_new = _locked(package)
    if session.digest == fingerprint:
        return Imported(session, is_new=False, is_changed=False, changed_exercises=())
    _describe(session, package)
    session.digest = fingerprint
    session.imported_at = timezone.now()
    session.save()
    try:
        place_material(session, package, checks)
    except ProtectedError as error:
        msg = "answers rest on a part that the documents no longer hold; put it back"
        raise ImportRefusedError(msg) from error
    changed = place_exercises(session, package.packet.exercises, dict(checks.exercises))
    if dry_run:
        transaction.set_rollback(True)
    slugs = tuple(exercise.slug for exercise in changed)
    return Imported(session, is_new=is_new, is_changed=not is_new, changed_exercises=slugs)


def _locked(package: Package) -> tuple[Session, bool]:
    """Return the session's row, locked until the transaction ends, and whether it is new."""
    slides = package.slides
    name = {"course": slides.course, "level": slides.level, "number": slides.number}
    slug = slugify(f"{slides.course} {slides.level} {slides.number}")
    other = Session.objects.filter(slug=slug).exclude(**name).first()
    if other is not None:
        msg = f"the address “{slug}” belongs to “{other}” already; rename the course or the level"
        raise ImportRefusedError(msg)
    defaults = {"slug": slug, "title": slides.title, "duration_minutes": 0, "digest": ""}
    Session.objects.get_or_create(**name, defaults=defaults)
    session = Session.objects.select_for_update().get(**name)
    return session, not session.digest


def _describe(session: Session, package: Package) -> None:
    guide, slides, packet = package.guide, package.slides, package.packet
    session.title = guide.title
    session.subtitle = slides.subtitle
    session.positioning = guide.positioning
    session.duration_minutes = guide.duration_minutes
    session.general_instruction = packet.general_instruction
    session.starting_data = packet.starting_data
    session.boundary = guide.boundary
    session.expected_evidence = guide.expected_evidence
    session.evidence_status = slides.evidence_status
    session.evidence_scope = guide.evidence_scope
    session.mechanism_map = slides.mechanism_map
    session.lab_address = slides.lab_address
    session.teaching_decision = guide.teaching_decision
    session.exit_threshold = guide.exit_threshold
    session.exit_ticket_instruction = guide.exit_ticket_instruction
    session.exit_ticket_max_lines = most_lines(
        guide.exit_ticket_instruction, len(guide.exit_ticket_parts)
    )
