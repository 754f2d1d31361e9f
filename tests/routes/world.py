"""A populated service: two cohorts on the bundled session, and everyone who may come to a door."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponseBase
from django.test import Client as Browser
from django.test.client import ClientHandler
from django.utils import timezone

from assessment.attempts.models import Draft, Prediction, Submission
from assessment.cohorts.clients import client_scopes, register_client, revoke_client
from assessment.cohorts.inviting import invite
from assessment.cohorts.models import Cohort, Enrolment, Invitation, PeopleList, PlaceOffer, User
from assessment.grades.csv_files import points
from assessment.grades.csv_files.changes import Plan
from assessment.grades.lti import keys
from assessment.grades.models import (
    Context,
    Exemption,
    LineItem,
    LtiUser,
    Passback,
    Placement,
    Platform,
    PointsFile,
    School,
    Term,
)
from assessment.review.releasing import release
from exercises import models as content
from tests.factories import enrol, make_client, make_cohort, make_review, make_submission, make_user

PACKAGE = Path(content.__file__).parent.parent / "content" / "applied-ai-advanced-11"

# Texts planted in the rows, and who may ever read them.
STAFF = {"assistant", "instructor"}
CANARIES: dict[str, set[str]] = {
    "ada-of-autumn": {"owner", *STAFF, "admin", "lms"},  # a username
    "typed-by-ada": {"owner", *STAFF},  # an answer, a draft, a prediction's reason
    "noted-and-not-released": STAFF,
    "1.0203": STAFF,  # points that are not released
    "for-those-who-teach": {*STAFF, "foreign", "admin"},  # solutions, answers, notes
}
INSTRUCTORS_TEXTS: list[tuple[Any, list[str]]] = [
    (content.Slide, ["note"]),
    (content.ClassCheck, ["answer", "remark"]),
    (content.ExpectedWrongAnswer, ["text", "refutation"]),
    (content.CommonError, ["refutation"]),
    (content.Misconception, ["statement", "correction", "probe"]),
    (content.Concept, ["teaching_note", "appendix", "appendix_formula"]),
    (content.PlanRow, ["activity", "evidence"]),
    (content.TransferChallenge, ["expected", "misconception", "refutation", "remark"]),
    (content.ExerciseVersion, ["solution_title", "solved_variant"]),
    (content.Session, ["teaching_decision"]),
]

_HANDLER = ClientHandler(enforce_csrf_checks=False)
_STRICT = ClientHandler(enforce_csrf_checks=True)


@dataclass(frozen=True)
class Caller:
    """What someone brings along: a session's cookies, or a token."""

    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def browser(self, handler: ClientHandler | None = None) -> Browser:
        """Return a fresh browser of theirs; all share one handler, which is slow to make."""
        browser = Browser(headers=self.headers, raise_request_exception=False)
        browser.cookies = SimpleCookie(self.cookies)
        browser.handler = handler or _HANDLER
        return browser


@dataclass(frozen=True)
class Answer:
    """What came back: the outcome in the table's words, and everything that could be read."""

    outcome: str
    text: str


@dataclass
class World:
    """The callers, the values that stand for the parameters of routes, and what is posted where."""

    callers: dict[str, Caller] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    # By the end of what stands before the parameter; the longest that fits is taken.
    values: dict[str, object] = field(default_factory=dict)
    # By the beginning of a route: where the value depends on all of it, or where it is a pattern.
    addresses: dict[str, str] = field(default_factory=dict)
    posted: dict[str, Any] = field(default_factory=dict)

    def address(self, route: str) -> str:
        """Return an address of a route; every parameter names something of the first cohort."""
        for beginning, address in self.addresses.items():
            if route.startswith(beginning):
                return address
        while found := re.search(r"<(?:\w+:)?\w+>", route):
            before = route[: found.start()].rstrip("/")
            known = [key for key in self.values if before.endswith(key)]
            assert known, f"say in world.py what stands after {before!r} in {route}"
            value = self.values[max(known, key=len)]
            route = f"{route[: found.start()]}{value}{route[found.end() :]}"
        assert "(" not in route, f"say in world.py an address for the pattern {route}"
        return route

    def ask(self, caller: str, method: str, route: str, *, forged: bool = False) -> Answer:
        """Come to a door as one caller; a forged form comes from another site."""
        browser = self.callers[caller].browser(_STRICT if forged else _HANDLER)
        address = self.address(route)
        if method in {"POST", "PUT", "PATCH"} and address.startswith("/api/"):
            body = self.posted.get(route, {})
            response: Any = browser.generic(
                method, address, json.dumps(body), "application/json", headers=self._extra(route)
            )
        elif method == "POST":
            made = self.posted.get(route, {})
            response = browser.post(address, made() if callable(made) else made)
        else:
            response = browser.generic(method, address)
        text = response.getvalue().decode(errors="replace")
        headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        return Answer(_outcome(response), f"{headers}\n\n{text}")

    @staticmethod
    def _extra(route: str) -> Mapping[str, str]:
        return {"If-Match": '"1-1"'} if route.endswith("/review/") else {}


