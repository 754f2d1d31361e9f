"""What an LMS knows: its courses, its people, its gradebook columns."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

from assessment.grades.models.platform import Deployment, Platform


class Context(models.Model):
    """A course of an LMS and the cohort it is here, with the addresses of its services."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="contexts")
    context_id = models.CharField(max_length=255)
    title = models.CharField(max_length=300, blank=True)
    cohort = models.ForeignKey(
        "cohorts.Cohort", on_delete=models.PROTECT, related_name="lti_contexts"
    )
    memberships_url = models.URLField(max_length=1000, blank=True)
    line_items_url = models.URLField(max_length=1000, blank=True)
    # What the platform grants of the grade service.
    scopes = models.JSONField(default=list)
    roster_read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["deployment", "context_id"]
        constraints = [
            models.UniqueConstraint(fields=["deployment", "context_id"], name="grades_context_once")
        ]

    def __str__(self) -> str:
        return self.title or self.context_id


class LtiUser(models.Model):
    """A person as one platform knows them."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="people")
    # The platform's ``sub``.
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lti_users"
    )
    linked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["platform", "subject"]
        constraints = [
            models.UniqueConstraint(fields=["platform", "subject"], name="grades_lti_user_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.platform}"


class Membership(models.Model):
    """A person's place in a course of an LMS, and the enrolment that it keeps here.

    ``gave_place`` says that the LMS gave the place: then the enrolment follows the LMS's roster. A
    place that was given here is left alone.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(LtiUser, on_delete=models.CASCADE, related_name="memberships")
    enrolment = models.ForeignKey(
        "cohorts.Enrolment", on_delete=models.CASCADE, related_name="lti_memberships"
    )
    gave_place = models.BooleanField()
    is_active = models.BooleanField(default=True)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["context", "person"]
        constraints = [
            models.UniqueConstraint(fields=["context", "person"], name="grades_membership_once")
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.context}"


class LineItem(models.Model):
    """A gradebook column of an LMS that takes the scores of one exercise."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="line_items")
    exercise = models.ForeignKey(
        "exercises.Exercise", on_delete=models.PROTECT, related_name="lti_line_items"
    )
    url = models.URLField(max_length=1000)
    resource_link_id = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["context", "exercise"]
        constraints = [
            models.UniqueConstraint(fields=["context", "url"], name="grades_line_item_once")
        ]

    def __str__(self) -> str:
        return f"{self.exercise} in {self.context}"
