"""Addresses of the dataset pages."""

from __future__ import annotations

from django.urls import path

from datasets import pages

app_name = "datasets"
urlpatterns = [
    path("datasets/", pages.dataset_list, name="list"),
    path("datasets/<str:name>/", pages.dataset, name="dataset"),
    path("datasets/<str:name>/<path:path>/", pages.benchmark, name="benchmark"),
]
