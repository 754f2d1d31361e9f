"""What administrators set by hand: schools, terms, deadlines, exemptions, courses of LMSs."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import URLField

from assessment.grades.models import (
    Assignment,
    Context,
    Exemption,
    LineItem,
    LtiUser,
    Placement,
    School,
    Term,
)


@admin.register(School)
class SchoolAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Schools."""

    list_display = ["name", "identifier"]


@admin.register(Term)
class TermAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Terms."""

    list_display = ["title", "school", "starts_on", "ends_on", "school_year"]


@admin.register(Placement)
class PlacementAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Which cohort takes place in which term."""

    list_display = ["cohort", "term"]


@admin.register(Assignment)
class AssignmentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """When a cohort was given an exercise, and by when it is due."""

    list_display = ["exercise", "cohort", "assigned_at", "due_at"]
    list_filter = ["cohort"]


@admin.register(Exemption)
class ExemptionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Who is excused from what."""

    list_display = ["enrolment", "exercise", "granted_by", "granted_at", "lifted_at"]
    raw_id_fields = ["enrolment", "granted_by"]


@admin.register(Context)
class ContextAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Which course of an LMS is which cohort."""

    list_display = ["title", "deployment", "cohort", "roster_read_at"]
    readonly_fields = ["memberships_url", "line_items_url", "scopes", "roster_read_at"]


@admin.register(LineItem)
class LineItemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Which column of an LMS takes the scores of which exercise."""

    list_display = ["exercise", "context", "url"]
    formfield_overrides: ClassVar = {URLField: {"assume_scheme": "https"}}


@admin.register(LtiUser)
class LtiUserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Who is who at which LMS."""

    list_display = ["user", "platform", "subject", "linked_at"]
    raw_id_fields = ["user"]
