"""The REST API: authentication, problems (RFC 9457), cursor pagination, throttles, OpenAPI document."""

from __future__ import annotations

from datetime import timedelta

from leaderboard.settings.environment import days, positive, rate
from optarena import limits

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
        "reset": rate("OPTARENA_THROTTLE_RESET", "20/hour"),
        "mail": rate("OPTARENA_THROTTLE_MAIL", "5/hour"),
        "check": rate("OPTARENA_THROTTLE_CHECK", "120/min"),
        "study": rate("OPTARENA_THROTTLE_STUDY", "60/hour"),
        "upload": rate("OPTARENA_THROTTLE_UPLOAD", "300/min"),
    },
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105 - a model's name
# Our token replaces knox's own, whose table would otherwise exist unused and break the tests' clean-up.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=days("OPTARENA_TOKEN_DAYS", 90)),
    "TOKEN_LIMIT_PER_USER": None,
    "AUTO_REFRESH": False,
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
