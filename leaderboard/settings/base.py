"""The parts of the project: apps, middleware, languages, and a few general switches."""

from __future__ import annotations

from leaderboard.settings.environment import (
    BASE_DIR,
    choice,
    dataset_pairs,
    days,
    ending,
    flag,
    folder,
    percentage,
    positive,
    server,
    text,
)
from optarena.limits import LEAST_REPLAY_MEMORY_BYTES, REPLAY_MEMORY_BYTES
from optarena.specs import device_specs

DEBUG = flag("OPTARENA_DJANGO_DEBUG", default=False)

INSTALLED_APPS = [
    "leaderboard",
    "leaderboard.accounts",
    "runner",
    "datasets",
    "datasets.site",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "leaderboard.common.middleware.RequestContextMiddleware",
    "leaderboard.common.storage.StaticFilesMiddleware",
    "leaderboard.common.middleware.SecurityHeadersMiddleware",
    "leaderboard.common.api_middleware.ReadingMiddleware",
    "leaderboard.common.middleware.PlainAddressMiddleware",
    "leaderboard.common.middleware.RequestSizeLimitMiddleware",
    "leaderboard.common.middleware.OutageMiddleware",
    "leaderboard.common.kept_answers.KeptAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "leaderboard.common.middleware.HostMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "leaderboard.common.api_middleware.KnownParametersMiddleware",
]

ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

OPTARENA_BOARD_DATASETS = dataset_pairs("OPTARENA_BOARD_DATASETS")
OPTARENA_HARDWARE_CLASS = text("OPTARENA_HARDWARE_CLASS", "x86_64-cpu")
OPTARENA_HARDWARE_CLASSES = {
    device.name: ending(
        f"OPTARENA_{device.name.upper()}_HARDWARE_CLASS", f"x86_64-{device.name}", f"-{device.name}"
    )
    for device in device_specs()
}
OPTARENA_LOG_FORMAT = choice("OPTARENA_LOG_FORMAT", "console", ("console", "json"))
OPTARENA_KEPT_ANSWERS_SECONDS = positive("OPTARENA_KEPT_ANSWERS_SECONDS", 2, least=0)
OPTARENA_LEASE_SECONDS = positive("OPTARENA_LEASE_SECONDS", 60)
OPTARENA_HEARTBEAT_SECONDS = positive("OPTARENA_HEARTBEAT_SECONDS", 15)
OPTARENA_CALIBRATION_SECONDS = positive("OPTARENA_CALIBRATION_SECONDS", 86_400, least=0)
OPTARENA_BUDGET_SECONDS = positive("OPTARENA_BUDGET_SECONDS", 14_400)
OPTARENA_BUDGET_HOURS = positive("OPTARENA_BUDGET_HOURS", 24)
OPTARENA_SWEEP_SECONDS = positive("OPTARENA_SWEEP_SECONDS", 30)
OPTARENA_REPEAT_DAILY = positive("OPTARENA_REPEAT_DAILY", 20, least=0)
OPTARENA_DIFFERENCE_DAYS = days("OPTARENA_DIFFERENCE_DAYS", 30)
OPTARENA_DIFFERENCES_KEPT = positive("OPTARENA_DIFFERENCES_KEPT", 5_000)
OPTARENA_IDLE_PRESSURE = percentage("OPTARENA_IDLE_PRESSURE", 25)
OPTARENA_IDLE_WAIT_SECONDS = positive("OPTARENA_IDLE_WAIT_SECONDS", 120)
OPTARENA_REPLAY_MEMORY_MB = positive(
    "OPTARENA_REPLAY_MEMORY_MB", REPLAY_MEMORY_BYTES >> 20, least=LEAST_REPLAY_MEMORY_BYTES >> 20
)
OPTARENA_WORKER_SETTLES = flag("OPTARENA_WORKER_SETTLES", default=True)
OPTARENA_BLOB_URL = server("OPTARENA_BLOB_URL")
OPTARENA_BLOB_ROOT = folder("OPTARENA_BLOB_ROOT", BASE_DIR / ".optarena" / "blobs")
OPTARENA_DISK_FLOOR_MB = positive("OPTARENA_DISK_FLOOR_MB", 200)
# The embedded server's supervisor names there the processes that it no longer starts.
OPTARENA_GIVEN_UP = text("OPTARENA_GIVEN_UP")
