"""The Celery application: the broker only carries wake-ups, the database is the truth."""

import os
from importlib import import_module

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")

app = Celery("firstbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _prepare_worker(**_more: object) -> None:
    # Only now: it needs Django's settings, and other processes do not need it.
    import_module("assessment.config.one_writer")
