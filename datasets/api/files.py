"""Thin views of what is downloaded: programs, manifests, archives. All are blobs."""

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
from optarena.datasets.media_types import media_types, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

    from datasets.models import Blob

JSON = "application/json"
PROBLEM = "application/problem+json"
KEPT = ("Accept-Ranges", "Cache-Control", "Content-Range", "ETag")
"""The headers of a refused download that say why, and that nobody keeps it."""


class PreconditionFailed(APIException):
    """The request was to be answered for another copy only."""

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
        304: OpenApiResponse(description="The copy named by If-None-Match is still right"),
        **{
            (status, PROBLEM): OpenApiResponse(OpenApiTypes.OBJECT, f"{refusal.default_detail}")
            for status, refusal in REFUSALS.items()
        },
    }


class FileView(APIView):
    """Sends a blob, or says as a problem that the server lost it.

    Everybody gets the same, so nobody is asked who they are: what a cache keeps is for all.
    """

    authentication_classes = ()
    permission_classes = ()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:  # noqa: ARG002, FBT001, FBT002 - inherited
        """Problems are JSON; a file itself needs no renderer."""
        renderer = self.get_renderers()[0]
        return renderer, str(renderer.media_type)

    def send(self, blob: Blob | None, *, missing: str, **how: Any) -> HttpResponseBase:  # noqa: ANN401 - of blob_response
        """The blob's bytes.

        Args:
            blob: What to send.
            missing: Why there may be none.
            how: More arguments of ``blob_response``.

        Raises:
            Http404: There is none.
            APIException: It is known, and its bytes are lost, or not as the request demands.
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
        suffix = suffix_of(benchmark.blob.media_type) if benchmark.blob else ""
        filename = f"{name}-{benchmark.name.replace('/', '-')}{suffix}"
        missing = f"{name}/{path} is computed, and has no stored program."
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
            missing=f"The manifest of {name} is not stored yet; an operator loads the dataset again.",
            filename=f"{name}-manifest.json",
            lasting=version.frozen,
            inline=True,
        )


class ArchiveView(FileView):
    """Everything of a dataset version in one file."""

    @extend_schema(operation_id="archive", tags=["datasets"], responses=_answers([TAR], "The archive"))
    def get(self, request: Request, name: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """A tar with a folder of the manifest and every program: what the dataset's folder holds anywhere."""
        version = get_version(name, "archive_blob")
        return self.send(
            version.archive_blob,
            missing=f"There is no archive of {name}: its programs are computed, or it must be loaded again.",
            filename=f"{name}.tar",
            lasting=version.frozen,
        )
