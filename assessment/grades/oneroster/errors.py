"""Refusals in the form of the standard: ``imsx_StatusInfo``, at the top level."""

from http import HTTPStatus

MEDIA_TYPE = "application/json"


class OneRosterError(Exception):
    """A request that is answered with a refusal.

    ``minor`` is one of the standard's code minor values.
    """

    status = HTTPStatus.BAD_REQUEST
    minor = "invaliddata"
    major = "failure"

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description

    @property
    def body(self) -> dict[str, object]:
        """The status information of the answer."""
        field = {
            "imsx_codeMinorFieldName": "TargetEndSystem",
            "imsx_codeMinorFieldValue": self.minor,
        }
        return {
            "imsx_codeMajor": self.major,
            "imsx_severity": "error",
            "imsx_description": self.description,
            "imsx_CodeMinor": {"imsx_codeMinorField": [field]},
        }


class InvalidParameterError(OneRosterError):
    """A limit, offset, sort or order that cannot be used."""


class InvalidFilterError(OneRosterError):
    """A filter that cannot be read or applied: never an empty success."""

    minor = "invalid_filter_field"


class InvalidSelectionError(OneRosterError):
    """A selection of fields that the object does not have."""

    minor = "invalid_selection_field"


class UnknownObjectError(OneRosterError):
    """No such object within the client's cohorts."""

    status = HTTPStatus.NOT_FOUND
    minor = "unknownobject"


class UnauthorisedError(OneRosterError):
    """No token, or one that no longer holds."""

    status = HTTPStatus.UNAUTHORIZED
    minor = "unauthorisedrequest"


class ForbiddenError(OneRosterError):
    """A token without the scope."""

    status = HTTPStatus.FORBIDDEN
    minor = "forbidden"


class ServerBusyError(OneRosterError):
    """Too many requests of this client."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    minor = "server_busy"


class UnavailableError(ServerBusyError):
    """The database is away, or somebody else holds what is asked for."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


class NotAcceptableError(OneRosterError):
    """The client wants something else than JSON."""

    status = HTTPStatus.NOT_ACCEPTABLE


class UnsupportedError(OneRosterError):
    """An operation of the standard that this provider does not offer: it is pull only."""

    status = HTTPStatus.METHOD_NOT_ALLOWED
    major = "unsupported"


class InternalError(OneRosterError):
    """Something broke here."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR
    minor = "internal_server_error"
