"""Registers the app with the shared parts of all pages."""

from __future__ import annotations

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "datasets.site"
