"""The settings of a server that hosts datasets and has nothing else of the project."""

from __future__ import annotations

import json
import os

SECRET_KEY = "only-for-tests"  # noqa: S105 - it signs nothing
ALLOWED_HOSTS = ["testserver"]
USE_TZ = True
INSTALLED_APPS = [
    "datasets",
    "datasets.site",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_filters",
    "drf_spectacular",
    "rest_framework",
]
ROOT_URLCONF = "alone_urls"
STATIC_URL = "/static/"
DATABASES = {"default": json.loads(os.environ["ALONE_DATABASE"])}
STORAGES = {
    "blobs": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": os.environ["ALONE_BLOBS"]},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request"],
        },
    }
]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "UNAUTHENTICATED_USER": None,
}
OPTARENA_ACCEL_PREFIX = ""
