"""The addresses of a server that hosts datasets and has nothing else of the project."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("datasets.api")),
    path("", include("datasets.pages")),
]
