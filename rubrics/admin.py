"""Rubrics in the admin, to look at only: a version never changes."""

from django.contrib import admin

from exercises.admin import LookOnlyAdmin
from rubrics.models import Criterion, Level, Rubric


@admin.register(Rubric)
class RubricAdmin(LookOnlyAdmin):
    """Rubrics."""

    list_display = ["version", "number", "total", "created_at"]
    list_select_related = ["version"]


@admin.register(Criterion)
class CriterionAdmin(LookOnlyAdmin):
    """Criteria."""

    list_display = ["rubric", "position", "title", "points", "evidence"]
    list_select_related = ["rubric__version"]


@admin.register(Level)
class LevelAdmin(LookOnlyAdmin):
    """Levels of the sessions' scales."""

    list_display = ["scale", "number", "criterion"]
    list_select_related = ["scale__session"]
