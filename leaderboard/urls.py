"""All addresses: the REST API under /api/v1/, the pages, the admin site. Each app has a list of its own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from leaderboard.accounts.pages import admin_login
from leaderboard.common import health, reference

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("problems/", reference.problems, name="problems"),
    path("api/v1/schema/", reference.SchemaView.as_view(), name="schema"),
    path("api/v1/docs/", reference.api_docs, name="docs"),
    path("api/v1/docs/<slug:tag>/", reference.api_docs_of, name="docs-of"),
    path("api/v1/", include("leaderboard.accounts.api")),
    # Before the datasets' own, where the path of a benchmark would take the address of its results.
    path("api/v1/", include("leaderboard.site.api_urls")),
    path("api/v1/", include("datasets.api")),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
    path("", include("leaderboard.accounts.pages")),
    path("", include("datasets.pages")),
    path("", include("leaderboard.manual.pages")),
    path("", include("leaderboard.site.page_urls")),
]

handler400 = "leaderboard.common.problems.bad_request"
handler403 = "leaderboard.common.problems.forbidden"
handler404 = "leaderboard.common.problems.not_found"
handler500 = "leaderboard.common.problems.server_error"
