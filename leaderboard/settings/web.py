"""Pages: templates, static files, blob storage, cache, and the pages after login and logout."""

from __future__ import annotations

from leaderboard.settings.base import OPTARENA_BLOB_ROOT
from leaderboard.settings.environment import BASE_DIR, address, folder, server, shared_cache

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
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
        "OPTIONS": {
            "location": OPTARENA_BLOB_ROOT,
            "base_url": None,
            "file_permissions_mode": 0o644,
            "directory_permissions_mode": 0o755,
        },
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
