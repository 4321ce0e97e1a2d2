"""Mail, which is optional: without a mail server, messages are written to the web server's output."""

from __future__ import annotations

from leaderboard.settings.environment import mail_server, positive, text

_SERVER = mail_server("OPTARENA_EMAIL_URL", "consolemail://")

EMAIL_BACKEND = _SERVER["EMAIL_BACKEND"]
EMAIL_HOST = _SERVER["EMAIL_HOST"]
EMAIL_PORT = _SERVER["EMAIL_PORT"]
EMAIL_HOST_USER = _SERVER["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = _SERVER["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = _SERVER.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _SERVER.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = text("OPTARENA_EMAIL_FROM", "OptArena <optarena@localhost>")
PASSWORD_RESET_TIMEOUT = 60 * positive("OPTARENA_RESET_MINUTES", 60)
