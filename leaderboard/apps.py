"""Registers the leaderboard app, its signal receivers and its system checks."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

from datasets.site.navigation import Contribution, Link


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"
    site = Contribution(
        links=(
            Link(title="Boards", view="leaderboard:boards", place=10, is_section=True),
            Link(title="Submissions", view="leaderboard:submissions", place=30, is_section=True),
            Link(title="Submit", view="leaderboard:submit", place=40),
            Link(title="Manual", view="manual:index", place=60, is_section=True),
            Link(title="Records", view="leaderboard:records", place=61, is_further=True),
            Link(title="Daily puzzle", view="leaderboard:puzzle", place=60, is_further=True),
            Link(title="Queue", view="leaderboard:queue", place=62, is_further=True),
            Link(title="Step data", view="leaderboard:data", place=63, is_further=True),
            Link(
                title="Environments",
                view="leaderboard:environments",
                place=65,
                is_section=True,
                is_further=True,
            ),
            Link(title="Methodology", view="manual:methodology", place=70, is_further=True),
            Link(title="API", view="docs", place=75, is_section=True, is_further=True),
            Link(title="Source", view="manual:sources", place=80, is_section=True, is_further=True),
        ),
        search="leaderboard:search",
        footer="leaderboard/parts/footer.html",
        benchmark="leaderboard/parts/results.html",
    )

    def ready(self) -> None:
        for module in ("leaderboard.checks", "leaderboard.receivers"):
            importlib.import_module(module)
