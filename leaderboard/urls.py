"""All addresses: the REST API under /api/v1/, the pages, the admin site. Each app has a list of its own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from leaderboard.accounts.pages import admin_login

urlpatterns = [
    path("", include("leaderboard.common.urls")),
    path("api/v1/", include("leaderboard.accounts.api_urls")),
    # Before the datasets' own, where the path of a benchmark would take the address of its results.
    path("api/v1/", include("leaderboard.site.api_urls")),
    path("api/v1/", include("datasets.api_urls")),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
    path("", include("leaderboard.accounts.page_urls")),
    path("", include("datasets.page_urls")),
    path("", include("leaderboard.manual.urls")),
    path("", include("leaderboard.site.page_urls")),
]

handler400 = "leaderboard.common.problems.bad_request"
handler403 = "leaderboard.common.problems.forbidden"
handler404 = "leaderboard.common.problems.not_found"
handler500 = "leaderboard.common.problems.server_error"
