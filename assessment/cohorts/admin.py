"""Accounts, cohorts and places for administrators; passwords are chosen by links, never typed here.

Whoever may write accounts can make themselves anybody, so superusers alone may.
"""

from typing import Any

from django.contrib import admin, messages
from django.db import IntegrityError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from assessment.cohorts.models import Cohort, Enrolment, Invitation, User


class AdministratorsOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Rows for superusers."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Hide the rows from other staff."""
        return _is_administrator(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Show rows to superusers."""
        del obj
        return _is_administrator(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let superusers add rows."""
        return _is_administrator(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let superusers change rows."""
        del obj
        return _is_administrator(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: answers and grades hang on these rows. Close accounts and end places instead."""
        del request, obj
        return False

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say so where another administrator took the same name in the same moment."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            text = gettext("Nothing was stored: someone took the same name meanwhile. Look again.")
            messages.error(request, text)
            return redirect(request.get_full_path())


def _is_administrator(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


@admin.register(User)
class UserAdmin(AdministratorsOnly):
    """Accounts, without anything of their passwords."""

    list_display = ["username", "first_name", "last_name", "sis_id", "is_active", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["username", "first_name", "last_name", "email", "sis_id"]
    fields = [
        *("username", "first_name", "last_name", "email", "sis_id"),
        *("is_active", "is_staff", "is_superuser", "last_login", "date_joined"),
    ]
    readonly_fields = ["last_login", "date_joined"]
    list_per_page = 50

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: ANN401, FBT001 (its signature)
        """Leave a new account without a password: a sign-in link gives it one."""
        if not change:
            obj.set_unusable_password()
        obj.sis_id = obj.sis_id or None
        super().save_model(request, obj, form, change)


@admin.register(Cohort)
class CohortAdmin(AdministratorsOnly):
    """Cohorts."""

    list_display = ["name", "slug", "time_zone"]
    search_fields = ["name", "slug"]
    filter_horizontal = ["sessions"]


@admin.register(Enrolment)
class EnrolmentAdmin(AdministratorsOnly):
    """Places; who makes someone another's learner by hand does not make their links by that."""

    list_display = ["user", "cohort", "role", "track", "joined_at", "left_at"]
    list_filter = ["role", "cohort"]
    list_select_related = ["user", "cohort"]
    search_fields = ["user__username", "user__last_name", "user__sis_id", "cohort__slug"]
    autocomplete_fields = ["user", "cohort"]
    readonly_fields = ["made_account"]
    list_per_page = 50


@admin.register(Invitation)
class InvitationAdmin(AdministratorsOnly):
    """Which sign-in links were made, for whom, by whom: to look at only."""

    list_display = ["made_at", "user", "way", "made_by"]
    list_filter = ["way"]
    list_select_related = ["user", "made_by"]
    search_fields = ["user__username", "made_by__username"]
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: rows come from making links."""
        del request
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: it is a record."""
        del request, obj
        return False
