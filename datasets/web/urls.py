"""Addresses of the dataset pages."""

from __future__ import annotations

from django.urls import path

from datasets.web import views

app_name = "datasets"
urlpatterns = [
    path("datasets/", views.dataset_list, name="list"),
    path("datasets/<str:name>/", views.dataset, name="dataset"),
    path("datasets/<str:name>/<path:path>/", views.benchmark, name="benchmark"),
]
