"""Thin views of datasets: find, and show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import selectors
from datasets.api.serializers import (
    BenchmarkDetailSerializer,
    BenchmarkSerializer,
    DatasetDetailSerializer,
    DatasetSerializer,
)
from datasets.downloads import immutable_response
from datasets.models import Benchmark, DatasetVersion
from optarena.datasets.kinds import SUFFIXES

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request


def _version(name: str) -> DatasetVersion:
    found = selectors.find_dataset_version(name)
    if found is None:
        raise Http404(f"There is no dataset {name!r}; see /api/v1/datasets/.")
    return found


def _benchmark(name: str, path: str) -> Benchmark:
    found = selectors.find_in_dataset(_version(name), path)
    if found is None:
        raise Http404(f"The dataset {name!r} has no benchmark {path!r}.")
    return found


@extend_schema_view(get=extend_schema(operation_id="datasets", tags=["datasets"]))
class DatasetListView(generics.ListAPIView[DatasetVersion]):
    """All dataset versions."""

    serializer_class = DatasetSerializer
    cursor_ordering = "name"

    def get_queryset(self) -> QuerySet[DatasetVersion]:
        """Every version, with its kind, its number of benchmarks and its size."""
        return selectors.dataset_versions()


class DatasetView(APIView):
    """One dataset version."""

    @extend_schema(operation_id="dataset", tags=["datasets"], responses=DatasetDetailSerializer)
    def get(self, request: Request, name: str) -> Response:
        """A dataset version, its licence and the toolchain that made it."""
        serializer = DatasetDetailSerializer(_version(name), context={"request": request})
        return Response(serializer.data)


@extend_schema_view(get=extend_schema(operation_id="benchmarks", tags=["datasets"]))
class BenchmarkListView(generics.ListAPIView[Benchmark]):
    """The benchmarks of a dataset version, in its own order."""

    serializer_class = BenchmarkSerializer
    cursor_ordering = "position"
    filterset_fields = ("domain", "language", "kind")

    def get_queryset(self) -> QuerySet[Benchmark]:
        """The benchmarks with their baselines."""
        if getattr(self, "swagger_fake_view", False):
            return Benchmark.objects.none()
        return selectors.benchmarks_of(_version(self.kwargs["name"]))


class BenchmarkView(APIView):
    """One benchmark."""

    @extend_schema(operation_id="benchmark", tags=["datasets"], responses=BenchmarkDetailSerializer)
    def get(self, request: Request, name: str, path: str) -> Response:
        """A benchmark with its baselines, workloads and source; a member of a range with the range's ends."""
        found = _benchmark(name, path)
        is_member = found.kind == Benchmark.Kind.PARAMETRIC and path != found.name
        member = selectors.member_in_dataset(found, path) if is_member else None
        context = {"request": request, "member": member}
        return Response(BenchmarkDetailSerializer(found, context=context).data)


class BitcodeView(APIView):
    """The program of a stored benchmark."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:  # noqa: ARG002, FBT001, FBT002 - inherited
        """Problems are JSON; the program itself needs no renderer."""
        renderer = self.get_renderers()[0]
        return renderer, str(renderer.media_type)

    @extend_schema(
        operation_id="bitcode",
        tags=["datasets"],
        responses={
            **{
                (200, kind): OpenApiResponse(OpenApiTypes.BINARY, "The program; its ETag is the sha256")
                for kind in SUFFIXES
            },
            **{
                (206, kind): OpenApiResponse(OpenApiTypes.BINARY, "The requested range of bytes")
                for kind in SUFFIXES
            },
            304: OpenApiResponse(description="The copy named by If-None-Match is still right"),
            416: OpenApiResponse(description="The requested range lies outside the program"),
        },
    )
    def get(self, request: Request, name: str, path: str) -> HttpResponseBase:
        """The program: LLVM bitcode, or whatever its compiler reads. It never changes: keep it for ever."""
        benchmark = _benchmark(name, path)
        if benchmark.blob is None:
            raise Http404(f"{name}/{path} is computed, and has no stored program.")
        suffix = SUFFIXES.get(benchmark.blob.media_type, "")
        filename = f"{name}-{benchmark.name.replace('/', '-')}{suffix}"
        return immutable_response(request._request, benchmark.blob, filename=filename)  # noqa: SLF001 - DRF's only way to the plain request