def _outcome(response: HttpResponseBase) -> str:
    if response.status_code == HTTPStatus.FOUND:
        target = response["Location"]
        if target.startswith("/sign-in/?next="):
            return "in"
        if target.startswith("/admin/login/?next="):
            return "in"
        if target.startswith(("http:", "https:", "//")):
            return "away"
    return str(response.status_code)


def populate() -> World:
    """Fill the database and return the world."""
    call_command("import_session", str(PACKAGE), verbosity=0)
    session = content.Session.objects.get()
    _mark(session)
    first, second, third = session.exercises.order_by("number")
    autumn = make_cohort(session, slug="autumn", name="Autumn")
    spring = make_cohort(session, slug="spring", name="Spring")
    ada = enrol(autumn, make_user("ada-of-autumn", first_name="A"))
    places = {
        "owner": ada,
        "peer": enrol(autumn),
        "elsewhere": enrol(spring),
        "left": _gone(enrol(autumn)),
        "assistant": enrol(autumn, role="assistant"),
        "instructor": enrol(autumn, role="instructor"),
        "foreign": enrol(spring, role="instructor"),
        "former": _gone(enrol(autumn, role="instructor")),
    }
    world = World()
    world.callers["nobody"] = Caller()
    for name, place in places.items():
        world.callers[name] = _signed_in(place.user)
        world.people[name] = place.user
    administrator = make_user("the-administrator", is_staff=True, is_superuser=True)
    world.callers["admin"] = _signed_in(administrator)
    world.callers |= _machines(autumn, spring)
    assert set(world.callers) >= set().union(*CANARIES.values())

    instructor = places["instructor"].user
    reviewed, released = _work(ada, first, second, third, instructor)
    cell, context, platform = _passed_on(ada, second)
    kept = PointsFile.objects.create(
        cohort=autumn, handed_in_by=instructor, name="points.csv", columns=list(points.HEADER)
    )
    exemption = Exemption.objects.create(
        enrolment=places["peer"], exercise=first, granted_by=instructor
    )
    handed_in = PeopleList.objects.create(cohort=autumn, handed_in_by=instructor)
    offer = PlaceOffer.objects.create(
        cohort=autumn, user=places["elsewhere"].user, role="learner", track="core", written="Else"
    )
    client = make_client(autumn)
    school = School.objects.create(name="School")
    term = Term.objects.create(
        school=school,
        title="Term",
        starts_on=date(2026, 9, 1),
        ends_on=date(2027, 2, 1),
        school_year=2027,
    )
    Placement.objects.create(cohort=autumn, term=term)
    keys.signing_key()

    world.values = {
        "sessions": session.slug,
        "exercises": first.slug,
        "submissions": reviewed.pk,
        "review": reviewed.pk,
        "/review/release": autumn.slug,
        "breaks": autumn.slug,
        "cohorts": autumn.slug,
        "autumn/people": places["peer"].pk,
        "autumn/people/lists": handed_in.pk,
        "/offers": offer.pk,
        "files": autumn.slug,
        "files/autumn": "evidence",
        "files/points": kept.pk,
        "files/autumn/deadlines": first.slug,
        "files/exemptions": exemption.pk,
        "files/autumn/people": ada.pk,
        "lms/clients": client.pk,
        "lms/cells": cell.pk,
        "lms/courses": context.pk,
        "lti/platforms": platform.pk,
        "lti/register": "no-such-invitation",
        "/classes": autumn.pk,
        "/courses": autumn.pk,
        "/enrollments": ada.pk,
        "/lineItems": f"{autumn.pk}.{second.pk}",
        "/results": f"{ada.pk}.{second.pk}",
        "/scoreScales": f"{autumn.pk}.{session.pk}",
        "/schools": school.pk,
        "/orgs": school.pk,
        "/students": ada.user_id,
        "/users": ada.user_id,
        "/teachers": instructor.pk,
        "/terms": term.pk,
        "/academicSessions": term.pk,
        "/gradingPeriods": _first_id(world, "rostering/v1p2/gradingPeriods", "academicSessions"),
        "/categories": _first_id(world, "gradebook/v1p2/categories", "categories"),
        "/assessmentLineItems": second.pk,
        "/assessmentResults": released.reviews.get().scores.all()[0].pk,
        "/admin/r": 1,
        "/admin/r/1": UUID(int=0),
        **dict.fromkeys(_administered(), UUID(int=0)),
    }
    (link,) = invite([places["peer"].user], by=None, way=Invitation.Way.COMMAND).values()
    world.addresses = {
        "/link/": link,
        "/forgotten/<": link.replace("/link/", "/forgotten/"),
        "/review/<uuid:submission_id>/withdraw/": f"/review/{released.pk}/withdraw/",
        "/^ims/oneroster/.*$": "/ims/oneroster/none",
        "/^api(": "/api/v1/none/",
        "/admin/^": "/admin/exercises/",
        "/admin/(": "/admin/none",
    }
    answers = {"exp": "[7.389; 2.718; 1]", "sum": "11.107"}
    world.posted = {
        "/theme/": {"theme": "dark", "next": "https://elsewhere.example/"},
        "/sign-in/": {"username": "ada-of-autumn", "password": "secret"},
        "/exercises/<slug:slug>/prediction/": {"direction": "down", "step": "store"},
        "/exercises/<slug:slug>/draft/": {"sum.result": "3"},
        "/exercises/<slug:slug>/reading/": {"sum.result": "3"},
        "/exercises/<slug:slug>/submit/": {"sum.result": "3", "despite": "1"},
        "/review/<uuid:submission_id>/": {"number": "1", "rubric": "1"},
        "/review/<uuid:submission_id>/release/": {"number": "1"},
        "/review/release/<slug:slug>/": {"chosen": [f"{reviewed.pk}:1"]},
        "/cohorts/": {"name": "Winter", "slug": "winter", "time_zone": "UTC"},
        "/cohorts/<slug:slug>/instructors/": {"usernames": places["assistant"].user.username},
        "/cohorts/<slug:slug>/people/add/": {"pasted": "username\nsomebody"},
        "/cohorts/<slug:slug>/people/<uuid:pk>/": {"track": "support"},
        "/lms/clients/": {"name": "LMS", "cohorts": [autumn.pk], "scopes": ["grades:read"]},
        "/lti/platforms/<uuid:pk>/deployments/": {"deployment_id": "2"},
        "/files/<slug:slug>/people/": lambda: {
            "file": SimpleUploadedFile("n.csv", b"username,sis_id\r\n")
        },
        "/files/points/<uuid:pk>/": {"seen": Plan().digest},
        "/files/<slug:slug>/": lambda: {
            "file": SimpleUploadedFile("p.csv", b"username,exercise,criterion,points\r\n")
        },
        "/files/<slug:slug>/deadlines/<slug:exercise>/": {"assigned_at": "2026-12-01T09:00"},
        "/files/<slug:slug>/deadlines/<slug:exercise>/excuse/": {"learner": ada.pk, "reason": "x"},
        "/api/v1/exercises/<slug:slug>/submissions/": {"answers": answers},
        "/api/v1/submissions/<uuid:submission_id>/review/": {"points": {}},
    }
    return world


