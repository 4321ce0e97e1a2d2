"""Registers the datasets app."""

from __future__ import annotations

from django.apps import AppConfig

from datasets.site.navigation import Contribution, Link


class DatasetsConfig(AppConfig):
    name = "datasets"
    default_auto_field = "django.db.models.BigAutoField"
    site = Contribution(links=(Link(title="Datasets", view="datasets:list", place=20, is_section=True),))
