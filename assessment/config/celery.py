"""The Celery application: the broker only carries wake-ups, the database is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")

app = Celery("firstbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
