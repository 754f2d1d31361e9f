"""A person who signs in."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class User(AbstractUser):
    """A learner, an assistant, an instructor or an administrator.

    What someone may do follows from their enrolments, not from flags here.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The school's own number for this person: what an LMS knows them by.
    sis_id = models.CharField(_("SIS id"), max_length=255, unique=True, null=True, blank=True)

    def __str__(self) -> str:
        return self.get_full_name() or self.username
