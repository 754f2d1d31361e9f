"""That a sign-in link was made for someone, by whom and when; the link itself is kept nowhere."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class Invitation(models.Model):
    """One making of a sign-in link."""

    class Way(models.TextChoices):
        SHOWN = "shown", _("shown on a page")
        FILE = "file", _("saved in a file")
        MAIL = "mail", _("sent by e-mail")
        COMMAND = "command", _("printed by the command")
        ASKED = "asked", _("asked for as forgotten, by e-mail")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations"
    )
    # Nobody where it was the command, or the person's own asking.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    way = models.CharField(max_length=10, choices=Way.choices)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_way_display()}"
