"""Thin views of downloads: programs, manifests, archives. All of them are blobs."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.views import APIView

from datasets.api.finding import get_benchmark, get_version
from datasets.downloads import blob_response
from datasets.errors import BlobDamagedError
from datasets.services.archives import MEDIA_TYPE as TAR
from optarena.datasets.base import TEXT, media_types, suffix_of
from optarena.specs import program_formats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from datasets.models import Benchmark, Blob

JSON = "application/json"
PROBLEM = "application/problem+json"
KEPT = ("Accept-Ranges", "Cache-Control", "Content-Range", "ETag")
"""The headers of a refused download: the reason, and that it must not be cached."""


class PreconditionFailed(APIException):
    """The request's If-Match does not name the file."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = "The file is not the one that If-Match names."
    default_code = "precondition-failed"


class RangeNotSatisfiable(APIException):
    """The requested bytes do not exist."""

    status_code = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    default_detail = "The requested range lies outside the file."
    default_code = "range-not-satisfiable"


REFUSALS: dict[int, type[APIException]] = {
    int(refusal.status_code): refusal for refusal in (PreconditionFailed, RangeNotSatisfiable)
}


def _answers(kinds: Iterable[str], what: str) -> dict[Any, OpenApiResponse]:
    """The answers of a download, for the API's document."""
    types = {kind: OpenApiTypes.OBJECT if kind == JSON else OpenApiTypes.BINARY for kind in kinds}
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
    """The suffix of a program's file: a text that is its own source has that of the source."""
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
        """The blob's bytes.

        Args:
            blob: The blob to send.
            missing: The message if there is none.
            how: Further arguments of ``blob_response``.

        Raises:
            Http404: There is none.
            APIException: Its bytes are lost, or the request's conditions do not hold.
        """
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
    """The program of a stored benchmark."""

    @extend_schema(
        operation_id="bitcode", tags=["datasets"], responses=_answers(media_types(), "The program")
    )
    def get(self, request: Request, name: str, path: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """The program, in the format that its compiler reads. Of a frozen dataset it never changes."""
        benchmark = get_benchmark(name, path)
        suffix = _suffix(benchmark, benchmark.blob.media_type) if benchmark.blob else ""
        filename = f"{name}-{benchmark.name.replace('/', '-')}{suffix}"
        missing = f"{name}/{path} is computed and does not have a stored program."
        lasting = benchmark.version.frozen
        return self.send(benchmark.blob, missing=missing, filename=filename, lasting=lasting)


class ManifestView(FileView):
    """The manifest of a dataset version."""

    @extend_schema(operation_id="manifest", tags=["datasets"], responses=_answers([JSON], "The manifest"))
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
    """A whole dataset version in one file."""

    @extend_schema(operation_id="archive", tags=["datasets"], responses=_answers([TAR], "The archive"))
    def get(self, request: Request, name: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """A tar file with the dataset's folder: the manifest and every program."""
        version = get_version(name, "archive_blob")
        return self.send(
            version.archive_blob,
            missing=f"There is no archive of {name}: its programs are computed, or it must be loaded again.",
            filename=f"{name}.tar",
            lasting=version.frozen,
        )
