"""A class that submits at once: who they are, what each does in a browser, how long it takes."""

import json
import re
import sys
import time
import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.test import Client as Browser

from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise, Session
from tests.benchmarks.web import Answer, Caller

SLUG = "rush"
EXERCISE = 1
ANSWERS = {
    "exp.operation": "exp(2), exp(1), exp(0)",
    "exp.result": "[7.389, 2.718, 1]",
    "sum.result": "11.107",
    "softmax.operation": "exp / sum",
    "softmax.result": "[0.665, 0.245, 0.090]",
    "loss.operation": "-ln(0.665)",
    "loss.result": "0.408",
    "data": "Three logits, one target, axes (V)",
    "interpretation": "The loss falls when the logit of the target grows.",
    "check": "It is positive.",
    "limitation": "One position only.",
}
# One in five writes the sum of the logits themselves.
_FAULTY = {"sum.result": "3", "softmax.result": "[2.463, 0.906, 0.333]", "loss.result": "-0.901"}
_POLL = 0.4  # as the page itself asks


def enrol(learners: int) -> None:
    """Enrol a class in the bundled session; print who is signed in, as one line of JSON."""
    session = Session.objects.order_by("number")[:1].get()
    cohort = Cohort.objects.create(slug=SLUG, name="A class that submits at once")
    cohort.sessions.add(session)
    cookies = []
    for number in range(learners + 1):
        person = User.objects.create(username=f"rush-{number}")
        role = Enrolment.Role.LEARNER if number else Enrolment.Role.INSTRUCTOR
        Enrolment.objects.create(cohort=cohort, user=person, role=role)
        browser = Browser()
        browser.force_login(person, "django.contrib.auth.backends.ModelBackend")
        cookies.append(browser.cookies[settings.SESSION_COOKIE_NAME].value)
    exercise = Exercise.objects.get(session=session, number=EXERCISE)
    told = {"exercise": exercise.slug, "instructor": cookies[0], "learners": cookies[1:]}
    sys.stdout.write(f"{json.dumps(told)}\n")


@dataclass
class Seen:
    """What all of them saw: seconds by kind of page, and whatever was no page."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)
    checked: int = 0
    _lock: Lock = field(default_factory=Lock)

    def note(self, kind: str, seconds: float) -> None:
        """Keep how long something took."""
        with self._lock:
            self.seconds[kind].append(seconds)

    def fail(self, what: str) -> None:
        """Keep what went wrong."""
        with self._lock:
            self.failures.append(what)

    def table(self) -> list[str]:
        """Return a line a kind: how many, the median, the 95th percentile, the longest."""
        return [
            f"{kind:<28}{len(times):>7}{_at(times, 0.5):>9.3f}{_at(times, 0.95):>9.3f}"
            f"{max(times):>9.3f} s"
            for kind, times in self.seconds.items()
        ]

    def percentile(self, kind: str, share: float) -> float:
        """Return the seconds within which this share of a kind was answered."""
        return _at(self.seconds[kind], share)


def _at(times: list[float], share: float) -> float:
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


class Person:
    """Someone with a browser that is signed in."""

    def __init__(self, port: int, session: str, seen: Seen) -> None:
        self._caller = Caller(port)
        self._cookies = {"sessionid": session}
        self._seen = seen

    def open(self, kind: str, path: str, **headers: str) -> Answer:
        """Open a page."""
        return self._send(kind, "GET", path, None, headers)

    def send(self, kind: str, path: str, form: Mapping[str, str]) -> Answer:
        """Send a form with its token."""
        body = urlencode({**form, "csrfmiddlewaretoken": self._cookies["csrftoken"]}).encode()
        return self._send(
            kind, "POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"}
        )

    def _send(
        self, kind: str, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        answer = self._caller.call(method, path, body, Cookie=cookies, **headers)
        self._seen.note(kind, answer.seconds)
        if answer.status >= 400:
            self._seen.fail(f"{method} {path}: {answer.status}")
        if found := re.search(r"csrftoken=([^;]+)", answer.headers.get("Set-Cookie", "")):
            self._cookies["csrftoken"] = found[1]
        return answer


class Learner(Person):
    """Opens the exercise, predicts, saves a draft, submits and waits for the feedback."""

    def __init__(self, port: int, session: str, seen: Seen, *, number: int) -> None:
        super().__init__(port, session, seen)
        self._answers = ANSWERS | (_FAULTY if number % 5 == 0 else {})

    def work(self, exercise: str, *, patience: float) -> None:
        """Do all of it."""
        at = f"/exercises/{exercise}/"
        self.open("first page", "/")
        self.open("exercise", at)
        predicted = {"direction": "down", "reason": "The target's logit grew.", "step": "store"}
        self.send("prediction", f"{at}prediction/", predicted)
        self.send("reading", f"{at}reading/", {"loss.result": self._answers["loss.result"]})
        self.send("draft", f"{at}draft/", self._answers)
        form = {"form": uuid.uuid4().hex, "despite": "1"}
        sent = self.send("submit", f"{at}submit/", self._answers | form)
        place = urlsplit(sent.headers.get("Location", "")).path
        if sent.status != 302 or not place.startswith("/submissions/"):
            self._seen.fail(f"no receipt: {sent.status} {place}")
            return
        began = time.monotonic()
        answer = self.open("receipt", place)
        # The page asks again by itself until there is something new.
        while b'hx-trigger="every' in answer.body or answer.status == 204:
            if time.monotonic() - began > patience:
                self._seen.fail(f"never checked: {place}")
                return
            time.sleep(_POLL)
            answer = self.open("feedback asked for", place, **{"HX-Request": "true"})
        self._seen.note("from submit to feedback", time.monotonic() - began)
        self._seen.checked += 1
