"""Keys, hosts, cookies, headers and passwords. Everything is closed unless a variable opens it."""

from __future__ import annotations

from leaderboard.settings.environment import flag, names, origins, positive, text
from optarena.limits import MAX_SUBMISSION_BYTES

# Empty means absent: the web server refuses to start (leaderboard.checks); a worker signs nothing.
SECRET_KEY = text("OPTARENA_SECRET_KEY")
SECRET_KEY_FALLBACKS = names("OPTARENA_SECRET_KEY_FALLBACKS")
# Empty means that there is no /metrics.
OPTARENA_METRICS_TOKEN = text("OPTARENA_METRICS_TOKEN")
ALLOWED_HOSTS = names("OPTARENA_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = origins("OPTARENA_CSRF_TRUSTED_ORIGINS")

_PUBLIC_HTTPS = any(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS)
OPTARENA_HTTPS = flag("OPTARENA_HTTPS", default=_PUBLIC_HTTPS)

SESSION_COOKIE_SECURE = OPTARENA_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = OPTARENA_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "leaderboard.common.errors.csrf_failure"
SECURE_SSL_REDIRECT = OPTARENA_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = positive("OPTARENA_HSTS_SECONDS", 31_536_000) if OPTARENA_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = OPTARENA_HTTPS
# Preloading is a promise to browsers for the whole domain, which is the operator's to make.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Only behind a proxy that always sets the header; believing a client's would undo the redirect.
if flag("OPTARENA_TRUST_FORWARDED_PROTO", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Pages of other origins read the API, as nobody. Where outsiders cannot reach the server, that is too much.
OPTARENA_CROSS_ORIGIN = flag("OPTARENA_CROSS_ORIGIN", default=True)

# A page may send a whole submission as a form, whose encoding adds a little.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_SUBMISSION_BYTES + 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]
