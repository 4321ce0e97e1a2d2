"""Addresses of the manual and of the sources that it names."""

from __future__ import annotations

from django.urls import path

from leaderboard.manual import pages as manual_pages

app_name = "manual"
urlpatterns = [
    path("docs/", manual_pages.index, name="index"),
    path("docs/methodology/", manual_pages.chapter, {"slug": "methodology"}, name="methodology"),
    path("docs/<slug:slug>/", manual_pages.chapter, name="chapter"),
    path("source/", manual_pages.sources, name="sources"),
    path("source/<path:path>/", manual_pages.source, name="source"),
]
