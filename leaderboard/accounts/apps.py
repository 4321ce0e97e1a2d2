"""Registers the accounts app."""

from __future__ import annotations

from django.apps import AppConfig

from datasets.site.navigation import Contribution


class AccountsConfig(AppConfig):
    name = "leaderboard.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    site = Contribution(corner="accounts/corner.html")
