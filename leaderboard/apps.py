"""Registers the leaderboard app, its signal receivers and its system checks."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Boards, submissions and standings."""

    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what works by being imported; models are loaded by now and not before."""
        for module in ("leaderboard.checks", "leaderboard.receivers"):
            importlib.import_module(module)
