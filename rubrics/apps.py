"""The app of rubrics."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    """Rubrics, criteria and scales."""

    name = "rubrics"
    verbose_name = _("Rubrics")
