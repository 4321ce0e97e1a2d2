"""The WSGI entry point. If a setting lacks that it needs, it refuses to start, before the first request."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

application = get_wsgi_application()

from leaderboard.checks import refuse_unsafe_settings  # noqa: E402 - needs the settings loaded above

refuse_unsafe_settings()
