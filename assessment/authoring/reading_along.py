"""Read a session as a new learner does, and find what should not be there yet.

Everything is asked for at the service's own addresses and undone afterwards, so that nothing is
proved of a page but what the page shows.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from http import HTTPStatus

from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse
from uuid_utils.compat import uuid7

from assessment.authoring.hiding import Hidden, Page, hidden_in
from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise, Session, Until

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_DIRECTION = re.compile(r'name="direction"\s+value="(\w+)"')
_SPOKEN = {"alt", "alttext", "aria-label", "content", "placeholder", "title", "value"}
_UNREAD = {"script", "style", "svg"}


def findings_of(session: Session) -> list[str]:
    """Return where a new learner reads what is withheld from them; nothing is stored."""
    with transaction.atomic(), _without_warnings():
        found = list(_read(session))
        transaction.set_rollback(True)
    return list(dict.fromkeys(found))


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep the service's log quiet: nobody is served here, and what fails is a finding."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _read(session: Session) -> Iterator[str]:
    hidden = hidden_in(session)
    exercises = list(session.exercises.offered().filter(current__isnull=False))
    reader = _Reader(session)
    for name, arguments in (("home", ()), ("session", (session.slug,)), ("api-sessions", ())):
        yield from reader.look(name, *arguments, hidden=hidden)
    yield from reader.look("api-session", session.slug, hidden=hidden)
    for exercise in exercises:
        closed = [each for each in hidden if not _is_open(each, exercise, set())]
        yield from reader.look("exercise", exercise.slug, hidden=closed)
        yield from reader.look("api-exercise", exercise.slug, hidden=closed)
    for exercise in exercises:
        if not (exercise.current and exercise.current.variation):
            continue
        if not reader.predicts(exercise):
            yield f"exercise {exercise.slug}: has a variation, and no prediction can be stored"
            continue
        opened = {Until.PREDICTION.value}
        closed = [each for each in hidden if not _is_open(each, exercise, opened)]
        yield from reader.look("exercise", exercise.slug, hidden=closed)
        yield from reader.look("api-exercise", exercise.slug, hidden=closed)


def _is_open(each: Hidden, exercise: Exercise, opened: set[str]) -> bool:
    """Whether something may be read on an exercise's page after these events there."""
    if each.exercise not in {"", exercise.slug}:
        return False
    return bool(each.until & opened)


class _Reader:
    """A new learner of a session, with a place in a cohort of their own."""

    def __init__(self, session: Session) -> None:
        name = f"check-content-{uuid7()}"
        learner = User.objects.create(username=name, password="!")  # noqa: S106 (no one signs in)
        cohort = Cohort.objects.create(slug=name, name=name)
        cohort.sessions.set([session])
        Enrolment.objects.create(cohort=cohort, user=learner)
        host = next((each for each in settings.ALLOWED_HOSTS if each != "*"), "localhost")
        self._client = Client(raise_request_exception=False, SERVER_NAME=host.lstrip("."))
        self._client.force_login(learner, backend=_BACKEND)

    def look(self, name: str, *arguments: str, hidden: list[Hidden]) -> Iterator[str]:
        """Yield what of the hidden is on the page of that name."""
        path = reverse(name, args=arguments)
        response = self._client.get(path, secure=settings.HTTPS)
        if response.status_code != HTTPStatus.OK:
            yield f"{path}: a learner gets the status {response.status_code}"
            return
        text = response.content.decode()
        is_json = response.headers["Content-Type"].startswith("application/json")
        page = Page.showing(path, _strings(json.loads(text)) if is_json else _shown(text))
        for each in hidden:
            if each.stands_in(page):
                events = ", ".join(sorted(each.until))
                yield f"{path}: shows “{each.text}”, withheld until: {events}"

    def predicts(self, exercise: Exercise) -> bool:
        """Store a prediction, by the page's own form; return whether there was one."""
        page = self._client.get(exercise.get_absolute_url(), secure=settings.HTTPS)
        direction = _DIRECTION.search(page.content.decode())
        if direction is None:
            return False
        sent = {"direction": direction[1], "step": "store"}
        path = reverse("predict", args=[exercise.slug])
        answer = self._client.post(path, sent, secure=settings.HTTPS)
        return answer.status_code == HTTPStatus.FOUND


class _Text(HTMLParser):
    """Collects what a page says: its text, and the attributes that are read or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in _UNREAD
        self.found += [value for name, value in attrs if name in _SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in _UNREAD

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.found.append(data)


def _shown(html: str) -> list[str]:
    parser = _Text()
    parser.feed(html)
    parser.close()
    return parser.found


def _strings(value: object) -> Iterator[str]:
    """Yield every text and number of a JSON answer."""
    if isinstance(value, dict):
        for entry in value.values():
            yield from _strings(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry)
    elif value is not None:
        yield f"{value}"
