"""The API of datasets, their benchmarks and files.

A blob is served with ETag, If-None-Match, single byte ranges, and how long it may be kept. The web server
reads the storage's file as fast as the client takes it, and needs no thread for it (by WSGI's file wrapper);
or nginx sends it, where ``OPTARENA_ACCEL_PREFIX`` names the location that serves the blobs' folder to itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import IO, Any, Final

import django_filters
from django.conf import settings
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path as route
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets import selectors as dataset_selectors
from datasets import store
from datasets.fields import Address, Computed, origin
from datasets.loading import MEDIA_TYPE as TAR
from datasets.models import Benchmark, Blob, DatasetVersion, StorageKind
from datasets.store import BlobDamagedError
from optarena import limits
from optarena.datasets import Benchmark as MemberBenchmark
from optarena.datasets.dataset import TEXT, media_types, suffix_of
from optarena.specs import program_formats

_BASELINES: Final = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "number"}},
}


def _is_range(described: DatasetVersion | Benchmark) -> bool:
    return described.kind == Benchmark.Kind.PARAMETRIC


def _range(described: DatasetVersion | Benchmark) -> DatasetVersion | Benchmark | None:
    return described if _is_range(described) else None


def _size(described: DatasetVersion | Benchmark) -> int | None:
    return None if _is_range(described) else described.size_bytes


def _licences(version: DatasetVersion) -> list[str]:
    """Those of the programs, sorted; of programs that are computed, that of the dataset."""
    counts: dict[str, int] | None = version.licence_counts  # type: ignore[attr-defined] # annotated
    return sorted(counts or {version.licence: 1})


def _address(benchmark: Benchmark, path: str) -> str:
    return reverse("api-benchmark", args=[benchmark.version.name, path])


class ParameterSerializer(serializers.Serializer[Any]):
    """The range of a parametric dataset or benchmark, both ends included."""

    min = serializers.IntegerField(source="parameter_min")
    max = serializers.IntegerField(source="parameter_max")


class DatasetSerializer(serializers.Serializer[DatasetVersion]):
    """A dataset version in a list."""

    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    licence = serializers.CharField(help_text="Licence of the dataset's own content")
    licences = Computed(serializers.ListField(child=serializers.CharField()), _licences)
    frozen = serializers.BooleanField()
    kind = serializers.ChoiceField(choices=Benchmark.Kind.choices)
    parameter = Computed(ParameterSerializer(allow_null=True), _range)
    benchmark_count = serializers.IntegerField(
        source="member_count", help_text="Number of benchmarks, members of a range included"
    )
    size_bytes = Computed(serializers.IntegerField(allow_null=True), _size)
    released = serializers.DateField(
        allow_null=True, help_text="The day since which it is frozen, if it is known"
    )
    deprecated = serializers.CharField(
        source="deprecation", help_text="Why it should not be used any more, and its replacement; or empty"
    )
    manifest_sha256 = serializers.CharField()
    url = Address(lambda version: reverse("api-dataset", args=[version.name]), "", OpenApiTypes.URI)
    benchmarks_url = Address(
        lambda version: reverse("api-benchmarks", args=[version.name]), "", OpenApiTypes.URI
    )
    manifest_url = Address(lambda version: reverse("api-manifest", args=[version.name]), "", OpenApiTypes.URI)
    archive_url = Address(
        lambda version: version.archive_blob_id and reverse("api-archive", args=[version.name]),
        "The address of the whole dataset in one file; null for a range, whose members are computed.",
        str | None,
    )


class ChangeSerializer(serializers.Serializer[Any]):
    """One entry of a changelog."""

    version = serializers.CharField()
    date = serializers.CharField()
    text = serializers.CharField()


class DatasetDetailSerializer(DatasetSerializer):
    """A dataset version with its provenance."""

    sha256 = Computed(
        str, lambda version: version.manifest.get("sha256", ""), "Hash over the programs' canonical texts."
    )
    toolchain = Computed(
        {"type": "object", "additionalProperties": {}}, lambda version: version.manifest.get("toolchain", {})
    )
    created_at = serializers.DateTimeField()
    successor = serializers.CharField(help_text="The dataset to use instead of a deprecated one, or empty")
    upstream = Computed(
        str, lambda version: version.manifest.get("upstream", ""), "The dataset's home page, or empty."
    )
    changelog = Computed(ChangeSerializer(many=True), lambda version: version.manifest.get("changelog", []))
    statistics = serializers.DictField(read_only=True)


class WorkloadSerializer(serializers.Serializer[Any]):
    """One run of the program and its expected output."""

    name = serializers.CharField()
    args = serializers.ListField(child=serializers.CharField())
    stdin = serializers.CharField()
    expected_stdout = serializers.CharField()
    exit_code = serializers.IntegerField()
    files = serializers.DictField(
        child=serializers.CharField(),
        help_text="The files that the program may read: content in base 64, by path",
    )


class BenchmarkSerializer(serializers.Serializer[Benchmark]):
    """A benchmark in a list."""

    uri = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    domain = serializers.CharField()
    language = serializers.CharField()
    licence = serializers.CharField()
    kind = serializers.ChoiceField(choices=Benchmark.Kind.choices)
    split = serializers.CharField(help_text="`train`, `validation` or `test`; empty where there is no split")
    tags = serializers.ListField(child=serializers.CharField())
    sha256 = serializers.CharField(
        allow_null=True,
        help_text="Hash of the program; for a range, of its URI and ends; null for a generated member",
    )
    size_bytes = Computed(serializers.IntegerField(allow_null=True), _size)
    run_seconds = serializers.FloatField(allow_null=True)
    parameter = Computed(ParameterSerializer(allow_null=True), _range)
    baselines = Computed(_BASELINES, dataset_selectors.baselines_of)
    url = Address(lambda one: _address(one, one.name), "This benchmark's address in the API.")
    bitcode_url = Address(
        lambda one: one.blob_id and f"{_address(one, one.name)}bitcode/",
        "The address of the program's bytes; null for a range, whose members are computed.",
        str | None,
    )


class BenchmarkDetailSerializer(BenchmarkSerializer):
    """A benchmark with its workloads and source."""

    description = serializers.CharField()
    source = serializers.JSONField()  # type: ignore[assignment] # a field may be called source
    workloads = WorkloadSerializer(
        many=True, allow_null=True, help_text="Null for a generated member, and for a range of these"
    )

    def to_representation(self, instance: Benchmark) -> dict[str, Any]:
        """The row; for a member of a range, with the member's own values."""
        shown: dict[str, Any] = super().to_representation(instance)
        # Nothing is generated for a request: what depends on the program is unknown for such a member.
        if instance.is_generated:
            shown["workloads"] = None
        member: MemberBenchmark | None = self.context.get("member")
        if member is not None:
            shown |= {"uri": member.uri, "name": member.name, "title": member.title, "source": member.source}
            shown |= {"sha256": member.sha256 or None, "size_bytes": member.size_bytes or None}
            shown["url"] = origin(self.context) + _address(instance, member.name)
        return shown


