"""What of a session's own texts a learner may read so far."""

from assessment.attempts.models import Case, Prediction, Submission
from assessment.authoring.publishing import is_published
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise, ExerciseVersion, Session, Until


def opened_in(session: Session, place: Enrolment | None) -> set[str]:
    """Return what has happened for this learner in the whole session."""
    opened: set[str] = set()
    if place and Submission.objects.filter(enrolment=place, exercise__session=session).exists():
        opened.add(Until.SUBMISSION)
    return opened


def opened_for(exercise: Exercise, place: Enrolment | None, case: Case | None) -> set[str]:
    """Return what has happened for this learner in one exercise."""
    opened: set[str] = set()
    if place and Submission.objects.filter(enrolment=place, exercise=exercise).exists():
        opened.add(Until.SUBMISSION)
    if case and Prediction.objects.filter(case=case).exists():
        opened.add(Until.PREDICTION)
    if is_published(exercise, place):
        opened.add(Until.PUBLICATION)
    return opened


def prompt(exercise: Exercise, case: Case | None, opened: set[str]) -> list[str]:
    """Return the paragraphs of the prompt, without what is withheld so far."""
    version = case.version if case else exercise.current
    if version is None:
        return []
    shows_change = Until.PREDICTION in opened or not (case.variation if case else version.variation)
    if case and case.generator:
        # The text names the group's change; this learner's own stands among the given values.
        shows_change = False
    paragraphs = version.prompt if shows_change else version.prompt_before
    return [exercise.session.masked(each, exercise.key, opened) for each in paragraphs]


def published_solution(version: ExerciseVersion, opened: set[str]) -> list[str]:
    """Return the worked solution's paragraphs and the solved variant, or nothing before then."""
    if Until.PUBLICATION not in opened:
        return []
    return [text for text in (*version.solution, version.solved_variant) if text]
