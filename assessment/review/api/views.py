"""Reviewing by program: the queue, and one review with optimistic locking."""

from http import HTTPStatus
from typing import ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from assessment.attempts.models import Submission
from assessment.cohorts.permissions import HasScope, IsPerson, person_of
from assessment.review.api import schema
from assessment.review.api.pages import QueuePagination
from assessment.review.api.serializers import (
    QueueQuerySerializer,
    QueueRowSerializer,
    ReviewSerializer,
    ScoringSerializer,
)
from assessment.review.errors import (
    Frozen,
    NotChecked,
    ReviewConflict,
    RubricMoved,
    ScoringRefused,
)
from assessment.review.models import Review
from assessment.review.queue import QueueFilter, UnknownFilter, cohorts_of, queue_for
from assessment.review.scoring import save_review
from assessment.review.versions import etag_of, read_etags
from assessment.web.caching import conditional
from assessment.web.parameters import refuse_unknown
from assessment.web.parsers import BoundedJSONParser
from assessment.web.problems import Conflict, PreconditionFailed, PreconditionRequired


@conditional
class SubmissionQueue(generics.ListAPIView[Submission]):
    """The submissions that the caller may review, in the order of their arrival."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "teach"}
    serializer_class = QueueRowSerializer
    pagination_class = QueuePagination

    @extend_schema(**schema.QUEUE)
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Return one page of the queue."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Submission]:
        """Return the filtered queue of the caller."""
        user = person_of(self.request)
        if not cohorts_of(user).exists():
            raise PermissionDenied("You review no cohort.")
        wanted = self._filters()
        try:
            wanted.check(user)
        except UnknownFilter as error:
            raise NotFound("; ".join(f"{k}: {v}" for k, v in error.problems.items())) from error
        return queue_for(user, wanted)

    def _filters(self) -> QueueFilter:
        query = QueueQuerySerializer(data=self.request.query_params.dict())
        refuse_unknown(
            self.request.query_params, [*query.fields, QueuePagination.cursor_query_param]
        )
        query.is_valid(raise_exception=True)
        found = query.validated_data
        return QueueFilter(
            cohort=found.get("cohort", ""),
            exercise=found.get("exercise", ""),
            state=found.get("state", ""),
            dominant_break=found.get("break", ""),
            latest=found.get("latest", False),
        )


@conditional
class SubmissionReview(APIView):
    """The review of one submission."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "teach", "POST": "teach"}
    parser_classes = [BoundedJSONParser]

    @extend_schema(**schema.READ_REVIEW)
    def get(self, request: Request, submission_id: UUID) -> Response:
        """Return the review that holds; its ETag is what a save has to name."""
        submission = self._submission(request, submission_id)
        review = _present(submission)
        if review is None:
            return Response(status=HTTPStatus.NO_CONTENT, headers={"ETag": etag_of(submission)})
        return Response(ReviewSerializer(review).data, headers={"ETag": etag_of(submission)})

    @extend_schema(**schema.SAVE_REVIEW)
    def post(self, request: Request, submission_id: UUID) -> Response:
        """Save the next review; ``If-Match`` names the version that was read."""
        submission = self._submission(request, submission_id)
        header = request.headers.get("If-Match", "")
        if not header:
            raise PreconditionRequired(headers={"ETag": etag_of(submission)})
        read = read_etags(header, submission)
        if read is None:
            raise _stale(submission, "If-Match names no version of this review.")
        scoring = ScoringSerializer(data=request.data)
        scoring.is_valid(raise_exception=True)
        number, rubric = read
        try:
            review = save_review(
                submission,
                person_of(request),
                scoring.scoring(rubric_seen=rubric),
                expected_number=number,
            )
        except (ReviewConflict, RubricMoved) as error:
            raise _stale(submission, str(error)) from error
        except (Frozen, NotChecked) as error:
            raise Conflict(str(error)) from error
        except ScoringRefused as error:
            # Break, level and note were read above: what is left are criteria.
            raise ValidationError({"points": error.problems}) from error
        return Response(
            ReviewSerializer(review).data,
            status=HTTPStatus.CREATED,
            headers={"ETag": etag_of(submission)},
        )

    def _submission(self, request: Request, submission_id: UUID) -> Submission:
        reviewable = Submission.objects.reviewable_by(person_of(request))
        return get_object_or_404(reviewable, pk=submission_id)


def _present(submission: Submission) -> Review | None:
    return (
        Review.objects.present()
        .filter(submission=submission)
        .select_related("reviewer", "rubric")
        .prefetch_related("scores", "rubric__criteria")
        .first()
    )


def _stale(submission: Submission, detail: str) -> PreconditionFailed:
    """Return the refusal that carries the present version, so that nobody has to guess."""
    review = _present(submission)
    return PreconditionFailed(
        detail,
        extra={"present": ReviewSerializer(review).data if review else None},
        headers={"ETag": etag_of(submission)},
    )