def _mark(session: content.Session) -> None:
    """Write into every text that is the instructor's whose it is."""
    mark = "for-those-who-teach"
    for model, names in INSTRUCTORS_TEXTS:
        model._default_manager.update(**dict.fromkeys(names, mark))
    content.ExerciseVersion.objects.update(solution=[mark])
    hidden = content.Passage.objects.exclude(kind__in=content.Passage.LEARNER_KINDS)
    hidden.update(text=mark)
    content.WorkedLine.objects.filter(withheld=True).update(text=mark)
    session.refresh_from_db()


def _gone(place: Enrolment) -> Enrolment:
    place.left_at = timezone.now()
    place.save(update_fields=["left_at"])
    return place


def _signed_in(user: User) -> Caller:
    browser = Browser()
    browser.force_login(user)
    return Caller(cookies={name: each.value for name, each in browser.cookies.items()})


def _machines(autumn: Cohort, spring: Cohort) -> dict[str, Caller]:
    every = list(client_scopes())
    revoked, secret = register_client("Revoked", cohorts=[autumn], scopes=every)
    machines = {
        "lms": _token(autumn, scopes=every),
        "lms-else": _token(spring, scopes=every),
        "unscoped": _token(autumn, scopes=[]),
        "revoked": _bearer(revoked.client_id, secret),
    }
    revoke_client(revoked)
    return machines


