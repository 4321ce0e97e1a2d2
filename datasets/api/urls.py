"""Addresses of the dataset endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from datasets.api import views

urlpatterns = [
    path("datasets/", views.DatasetListView.as_view(), name="api-datasets"),
    path("datasets/<str:name>/", views.DatasetView.as_view(), name="api-dataset"),
    path("datasets/<str:name>/benchmarks/", views.BenchmarkListView.as_view(), name="api-benchmarks"),
    path(
        "datasets/<str:name>/benchmarks/<path:path>/bitcode/", views.BitcodeView.as_view(), name="api-bitcode"
    ),
    path("datasets/<str:name>/benchmarks/<path:path>/", views.BenchmarkView.as_view(), name="api-benchmark"),
]
