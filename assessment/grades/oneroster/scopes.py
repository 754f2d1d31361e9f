"""The scopes of the standard that open each operation; one of them is enough."""

from django.conf import settings

_PREFIX = settings.ONEROSTER

GRADEBOOK = f"{_PREFIX}gradebook.readonly"
GRADEBOOK_CORE = f"{_PREFIX}gradebook-core.readonly"
ASSESSMENT = f"{_PREFIX}assessment.readonly"
ROSTER = f"{_PREFIX}roster.readonly"
ROSTER_CORE = f"{_PREFIX}roster-core.readonly"

# Whole collections and single objects need the core scope only; what is nested needs the full one.
GRADEBOOK_READS = (GRADEBOOK, GRADEBOOK_CORE)
GRADEBOOK_NESTED = (GRADEBOOK,)
ASSESSMENT_READS = (ASSESSMENT,)
ROSTER_READS = (ROSTER, ROSTER_CORE)
ROSTER_NESTED = (ROSTER,)

DESCRIPTIONS: dict[str, str] = settings.OAUTH2_PROVIDER["SCOPES"]
