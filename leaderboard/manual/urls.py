"""Addresses of the manual and of the sources that it names."""

from __future__ import annotations

from django.urls import path

from leaderboard.manual import views

app_name = "manual"
urlpatterns = [
    path("docs/", views.index, name="index"),
    path("docs/methodology/", views.chapter, {"slug": "methodology"}, name="methodology"),
    path("docs/<slug:slug>/", views.chapter, name="chapter"),
    path("source/", views.sources, name="sources"),
    path("source/<path:path>/", views.source, name="source"),
]
