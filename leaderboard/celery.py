"""The Celery application. The broker only wakes workers: PostgreSQL owns the queue and every state."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
# Celery ignores what Django's checks find, but loads every view for them, which takes half a second.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

app = Celery("leaderboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
