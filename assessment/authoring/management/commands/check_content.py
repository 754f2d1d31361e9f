"""``check_content``: proves that what a session hands out can be told from known mistakes."""

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import exercises.content
from assessment.authoring.examining import Examined, examine, examine_package
from assessment.authoring.importing import ImportRefusedError
from assessment.authoring.proving import Proof, prove
from exercises.documents.package import read_package
from exercises.documents.text import DocumentError
from exercises.models import Session

_MOST_DRAWS = 100_000
_WRONG_USE = 2


class Command(BaseCommand):
    """Prove the content of sessions; store nothing."""

    help = (
        "Prove that variants discriminate, that references are finite, and that what is withheld "
        "is on no learner's page: of all stored sessions (the bundled ones where none is stored), "
        "of one of them, or of a folder of documents."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what is proved, how often is drawn, and the manner of reporting."""
        parser.add_argument("folder", metavar="DIR", type=Path, nargs="?")
        parser.add_argument("--checks", metavar="FILE", type=Path, help="with DIR only")
        parser.add_argument("--session", metavar="SLUG", help="this stored session alone")
        parser.add_argument("--draws", metavar="N", type=int, default=10_000)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, **options: Any) -> None:
        """Report every proof; what fails is a finding, and findings end with status 1."""
        draws: int = options["draws"]
        if not 1 <= draws <= _MOST_DRAWS:
            raise _wrong_use(f"--draws is {draws}; write 1 to {_MOST_DRAWS}")
        reports = [_Report(each, _proofs(each, draws)) for each in _examined(options)]
        if options["json"]:
            found = {"sessions": [report.as_json() for report in reports]}
            sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        else:
            sys.stdout.writelines(f"{line}\n" for report in reports for line in report.lines())
        count = sum(report.findings for report in reports)
        if count:
            raise CommandError("1 finding" if count == 1 else f"{count} findings", returncode=1)


def _wrong_use(reason: str) -> CommandError:
    return CommandError(reason, returncode=_WRONG_USE)


def _examined(options: dict[str, Any]) -> list[Examined]:
    """Return what the options name."""
    folder: Path | None = options["folder"]
    if folder is None:
        if options["checks"]:
            raise _wrong_use("--checks needs the folder of documents that it belongs to")
        return _stored(options["session"])
    if options["session"]:
        raise _wrong_use("write a folder or --session, not both")
    return [_read(folder, options["checks"])]


def _stored(slug: str | None) -> list[Examined]:
    sessions = list(Session.objects.filter(slug=slug) if slug else Session.objects.all())
    if slug and not sessions:
        known = ", ".join(Session.objects.values_list("slug", flat=True)) or "none"
        raise _wrong_use(f"no session has the slug {slug!r}; stored: {known}")
    if sessions:
        return [examine(each) for each in sessions]
    bundled = sorted(Path(exercises.content.__path__[0]).glob("*/checks.yaml"))
    return [_read(checks.parent, None) for checks in bundled]


def _read(folder: Path, checks: Path | None) -> Examined:
    if not folder.is_dir():
        raise _wrong_use(f"{folder} is no folder")
    if checks is not None and not checks.is_file():
        raise _wrong_use(f"{checks} is no file")
    try:
        return examine_package(read_package(folder, checks))
    except (DocumentError, ImportRefusedError) as error:
        raise CommandError(str(error), returncode=1) from error


def _proofs(examined: Examined, draws: int) -> dict[str, Proof | None]:
    return {
        slug: prove(handed_out, draws=draws) if handed_out else None
        for slug, handed_out in examined.exercises.items()
    }


@dataclass(frozen=True, slots=True)
class _Report:
    """One session's proofs, by exercise, as text and as JSON."""

    examined: Examined
    proofs: dict[str, Proof | None]

    @property
    def findings(self) -> int:
        own = sum(len(proof.findings) for proof in self.proofs.values() if proof)
        return own + len(self.examined.findings)

    def as_json(self) -> dict[str, Any]:
        return {
            "session": self.examined.session,
            "exercises": [_as_json(slug, proof) for slug, proof in self.proofs.items()],
            "findings": list(self.examined.findings),
        }

    def lines(self) -> Iterator[str]:
        yield self.examined.session
        for slug, proof in self.proofs.items():
            yield from (f"  {line}" for line in _lines(slug, proof))
        yield from (f"  finding: {finding}" for finding in self.examined.findings)
        if not self.examined.findings:
            yield "  what is withheld is on no page of a new learner"


def _as_json(slug: str, proof: Proof | None) -> dict[str, Any]:
    report = proof.report if proof else None
    found: dict[str, Any] = {"exercise": slug, "is_computed": proof is not None}
    found |= {"draws": 0, "accepted": 0, "rate": None, "margins": {}, "refused": []}
    if report:
        found["draws"], found["accepted"], found["rate"] = (
            report.draws,
            report.accepted,
            report.rate,
        )
        found["margins"] = {
            f"{step}.{mistake}": margin if math.isfinite(margin) else None
            for (step, mistake), margin in report.margins.items()
        }
        found["refused"] = [
            {"given": given, "reasons": list(reasons)} for given, reasons in report.refused
        ]
    return found | {"findings": list(proof.findings) if proof else []}


def _lines(slug: str, proof: Proof | None) -> Iterator[str]:
    if proof is None:
        yield f"{slug}: written answers, nothing to compute"
        return
    report = proof.report
    if report is None:
        yield f"{slug}: nothing is drawn"
    else:
        yield f"{slug}: {report.accepted} of {report.draws} draws discriminate ({report.rate:.1%})"
        for (step, mistake), margin in report.margins.items() if report.accepted else ():
            least = f"{margin:.2%}" if math.isfinite(margin) else "none: it never gives a value"
            yield f"  {step}, {mistake}: smallest margin {least}"
    yield from (f"  finding: {finding}" for finding in proof.findings)
