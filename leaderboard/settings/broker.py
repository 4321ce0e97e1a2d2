"""Celery. The broker carries wake-ups only, so nothing here may be needed for correctness."""

from __future__ import annotations

from leaderboard.settings.environment import broker

_TWELVE_HOURS = 43_200

CELERY_BROKER_URL = broker()
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A broker that refuses writes, because it is full or only reads, must not end the worker.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task's hard limit: a task that runs longer than this would be delivered twice.
    "visibility_timeout": _TWELVE_HOURS,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 3,
    "socket_timeout": 30,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "cpu"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A replay goes on while the broker is away: its row is leased in PostgreSQL, so nobody else can take it.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
