"""What people are known by: usernames and SIS ids, each of one person only."""

from django.contrib.contenttypes.models import ContentType

from assessment.cohorts.models import User


def one_at_a_time() -> None:
    """Wait until nobody else gives such names; hold until the transaction ends.

    Two who give one to two people at once would each find it free, and two who give many in
    different orders would wait for each other.
    """
    kind = ContentType.objects.get_for_model(User)
    ContentType.objects.select_for_update(no_key=True).get(pk=kind.pk)
