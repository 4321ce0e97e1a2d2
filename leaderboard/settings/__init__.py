"""Settings by concern, all from environment variables, with safe defaults and no secret in the repository.

Importing them needs neither a database nor a broker nor a secret key; the web server refuses to start without
a key (``leaderboard.checks``).
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final
from urllib.parse import unquote

import structlog
from structlog.typing import EventDict, WrappedLogger

from leaderboard.common.connections import connection_class
from leaderboard.settings.environment import (
    BASE_DIR,
    MOST_DAYS,
    address,
    board_sizes,
    broker,
    choice,
    database,
    dataset_pairs,
    ending,
    flag,
    folder,
    mail_server,
    names,
    origins,
    positive,
    public_origin,
    rate,
    server,
    shared_cache,
    text,
)
from optarena import limits
from optarena.limits import LEAST_REPLAY_MEMORY_BYTES, MAX_SUBMISSION_BYTES, REPLAY_MEMORY_BYTES
from optarena.measuring.blocks import BLOCKS
from optarena.measuring.estimates import LEAST_BLOCKS
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
    "leaderboard.common.middleware.HttpsMiddleware",
    "leaderboard.common.middleware.RequestContextMiddleware",
    "leaderboard.common.kept_answers.CompressionMiddleware",
    "leaderboard.common.storage.StaticFilesMiddleware",
    "leaderboard.common.middleware.SecurityHeadersMiddleware",
    "leaderboard.common.middleware.ReadingMiddleware",
    "leaderboard.common.middleware.PlainAddressMiddleware",
    "leaderboard.common.middleware.RequestBodyMiddleware",
    "leaderboard.common.middleware.OutageMiddleware",
    "leaderboard.common.kept_answers.KeptAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "leaderboard.common.middleware.HostMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "leaderboard.common.middleware.KnownParametersMiddleware",
    "leaderboard.common.middleware.AllowedMethodsMiddleware",
]

ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"

TIME_ZONE = "UTC"
USE_I18N = False

OPTARENA_BOARD_DATASETS = dataset_pairs("OPTARENA_BOARD_DATASETS")
OPTARENA_BOARD_PROGRAMS = board_sizes("OPTARENA_BOARD_PROGRAMS")
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
OPTARENA_DIFFERENCE_DAYS = positive("OPTARENA_DIFFERENCE_DAYS", 30, most=MOST_DAYS)
OPTARENA_DIFFERENCES_KEPT = positive("OPTARENA_DIFFERENCES_KEPT", 5_000)
OPTARENA_FIRST_BLOCKS = positive("OPTARENA_FIRST_BLOCKS", BLOCKS, least=LEAST_BLOCKS)
OPTARENA_ROUND_SECONDS = positive("OPTARENA_ROUND_SECONDS", 604_800, most=MOST_DAYS * 86_400)
OPTARENA_IDLE_PRESSURE = positive("OPTARENA_IDLE_PRESSURE", 25, most=100)
OPTARENA_IDLE_WAIT_SECONDS = positive("OPTARENA_IDLE_WAIT_SECONDS", 120)
OPTARENA_REPLAY_MEMORY_MB = positive(
    "OPTARENA_REPLAY_MEMORY_MB", REPLAY_MEMORY_BYTES >> 20, least=LEAST_REPLAY_MEMORY_BYTES >> 20
)
OPTARENA_WORKER_SETTLES = flag("OPTARENA_WORKER_SETTLES", default=True)
OPTARENA_BLOB_URL = server("OPTARENA_BLOB_URL")
OPTARENA_BLOB_ROOT = folder("OPTARENA_BLOB_ROOT", BASE_DIR / ".optarena" / "blobs")
OPTARENA_DATA_ROOT = folder("OPTARENA_DATA_ROOT", BASE_DIR / ".optarena" / "data")
OPTARENA_EXPORT_SECONDS = positive("OPTARENA_EXPORT_SECONDS", 86_400, least=0)
OPTARENA_PUZZLES = flag("OPTARENA_PUZZLES", default=True)
OPTARENA_MINIMISE = flag("OPTARENA_MINIMISE", default=True)
OPTARENA_DISK_FLOOR_MB = positive("OPTARENA_DISK_FLOOR_MB", 200)
# The embedded server's supervisor names there the processes that it no longer starts.
OPTARENA_GIVEN_UP = text("OPTARENA_GIVEN_UP")


REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "leaderboard.accounts.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["leaderboard.common.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "leaderboard.common.pagination.CursorPagination",
    "DEFAULT_SCHEMA_CLASS": "leaderboard.common.openapi.ProblemAutoSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "leaderboard.common.problems.exception_handler",
    "NUM_PROXIES": positive("OPTARENA_NUM_PROXIES", 0, least=0),
    "PAGE_SIZE": limits.PAGE_SIZE,
    "DEFAULT_THROTTLE_RATES": {
        "signup": rate("OPTARENA_THROTTLE_SIGNUP", "20/hour"),
        "login": rate("OPTARENA_THROTTLE_LOGIN", "20/min"),
        "guess": rate("OPTARENA_THROTTLE_GUESS", "60/hour"),
        "reset": rate("OPTARENA_THROTTLE_RESET", "20/hour"),
        "mail": rate("OPTARENA_THROTTLE_MAIL", "5/hour"),
        "check": rate("OPTARENA_THROTTLE_CHECK", "120/min"),
        "study": rate("OPTARENA_THROTTLE_STUDY", "60/hour"),
        "play": rate("OPTARENA_THROTTLE_PLAY", "600/hour"),
        "visitor_play": rate("OPTARENA_THROTTLE_VISITOR_PLAY", "60/hour"),
        "upload": rate("OPTARENA_THROTTLE_UPLOAD", "300/min"),
    },
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105 - a model's name
# Our token replaces knox's own, whose table would otherwise exist unused and break the tests' clean-up.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=positive("OPTARENA_TOKEN_DAYS", 90, most=MOST_DAYS)),
    "TOKEN_MODEL": KNOX_TOKEN_MODEL,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "OptArena",
    "DESCRIPTION": (
        "Benchmark datasets, environments and verified leaderboards for compiler-optimisation agents. "
        "Every error is a problem document (RFC 9457, `application/problem+json`). "
        "Lists are pages of `{next, previous, results}`. Authenticate with `Authorization: Bearer <token>`."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATION_PARAMETERS": False,
}


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
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A replay goes on while the broker is away: its row is leased in PostgreSQL, so nobody else can take it.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_HIJACK_ROOT_LOGGER = False


_DAY = 86_400


def _database() -> dict[str, Any]:
    config = database("OPTARENA_DATABASE_URL", "postgres:///optarena")
    # The folder of a Unix socket is percent-encoded in the place of the URL's host.
    config["HOST"] = unquote(str(config["HOST"]))
    config["CONN_MAX_AGE"] = 0
    config["CONN_HEALTH_CHECKS"] = True
    pool: dict[str, Any] = {
        "min_size": 1,
        "max_size": positive("OPTARENA_DATABASE_POOL_SIZE", 8),
        "timeout": positive("OPTARENA_DATABASE_WAIT_SECONDS", 20),
        # The pool doubles its waits while the database is away; giving up early resets them.
        "reconnect_timeout": 2,
    }
    # What a connection has sent five times is prepared: to plan it takes longer than to answer it.
    prepared = {"server_side_binding": True, "prepare_threshold": 5}
    # The URL's own parameters stay, such as sslmode.
    options: dict[str, Any] = {**prepared, **config.get("OPTIONS", {}), "pool": pool}
    if patience := positive("OPTARENA_DATABASE_ANSWER_SECONDS", 0, least=0, most=_DAY):
        pool["connection_class"] = connection_class(patience, check_seconds=pool["timeout"])
        options.setdefault("connect_timeout", patience)
        # What its client has given up must not go on: it would keep one of the server's connections.
        limit = f"-c statement_timeout={1000 * (patience + 1)}"
        options["options"] = f"{limit} {options.get('options', '')}".rstrip()
    return {**config, "OPTIONS": options}


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


# The token in the address of a new password is as good as the password.
_RESET: Final = re.compile(r"(/accounts/reset/)[^/\s]+/[^/\s]+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LINES: Final = frozenset({"exception", "stack"})  # Tracebacks, which have lines.


def plain(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:  # noqa: ARG001 - as structlog calls it
    # A path that a client sends may have secrets or control characters.
    for key, value in event.items():
        if isinstance(value, str):
            text = _RESET.sub(r"\1***", value)
            event[key] = text if key in _LINES else _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
    return event


_LEVEL = choice("OPTARENA_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    plain,
]
_RENDERER: Any = (
    structlog.processors.JSONRenderer()
    if OPTARENA_LOG_FORMAT == "json"
    else structlog.dev.ConsoleRenderer(colors=False)
)

structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, _RENDERER],
            "foreign_pre_chain": _SHARED,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["stderr"], "level": _LEVEL},
    "loggers": {
        "django": {"level": _LEVEL, "handlers": [], "propagate": True},
        # One line for each request is written by our middleware, with the time it took.
        # A full queue is answered, and counted, by our web server.
        "waitress.queue": {"level": "ERROR", "handlers": [], "propagate": True},
        # A traceback for each request that names another host; the line of the request says enough.
        "django.security.DisallowedHost": {"level": "CRITICAL", "handlers": [], "propagate": True},
        "django.server": {"level": "WARNING", "handlers": [], "propagate": True},
    },
}


_SERVER = mail_server("OPTARENA_EMAIL_URL", "consolemail://")

EMAIL_BACKEND = _SERVER["EMAIL_BACKEND"]
EMAIL_HOST = _SERVER["EMAIL_HOST"]
EMAIL_PORT = _SERVER["EMAIL_PORT"]
EMAIL_HOST_USER = _SERVER["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = _SERVER["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = _SERVER.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _SERVER.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = text("OPTARENA_EMAIL_FROM", "OptArena <optarena@localhost>")
PASSWORD_RESET_TIMEOUT = 60 * positive("OPTARENA_RESET_MINUTES", 60)


# Empty means absent: the web server refuses to start (leaderboard.checks); a worker signs nothing.
SECRET_KEY = text("OPTARENA_SECRET_KEY")
SECRET_KEY_FALLBACKS = names("OPTARENA_SECRET_KEY_FALLBACKS")
# Empty means that there is no /metrics.
OPTARENA_METRICS_TOKEN = text("OPTARENA_METRICS_TOKEN")
ALLOWED_HOSTS = names("OPTARENA_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = origins("OPTARENA_CSRF_TRUSTED_ORIGINS")
# Of links in messages: whoever has one sent chooses the headers of the request. Empty means not known.
OPTARENA_PUBLIC_URL = public_origin("OPTARENA_PUBLIC_URL", CSRF_TRUSTED_ORIGINS)

_PUBLIC_HTTPS = any(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS)
OPTARENA_HTTPS = flag("OPTARENA_HTTPS", default=_PUBLIC_HTTPS)

SESSION_COOKIE_SECURE = OPTARENA_HTTPS
CSRF_COOKIE_SECURE = OPTARENA_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "leaderboard.common.problems.csrf_failure"
SECURE_SSL_REDIRECT = OPTARENA_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = positive("OPTARENA_HSTS_SECONDS", 31_536_000) if OPTARENA_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = OPTARENA_HTTPS
# Preloading is a promise to browsers for the whole domain, which is the operator's to make. The other check
# does not see that `HttpsMiddleware` is Django's.
SILENCED_SYSTEM_CHECKS = ["security.W001", "security.W021"]
# Only behind a proxy that always sets the header; believing a client's would undo the redirect.
if flag("OPTARENA_TRUST_FORWARDED_PROTO", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Pages of other origins read the API, as nobody. Where outsiders cannot reach the server, that is too much.
OPTARENA_CROSS_ORIGIN = flag("OPTARENA_CROSS_ORIGIN", default=True)

# A page may send a whole submission as a form, whose encoding adds a little.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_SUBMISSION_BYTES + 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]


TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

STATIC_URL = "/static/"
STATIC_ROOT = folder("OPTARENA_STATIC_ROOT", BASE_DIR / "staticfiles")
# Without `collectstatic` the files are served from the apps, under their plain names.
WHITENOISE_USE_FINDERS = True

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "blobs": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": OPTARENA_BLOB_ROOT, "base_url": None, "directory_permissions_mode": 0o755},
    },
    "staticfiles": {"BACKEND": "leaderboard.common.storage.StaticStorage"},
}

# Where nginx serves the blobs' folder to itself (`internal`); empty where this process sends them.
OPTARENA_ACCEL_PREFIX = address("OPTARENA_ACCEL_PREFIX")

# Where all of the source is, for the menu; empty where only the files that the manual names are shown.
OPTARENA_SOURCE_URL = server("OPTARENA_SOURCE_URL")

# Counts of attempts, shared by all web processes. They may be lost, and so they are beside the broker.
CACHES = {"default": shared_cache(), "local": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "/submissions/?mine=1"
LOGOUT_REDIRECT_URL = "/"
