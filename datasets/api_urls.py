"""Addresses of the dataset endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from datasets import api

urlpatterns = [
    path("datasets/", api.DatasetListView.as_view(), name="api-datasets"),
    path("datasets/<str:name>/", api.DatasetView.as_view(), name="api-dataset"),
    path("datasets/<str:name>/manifest/", api.ManifestView.as_view(), name="api-manifest"),
    path("datasets/<str:name>/archive/", api.ArchiveView.as_view(), name="api-archive"),
    path("datasets/<str:name>/benchmarks/", api.BenchmarkListView.as_view(), name="api-benchmarks"),
    path(
        "datasets/<str:name>/benchmarks/<path:path>/bitcode/", api.BitcodeView.as_view(), name="api-bitcode"
    ),
    path("datasets/<str:name>/benchmarks/<path:path>/", api.BenchmarkView.as_view(), name="api-benchmark"),
]
