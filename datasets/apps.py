"""Registers the datasets app."""

from __future__ import annotations

from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    """Dataset versions, benchmarks and their blobs."""

    name = "datasets"
    default_auto_field = "django.db.models.BigAutoField"
