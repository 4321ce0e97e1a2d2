"""Health checks, metrics, the OpenAPI document and its page, and the page that explains problem types."""

from __future__ import annotations

from django.urls import path

from leaderboard.common import health, metrics, views

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("problems/", views.problems, name="problems"),
    path("api/v1/schema/", views.SchemaView.as_view(), name="schema"),
    path("api/v1/docs/", views.api_docs, name="docs"),
]
