"""Thin views of datasets: find, and show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import selectors
from datasets.api.filters import BenchmarkFilter, DatasetFilter
from datasets.api.finding import get_benchmark, get_version
from datasets.api.serializers import (
    BenchmarkDetailSerializer,
    BenchmarkSerializer,
    DatasetDetailSerializer,
    DatasetSerializer,
)
from datasets.models import Benchmark, DatasetVersion

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request


@extend_schema_view(get=extend_schema(operation_id="datasets", tags=["datasets"]))
class DatasetListView(generics.ListAPIView[DatasetVersion]):
    """All dataset versions except deprecated ones, which `?deprecated=true` adds."""

    serializer_class = DatasetSerializer
    cursor_ordering = "name"
    filterset_class = DatasetFilter

    def get_queryset(self) -> QuerySet[DatasetVersion]:
        """Every version, with its kind, its number of benchmarks and its size."""
        return selectors.dataset_versions().defer("manifest", "statistics")


class DatasetView(APIView):
    """One dataset version."""

    @extend_schema(operation_id="dataset", tags=["datasets"], responses=DatasetDetailSerializer)
    def get(self, request: Request, name: str) -> Response:
        """A dataset version, its licence, its statistics and the toolchain that made it."""
        serializer = DatasetDetailSerializer(get_version(name), context={"request": request})
        return Response(serializer.data)


@extend_schema_view(get=extend_schema(operation_id="benchmarks", tags=["datasets"]))
class BenchmarkListView(generics.ListAPIView[Benchmark]):
    """The benchmarks of a dataset version, in its own order."""

    serializer_class = BenchmarkSerializer
    cursor_ordering = "position"
    filterset_class = BenchmarkFilter

    def get_queryset(self) -> QuerySet[Benchmark]:
        """The benchmarks with their baselines."""
        if getattr(self, "swagger_fake_view", False):
            return Benchmark.objects.none()
        version = get_version(self.kwargs["name"])
        self.request.dataset_version = version  # type: ignore[attr-defined] # for the filters, which only get the request
        return selectors.benchmarks_of(version).defer("source", "description")


class BenchmarkView(APIView):
    """One benchmark."""

    @extend_schema(operation_id="benchmark", tags=["datasets"], responses=BenchmarkDetailSerializer)
    def get(self, request: Request, name: str, path: str) -> Response:
        """A benchmark with its baselines, workloads and source; a member of a range with the range's ends."""
        found = get_benchmark(name, path)
        is_member = found.kind == Benchmark.Kind.PARAMETRIC and path != found.name
        member = selectors.member_in_dataset(found, path) if is_member else None
        context = {"request": request, "member": member}
        return Response(BenchmarkDetailSerializer(found, context=context).data)
