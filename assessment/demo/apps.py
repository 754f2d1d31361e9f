"""The demo's place in Django."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DemoConfig(AppConfig):
    """Serves the whole service from one command, with sample learners."""

    name = "assessment.demo"
    label = "demo"
    verbose_name = _("Demo")
