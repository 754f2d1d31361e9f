"""Stores what a learner expects, before the change is shown."""

from django.db import transaction

from assessment.attempts.errors import AlreadyPredicted
from assessment.attempts.models import Case, Prediction


@transaction.atomic
def predict(
    *, case: Case, direction: Prediction.Direction, value: str = "", reason: str = ""
) -> Prediction:
    """Store the prediction of a case; the same one sent again is the stored one.

    Raises
    ------
    AlreadyPredicted
        Another prediction is stored: it stays.
    """
    Case.objects.select_for_update(no_key=True).get(pk=case.pk)
    stored, created = Prediction.objects.get_or_create(
        case=case, defaults={"direction": direction, "value": value, "reason": reason}
    )
    sent = (direction, value, reason)
    if not created and sent != (stored.direction, stored.value, stored.reason):
        raise AlreadyPredicted
    return stored
