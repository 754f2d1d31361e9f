"""Clients and tokens are no rows to edit by hand: they have pages of their own, and commands."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest


class Closed(ModelAdmin):  # type: ignore[type-arg]  # takes none when it runs
    """Opens none of the toolkit's tables in Django's administration.

    Its form would show a secret's hash, and store a secret that is typed there as it is.
    """

    def has_module_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 (its signature)
        """List it for nobody."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 (the same)
        """Show no row."""
        return False

    has_add_permission = has_module_permission
    has_change_permission = has_delete_permission = has_view_permission
