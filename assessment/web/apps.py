"""The frame of every page."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Templates, static files and template tags; no models."""

    name = "assessment.web"
    label = "web"