def _token(cohort: Cohort, *, scopes: list[str]) -> Caller:
    client, secret = register_client("LMS", cohorts=[cohort], scopes=scopes)
    return _bearer(client.client_id, secret)


def _bearer(client_id: str, secret: str) -> Caller:
    """Return a caller with a token from the service's own door."""
    form = {
        "grant_type": "client_credentials",
        "client_id": client_id,
        "client_secret": secret,
    }
    response = Browser().post("/oauth/token/", form)
    assert response.status_code == HTTPStatus.OK, response.content
    return Caller(headers={"Authorization": f"Bearer {response.json()['access_token']}"})


def _work(
    ada: Enrolment,
    first: content.Exercise,
    second: content.Exercise,
    third: content.Exercise,
    instructor: User,
) -> tuple[Submission, Submission]:
    """Make an attempt that is reviewed, one that is released, and a draft."""
    typed = {"sum": {"data": "typed-by-ada", "result": "3"}}
    reviewed = make_submission(ada, first, answers=typed)
    Prediction.objects.create(case=reviewed.case, direction="down", reason="typed-by-ada")
    make_review(reviewed, instructor, "1.0203", "0", "0", "0", "0", note="noted-and-not-released")
    released = make_submission(ada, second, answers={"mechanism": "typed-by-ada"})
    make_review(released, instructor)
    release([released], instructor)
    Draft.objects.create(enrolment=ada, exercise=third, answers={"workload": "typed-by-ada"})
    return reviewed, released


def _passed_on(ada: Enrolment, exercise: content.Exercise) -> tuple[Passback, Context, Platform]:
    """Make an LMS by LTI that was told of a grade."""
    platform = Platform.objects.create(
        name="School",
        issuer="https://lms.example",
        client_id="tool",
        auth_login_url="https://lms.example/auth",
        auth_token_url="https://lms.example/token",
        key_set_url="https://lms.example/keys",
    )
    deployment = platform.deployments.create(deployment_id="1")
    context = Context.objects.create(deployment=deployment, context_id="1", cohort=ada.cohort)
    item = LineItem.objects.create(
        context=context, exercise=exercise, url="https://lms.example/items/1"
    )
    person = LtiUser.objects.create(platform=platform, subject="1", user=ada.user)
    cell = Passback.objects.create(
        line_item=item,
        person=person,
        enrolment=ada,
        activity=Passback.Activity.COMPLETED,
        grading=Passback.Grading.FULLY_GRADED,
        points=1,
        maximum=1,
        cause="released",
    )
    return cell, context, platform


def _administered() -> list[str]:
    """Return what stands before an id in the addresses of Django's administration."""
    names = (model._meta.label_lower for model in admin.site._registry)
    return [f"/admin/{name.replace('.', '/')}" for name in names]


def _first_id(world: World, path: str, name: str) -> str:
    rows = world.callers["lms"].browser().get(f"/ims/oneroster/{path}").json()[name]
    return str(rows[0]["sourcedId"]) if rows else str(UUID(int=0))
