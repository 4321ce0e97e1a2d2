"""Health checks, metrics, the OpenAPI document and its page, and the page that explains problem types."""

from __future__ import annotations

from django.urls import path

from leaderboard.common import health, reference

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("problems/", reference.problems, name="problems"),
    path("api/v1/schema/", reference.SchemaView.as_view(), name="schema"),
    path("api/v1/docs/", reference.api_docs, name="docs"),
]
