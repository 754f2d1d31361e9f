"""Settings, addresses, and the entry points of web server and worker."""

from assessment.config.celery import app as celery_app

__all__ = ["celery_app"]
