"""All addresses: the REST API under /api/v1/, the pages, the admin site. Each app has a list of its own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from leaderboard.accounts.web.views import admin_login

urlpatterns = [
    path("", include("leaderboard.common.urls")),
    path("api/v1/", include("leaderboard.accounts.api.urls")),
    # Before the datasets' own, where the path of a benchmark would take the address of its results.
    path("api/v1/", include("leaderboard.api.urls")),
    path("api/v1/", include("datasets.api.urls")),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
    path("", include("leaderboard.accounts.web.urls")),
    path("", include("datasets.web.urls")),
    path("", include("leaderboard.manual.urls")),
    path("", include("leaderboard.web.urls")),
]

handler400 = "leaderboard.common.errors.bad_request"
handler403 = "leaderboard.common.errors.forbidden"
handler404 = "leaderboard.common.errors.not_found"
handler500 = "leaderboard.common.errors.server_error"
