"""Addresses of the dataset endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from datasets.api import files, views

urlpatterns = [
    path("datasets/", views.DatasetListView.as_view(), name="api-datasets"),
    path("datasets/<str:name>/", views.DatasetView.as_view(), name="api-dataset"),
    path("datasets/<str:name>/manifest/", files.ManifestView.as_view(), name="api-manifest"),
    path("datasets/<str:name>/archive/", files.ArchiveView.as_view(), name="api-archive"),
    path("datasets/<str:name>/benchmarks/", views.BenchmarkListView.as_view(), name="api-benchmarks"),
    path(
        "datasets/<str:name>/benchmarks/<path:path>/bitcode/", files.BitcodeView.as_view(), name="api-bitcode"
    ),
    path("datasets/<str:name>/benchmarks/<path:path>/", views.BenchmarkView.as_view(), name="api-benchmark"),
]
