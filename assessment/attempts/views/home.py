"""The first page: the sessions of one's cohorts, and how far each exercise has come."""

from dataclasses import dataclass, field

from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessment.attempts.models import Draft, Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Enrolment, User
from exercises.models import Exercise, Session


@dataclass
class Progress:
    """One exercise and its latest state for this person; empty where nothing was written."""

    exercise: Exercise
    state: str = ""
    submission: Submission | None = None


@dataclass
class Place:
    """One cohort of this person, with its sessions."""

    enrolment: Enrolment
    sessions: list[tuple[Session, list[Progress]]] = field(default_factory=list)

    @property
    def is_learner(self) -> bool:
        """Whether this person answers here."""
        return self.enrolment.role == Enrolment.Role.LEARNER


@require_safe
@person_required
def home(request: PersonRequest) -> HttpResponse:
    """List cohorts, sessions and exercises."""
    offers = request.user.place_offers.open().select_related("cohort", "made_by")
    context = {"places": places_of(request.user), "offers": offers}
    return render(request, "attempts/home.html", context)


def places_of(user: User) -> list[Place]:
    """Return this person's cohorts with the state of each exercise (a fixed number of queries)."""
    offered = Prefetch("exercises", Exercise.objects.offered().filter(current__isnull=False))
    sessions = Session.objects.prefetch_related(offered)
    enrolments = (
        Enrolment.objects.active()
        .filter(user=user)
        .select_related("cohort")
        .prefetch_related(Prefetch("cohort__sessions", sessions))
        .order_by("-joined_at")
    )
    latest = _latest_submissions(user)
    drafted = set(
        Draft.objects.filter(enrolment__user=user).values_list("enrolment_id", "exercise_id")
    )
    places = []
    for enrolment in enrolments:
        place = Place(enrolment)
        for session in enrolment.cohort.sessions.all():
            rows = []
            for exercise in session.exercises.all():
                key = (enrolment.pk, exercise.pk)
                submission = latest.get(key)
                state = "draft" if key in drafted else submission.state if submission else ""
                rows.append(Progress(exercise, state, submission))
            place.sessions.append((session, rows))
        places.append(place)
    return places


def _latest_submissions(user: User) -> dict[tuple[object, object], Submission]:
    found = Submission.objects.owned_by(user).order_by("number")
    return {(each.enrolment_id, each.exercise_id): each for each in found}
