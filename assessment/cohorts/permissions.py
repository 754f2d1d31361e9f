"""What a caller of the API may do: their role decides, and a token's scopes narrow it."""

from collections.abc import Mapping

from django.db.models import QuerySet
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from assessment.cohorts.models import AccessToken, Cohort, Enrolment, User


class HasScope(BasePermission):
    """Lets a token through only with the scope that the view's ``scopes`` names for the method.

    ``scopes`` maps a method to a scope (``{"GET": "grades:read"}``); a method without one is closed
    to tokens. The browser's session has no scopes: the person's role alone decides.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Compare the token's scopes with the view's."""
        if not isinstance(request.auth, AccessToken):
            return isinstance(request.user, User)
        if request.method not in view.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        scopes: Mapping[str, str] = getattr(view, "scopes", {})
        method = "GET" if request.method == "HEAD" else str(request.method)
        # Who may do anything at an address may ask what can be done there.
        needed = next(iter(scopes.values()), "") if method == "OPTIONS" else scopes.get(method, "")
        self.message = f"This call needs a token with the scope {needed or '(none opens it)'}."
        return bool(needed) and request.auth.allow_scopes([needed])


class IsPerson(BasePermission):
    """Refuses a client that acts for nobody: this call is somebody's own."""

    message = "This call needs a person's session or token, not a client's."

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 (DRF's signature)
        """Ask for a user."""
        return isinstance(request.user, User)


def cohorts_in_reach(request: Request) -> QuerySet[Cohort]:
    """Return the cohorts whose rows the caller may read.

    A client's are those it is bound to, a person's those they are staff of now.
    """
    if isinstance(request.auth, AccessToken) and request.auth.user_id is None:
        return Cohort.objects.filter(clients=request.auth.application_id).distinct()
    if isinstance(request.user, User):
        staffed = Enrolment.objects.active().staff().filter(user=request.user).values("cohort")
        return Cohort.objects.filter(pk__in=staffed)
    return Cohort.objects.none()


def person_of(request: Request) -> User:
    """Return who calls, where ``IsPerson`` let the call through."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
