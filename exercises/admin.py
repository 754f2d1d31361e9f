"""Content in the admin, to look at only: it changes by importing documents."""

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from exercises.models import (
    ClassCheck,
    Concept,
    Exercise,
    ExerciseVersion,
    Field,
    Passage,
    Session,
    Slide,
)


class LookOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # takes none when it runs
    """A list and a page for each row, without any way to change it."""

    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: rows come from an import."""
        del request
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse: an import would not know of it."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse: answers may rest on it."""
        del request, obj
        return False


@admin.register(Session)
class SessionAdmin(LookOnlyAdmin):
    """Sessions."""

    list_display = ["course", "level", "number", "title", "imported_at"]


@admin.register(Exercise)
class ExerciseAdmin(LookOnlyAdmin):
    """Exercises."""

    list_display = ["slug", "title", "current", "retired_at"]
    list_select_related = ["current"]


@admin.register(ExerciseVersion)
class ExerciseVersionAdmin(LookOnlyAdmin):
    """Versions of exercises."""

    list_display = ["exercise", "number", "reference", "attempts", "created_at"]
    list_select_related = ["exercise"]


@admin.register(Passage)
class PassageAdmin(LookOnlyAdmin):
    """Texts of lists."""

    list_display = ["session", "kind", "position", "text"]
    list_filter = ["kind", "session"]
    list_select_related = ["session"]


@admin.register(Concept, ClassCheck, Slide)
class MaterialAdmin(LookOnlyAdmin):
    """Mechanisms, checks and slides."""

    list_display = ["session", "position", "__str__"]
    list_filter = ["session"]
    list_select_related = ["session"]


@admin.register(Field)
class FieldAdmin(LookOnlyAdmin):
    """What learners fill in."""

    list_display = ["version", "position", "name", "kind", "title"]
    list_select_related = ["version"]
