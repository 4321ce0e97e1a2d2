"""The WSGI entry point. If a setting lacks that it needs, it refuses to start, before the first request."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

application = get_wsgi_application()

from leaderboard.checks import require_public_url, require_secret_key  # noqa: E402 - needs the settings loaded above

require_secret_key()
require_public_url()
