"""Reading exercises and submitting answers by program."""

import hashlib
import json
from http import HTTPStatus
from typing import ClassVar
from uuid import UUID

from django.db.models import Max, Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from assessment.attempts import access, disclosure
from assessment.attempts.api import schema
from assessment.attempts.api.parameters import read_cohort, read_key
from assessment.attempts.api.reading import exercise_data, session_data
from assessment.attempts.api.serializers import (
    AnswersSerializer,
    ExerciseSerializer,
    SessionDetailSerializer,
    SessionSerializer,
    SubmissionSerializer,
)
from assessment.attempts.errors import KeyReused, NoAttemptsLeft, NothingWritten, UnfitAnswers
from assessment.attempts.models import Submission
from assessment.attempts.submitting import submit
from assessment.cohorts.models import AccessToken, Cohort, User
from assessment.cohorts.permissions import HasScope, IsPerson, person_of
from assessment.web.caching import conditional
from assessment.web.problems import Conflict, Refusal
from exercises.models import Exercise, Session


class Unprocessable(Refusal):
    """What was sent fits, and contradicts what is stored."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "unprocessable"


@conditional
class SessionList(generics.ListAPIView[Session]):
    """The sessions of the caller's cohorts."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "learn"}
    serializer_class = SessionSerializer
    pagination_class = None

    @extend_schema(**schema.SESSIONS)
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Return all sessions with their exercises."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Session]:
        """Return the sessions in which the caller takes part."""
        person, cohort = person_of(self.request), read_cohort(self.request)
        if cohort and not Cohort.objects.attended_by(person).filter(slug=cohort).exists():
            raise NotFound(f"No cohort of yours is named “{cohort}”.")
        offered = Exercise.objects.offered().filter(current__isnull=False)
        sessions = access.sessions_for(person, cohort)
        return sessions.prefetch_related(Prefetch("exercises", offered, to_attr="offered"))


@conditional
class SessionDetail(APIView):
    """One session."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "learn"}
    serializer_class = SessionDetailSerializer

    @extend_schema(**schema.SESSION)
    def get(self, request: Request, slug: str) -> Response:
        """Return the session as learners may read it."""
        person, cohort = person_of(request), read_cohort(request)
        found = get_object_or_404(access.sessions_for(person, cohort), slug=slug)
        place = access.place_in(found, person, cohort)
        return Response(SessionDetailSerializer(session_data(found, place)).data)


@conditional
class ExerciseDetail(APIView):
    """One exercise."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "learn"}
    serializer_class = ExerciseSerializer

    @extend_schema(**schema.EXERCISE)
    def get(self, request: Request, slug: str) -> Response:
        """Return the exercise with the caller's own given values."""
        person, cohort = person_of(request), read_cohort(request)
        found = get_object_or_404(access.exercises_for(person, cohort), slug=slug)
        data = exercise_data(found, access.place_in(found.session, person, cohort))
        return Response(ExerciseSerializer(data, context=data).data)


@conditional
class SubmissionCreate(APIView):
    """Attempts at one exercise."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"POST": "learn"}
    serializer_class = AnswersSerializer

    @extend_schema(**schema.SUBMIT)
    def post(self, request: Request, slug: str) -> Response:
        """Store an attempt."""
        person, cohort = person_of(request), read_cohort(request)
        exercise = get_object_or_404(access.exercises_for(person, cohort), slug=slug)
        place = access.place_in(exercise.session, person, cohort)
        if place is None or exercise.current is None:
            raise Http404
        sent = AnswersSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        key = read_key(request)
        try:
            stored = submit(
                enrolment=place,
                version=exercise.current,
                answers=sent.validated_data["answers"],
                key=key,
                may_repeat=key is not None,
            )
        except UnfitAnswers as refusal:
            raise ValidationError({"answers": refusal.errors}) from refusal
        except NothingWritten as refusal:
            raise ValidationError({"answers": [str(refusal)]}) from refusal
        except NoAttemptsLeft as refusal:
            raise Conflict(str(refusal)) from refusal
        except KeyReused as refusal:
            raise Unprocessable(str(refusal)) from refusal
        return Response(
            SubmissionSerializer(stored, context={"request": request}).data,
            status=HTTPStatus.CREATED,
            headers={"Location": reverse("api-submission", args=[stored.pk])},
        )


@conditional
class SubmissionDetail(generics.RetrieveAPIView[Submission]):
    """One submission."""

    permission_classes = [HasScope, IsPerson]
    serializer_class = SubmissionSerializer
    lookup_url_kwarg = "submission_id"
    kwargs: dict[str, UUID]

    @property
    def scopes(self) -> dict[str, str]:
        """Its learner reads it with ``learn``, those who review it with ``teach``."""
        return {"GET": "teach" if _may(self.request, "teach") else "learn"}

    @extend_schema(**schema.SUBMISSION)
    def get(self, request: Request, **_address: UUID) -> Response:
        """Return what the caller may see of it."""
        found = self.get_object()
        data = self.get_serializer(found).data
        return Response(data, headers=_review_version(found, data, person_of(request)))

    def get_queryset(self) -> QuerySet[Submission]:
        """Return the caller's own, and those that the caller reviews."""
        person = person_of(self.request)
        rows = Submission.objects.select_related(
            "exercise", "version", "current_check", "enrolment__cohort", "enrolment__user"
        )
        if not _may(self.request, "teach"):
            return rows.owned_by(person)
        if not _may(self.request, "learn"):
            return rows.reviewable_by(person)
        return rows.visible_to(person)


def _review_version(found: Submission, data: object, person: User) -> dict[str, str]:
    """Return an ETag that begins with the numbers of review and rubric, for those who review.

    It is what ``If-Match`` names when a review is saved; others get the usual one.
    """
    if not disclosure.of(found, person).is_staff:
        return {}
    review = found.reviews.aggregate(number=Max("number"))["number"] or 0
    rubric = found.version.rubrics.aggregate(number=Max("number"))["number"] or 0
    digest = hashlib.sha256(json.dumps(data, default=str).encode()).hexdigest()
    return {"ETag": f'"{review}-{rubric}-{digest[:16]}"'}


def _may(request: Request, scope: str) -> bool:
    """Return whether the call has this scope; the browser's session has all."""
    token = request.auth
    return not isinstance(token, AccessToken) or bool(token.allow_scopes([scope]))