_TEXT: Final = {"type": "string"}
_LISTED: Final = 20


@extend_schema_field(_TEXT)
class FacetFilter(django_filters.ChoiceFilter):  # type: ignore[misc] # django-filter ships no types
    """A text that some benchmark of the dataset has."""


class DatasetFilter(django_filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Hides deprecated versions unless they are requested."""

    deprecated = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        error_messages={"invalid_choice": "The value is neither `true` nor `false`."},
        help_text="`true` lists deprecated versions as well",
    )

    class Meta:
        model = DatasetVersion
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[DatasetVersion]) -> QuerySet[DatasetVersion]:
        asked = self.form.cleaned_data["deprecated"] == "true"
        return queryset if asked else queryset.filter(deprecated="")


class BenchmarkFilter(django_filters.FilterSet):  # type: ignore[misc] # as above
    """Benchmarks of one version by their properties."""

    domain = FacetFilter(help_text="The program's domain")
    language = FacetFilter(help_text="The program's language")
    licence = FacetFilter(help_text="The SPDX identifier of the program's licence")
    split = FacetFilter(help_text="`train`, `validation` or `test`, where the dataset is split")
    kind = django_filters.ChoiceFilter(
        choices=StorageKind.choices,
        error_messages={"invalid_choice": f"The kinds are: {', '.join(StorageKind.values)}."},
    )
    search = django_filters.CharFilter(
        method="find",
        max_length=limits.SEARCH_LENGTH,
        help_text="Part of the name or title, in upper or lower case",
    )

    class Meta:
        model = Benchmark
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - django-filter's own
        super().__init__(*args, **kwargs)
        version: DatasetVersion | None = getattr(self.request, "dataset_version", None)
        if version is None:  # the OpenAPI document is generated without one
            return
        for field, values in dataset_selectors.facets_of(version).items():
            chosen = self.filters[field]
            chosen.extra["choices"] = [(value, value) for value in values]
            known = ", ".join(list(values)[:_LISTED]) or "none"
            chosen.extra["error_messages"] = {
                "invalid_choice": f"No benchmark of {version.name} has this {field}. Use one of: {known}."
            }

    def find(self, rows: QuerySet[Benchmark], _name: str, value: str) -> QuerySet[Benchmark]:
        return dataset_selectors.matching(rows, dataset_selectors.BenchmarkCriteria(search=value))


def get_version(name: str, *related: str) -> DatasetVersion:
    rows = dataset_selectors.dataset_versions()
    found = (rows.select_related(*related) if related else rows).filter(name=name).first()
    if found is None:
        raise Http404(str(dataset_selectors.unknown_dataset(name)))
    return found


def get_benchmark(name: str, path: str) -> Benchmark:
    version = get_version(name)
    found = dataset_selectors.find_in_dataset(version, path)
    if found is None:
        raise Http404(str(dataset_selectors.unknown_benchmark(version, path)))
    return found


@extend_schema_view(get=extend_schema(operation_id="datasets"))
class DatasetListView(generics.ListAPIView[DatasetVersion]):
    """All dataset versions except deprecated ones, which `?deprecated=true` adds."""

    serializer_class = DatasetSerializer
    cursor_ordering = "name"
    filterset_class = DatasetFilter

    def get_queryset(self) -> QuerySet[DatasetVersion]:
        return dataset_selectors.dataset_versions().defer("manifest", "statistics")


class DatasetView(APIView):
    @extend_schema(operation_id="dataset", responses=DatasetDetailSerializer)
    def get(self, request: Request, name: str) -> Response:
        """A dataset version, its licence, its statistics and the toolchain that made it."""
        serializer = DatasetDetailSerializer(get_version(name), context={"request": request})
        return Response(serializer.data)


@extend_schema_view(get=extend_schema(operation_id="benchmarks"))
class BenchmarkListView(generics.ListAPIView[Benchmark]):
    """The benchmarks of a dataset version, in its own order."""

    serializer_class = BenchmarkSerializer
    cursor_ordering = "position"
    filterset_class = BenchmarkFilter
    queryset = Benchmark.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[Benchmark]:
        version = get_version(self.kwargs["name"])
        self.request.dataset_version = version  # type: ignore[attr-defined] # for the filters, which only get the request
        return dataset_selectors.benchmarks_of(version).defer("source", "description")


class BenchmarkView(APIView):
    @extend_schema(operation_id="benchmark", responses=BenchmarkDetailSerializer)
    def get(self, request: Request, name: str, path: str) -> Response:
        """A benchmark with its baselines, workloads and source; a member of a range with the range's ends."""
        found = get_benchmark(name, path)
        is_member = found.kind == Benchmark.Kind.PARAMETRIC and path != found.name
        member = dataset_selectors.member_in_dataset(found, path) if is_member else None
        context = {"request": request, "member": member}
        return Response(BenchmarkDetailSerializer(found, context=context).data)


_RANGE: Final = re.compile(r"(?i:bytes)=([0-9]{0,18})-([0-9]{0,18})")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_NEVER: Final = "no-store"


def blob_response(  # noqa: PLR0913 - all but two by keyword
    request: HttpRequest,
    blob: Blob,
    *,
    filename: str,
    lasting: bool = True,
    inline: bool = False,
    open_file: Callable[[], IO[bytes]] | None = None,
) -> HttpResponseBase:
    """The bytes of a blob or the requested part of them; or 304, 412 or 416 without content.

    ``open_file`` opens a file that is not among the stored blobs.
    """
    etag = quote_etag(blob.sha256)
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = _content(request, blob, etag, open_file)
        if response.status_code < HTTPStatus.BAD_REQUEST:
            shown = content_disposition_header(as_attachment=not inline, filename=filename)
            response["Content-Disposition"] = shown or ""
    response["ETag"] = etag
    kept = _FOREVER if lasting else _ASK_AGAIN
    response["Cache-Control"] = kept if response.status_code < HTTPStatus.BAD_REQUEST else _NEVER
    response["Accept-Ranges"] = "bytes"
    return response


def _content(
    request: HttpRequest, blob: Blob, etag: str, open_file: Callable[[], IO[bytes]] | None
) -> HttpResponseBase:
    asked = _asked_range(request, blob.size_bytes, etag)
    if asked is not None and not asked:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{blob.size_bytes}"})
    file = store.open_for_download(blob) if open_file is None else open_file()
    is_accelerated = settings.OPTARENA_ACCEL_PREFIX and open_file is None
    if is_accelerated or request.method == "HEAD":
        file.close()
        headers = {"Content-Length": str(blob.size_bytes)}
        if is_accelerated:  # nginx sends the body, and handles ranges itself
            headers = {"X-Accel-Redirect": f"{settings.OPTARENA_ACCEL_PREFIX}/{blob.storage_key}"}
        return HttpResponse(content_type=blob.media_type, headers=headers)
    sent = range(blob.size_bytes) if asked is None else asked
    file.seek(sent.start)
    part: Any = file if asked is None else FilePart(file, len(sent))
    response = FileResponse(part, content_type=blob.media_type)
    response["Content-Length"] = str(len(sent))
    if asked is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{blob.size_bytes}"
    return response


class FilePart:
    """The next ``length`` bytes of an open file, as a file that ends there."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file = file
        self._end = file.tell() + length

    def read(self, size: int = -1) -> bytes:
        """The next bytes, none at the end."""
        left = max(0, self._end - self._file.tell())
        return self._file.read(left if size < 0 else min(size, left))

    def seekable(self) -> bool:
        """The server goes back to what a client did not take at once."""
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place in the whole file, or to one counted from the end of the part."""
        if whence == os.SEEK_END:
            return self._file.seek(self._end + offset)
        return self._file.seek(offset, whence)

    def close(self) -> None:
        self._file.close()


def _asked_range(request: HttpRequest, size: int, etag: str) -> range | None:
    """The requested range, empty if it cannot be satisfied; None to send the whole blob (RFC 9110, 14.2)."""
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or request.method != "GET" or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = match.groups()
    if first:
        stop = min(int(last) + 1, size) if last else size
        return range(int(first), stop) if int(first) < size else range(0)
    return range(max(0, size - int(last)), size) if last else None


JSON = "application/json"
PROBLEM = "application/problem+json"
# The headers of a refused download: the reason, and that it must not be cached.
KEPT = ("Accept-Ranges", "Cache-Control", "Content-Range", "ETag")


class PreconditionFailed(APIException):
    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = "The file is not the one that If-Match names."
    default_code = "precondition-failed"


class RangeNotSatisfiable(APIException):
    status_code = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    default_detail = "The requested range lies outside the file."
    default_code = "range-not-satisfiable"


REFUSALS: dict[int, type[APIException]] = {
    int(refusal.status_code): refusal for refusal in (PreconditionFailed, RangeNotSatisfiable)
}


def file_answers(kinds: Iterable[str], what: str) -> dict[Any, OpenApiResponse]:
    # Clients that are generated read the first type that they know: as a text, bytes would be lost.
    ordered = sorted(kinds, key=lambda kind: kind == TEXT)
    types = {kind: OpenApiTypes.OBJECT if kind == JSON else OpenApiTypes.BINARY for kind in ordered}
    part = OpenApiResponse(OpenApiTypes.BINARY, "The requested range of bytes")
    return {
        **{
            (200, kind): OpenApiResponse(type_, f"{what}; its ETag is the sha256")
            for kind, type_ in types.items()
        },
        **{(206, kind): part for kind in types},
        304: OpenApiResponse(description="The copy named by If-None-Match is still current"),
        **{
            (status, PROBLEM): OpenApiResponse(OpenApiTypes.OBJECT, f"{refusal.default_detail}")
            for status, refusal in REFUSALS.items()
        },
    }


def _suffix(benchmark: Benchmark, media: str) -> str:
    # A text that is its own source has the suffix of the source.
    source = benchmark.source
    if media == TEXT and source.get("sha256") == benchmark.sha256:
        known = (one.suffix for one in program_formats())
        return next((one for one in known if str(source.get("path")).endswith(one)), suffix_of(media))
    return suffix_of(media)


class FileView(APIView):
    """Sends a blob, or a problem if the server lost it.

    The answer is the same for everybody, so there is no authentication, and caches may share it.
    """

    authentication_classes = ()
    permission_classes = ()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:  # noqa: ARG002, FBT001, FBT002 - inherited
        """Problems are JSON; a file does not need a renderer."""
        renderer = self.get_renderers()[0]
        return renderer, str(renderer.media_type)

    def send(self, blob: Blob | None, *, missing: str, **how: Any) -> HttpResponseBase:  # noqa: ANN401 - of blob_response
        if blob is None:
            raise Http404(missing)
        try:
            response = blob_response(self.request._request, blob, **how)  # noqa: SLF001 - DRF's only way to the plain request
        except BlobDamagedError as error:
            raise APIException(str(error)) from error
        if response.status_code in REFUSALS:
            # DRF sends these along with the problem.
            self.headers |= {name: response[name] for name in KEPT if name in response}
            raise REFUSALS[response.status_code]
        return response


class BitcodeView(FileView):
    @extend_schema(operation_id="bitcode", responses=file_answers(media_types(), "The program"))
    def get(self, request: Request, name: str, path: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """The program, in the format that its compiler reads. Of a frozen dataset it never changes."""
        benchmark = get_benchmark(name, path)
        suffix = _suffix(benchmark, benchmark.blob.media_type) if benchmark.blob else ""
        filename = f"{name}-{benchmark.name.replace('/', '-')}{suffix}"
        missing = f"{name}/{path} is computed and does not have a stored program."
        lasting = benchmark.version.frozen
        return self.send(benchmark.blob, missing=missing, filename=filename, lasting=lasting)


class ManifestView(FileView):
    @extend_schema(operation_id="manifest", responses=file_answers([JSON], "The manifest"))
    def get(self, request: Request, name: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """The exact bytes of the manifest, or of a range's definition; its sha256 is `manifest_sha256`."""
        version = get_version(name, "manifest_blob")
        return self.send(
            version.manifest_blob,
            missing=f"The manifest of {name} is not stored; an operator must load the dataset again.",
            filename=f"{name}-manifest.json",
            lasting=version.frozen,
            inline=True,
        )


class ArchiveView(FileView):
    @extend_schema(operation_id="archive", responses=file_answers([TAR], "The archive"))
    def get(self, request: Request, name: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """A tar file with the dataset's folder: the manifest and every program."""
        version = get_version(name, "archive_blob")
        return self.send(
            version.archive_blob,
            missing=f"There is no archive of {name}: its programs are computed, or it must be loaded again.",
            filename=f"{name}.tar",
            lasting=version.frozen,
        )


urlpatterns = [
    route("datasets/", DatasetListView.as_view(), name="api-datasets"),
    route("datasets/<str:name>/", DatasetView.as_view(), name="api-dataset"),
    route("datasets/<str:name>/manifest/", ManifestView.as_view(), name="api-manifest"),
    route("datasets/<str:name>/archive/", ArchiveView.as_view(), name="api-archive"),
    route("datasets/<str:name>/benchmarks/", BenchmarkListView.as_view(), name="api-benchmarks"),
    route("datasets/<str:name>/benchmarks/<path:path>/bitcode/", BitcodeView.as_view(), name="api-bitcode"),
    route("datasets/<str:name>/benchmarks/<path:path>/", BenchmarkView.as_view(), name="api-benchmark"),
]
