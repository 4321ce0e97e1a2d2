"""Django project and top app: settings, accounts, boards, submissions, standings, REST API, pages.

It may import every layer below it (runner, datasets, optarena); nothing may import it.
"""

from leaderboard.celery import app as celery_app

__all__ = ("celery_app",)
