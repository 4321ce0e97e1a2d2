"""The API of releases of step data, and their files."""

from __future__ import annotations

from http import HTTPStatus
from typing import IO, Any

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.api import JSON, PROBLEM, FileView, file_answers
from datasets.fields import Computed, InContext, origin
from datasets.models import Blob
from leaderboard.common.problems import RETRY_SECONDS
from leaderboard.data import queries as data_queries
from optarena.data.releases import METADATA, PARQUET, Release


class ReleaseFileSerializer(serializers.Serializer[Any]):
    """A file of a release: its description in the Croissant format, or a table as Parquet."""

    name = serializers.CharField()
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    url = serializers.URLField()


def _files(release: Release, context: dict[str, Any]) -> list[dict[str, Any]]:
    def address(name: str) -> str:
        return origin(context) + reverse("leaderboard-api:data-file", args=[release.name, name])

    return [{**one._asdict(), "url": address(one.name)} for one in data_queries.release_files(release)]


class ReleaseSerializer(serializers.Serializer[Any]):
    """A release of step data. Its ``sha256`` is that of its description, which has those of the tables.

    ``follows`` names the release before it, whose rows it does not repeat; empty if there is none.
    """

    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    released = serializers.DateField()
    follows = serializers.CharField(allow_blank=True)
    steps = serializers.IntegerField(source="rows")
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    rows = Computed(
        dict[str, int],
        lambda one: {name: table.rows for name, table in one.tables.items()},
        "The number of rows of each table.",
    )
    files = InContext(ReleaseFileSerializer(many=True), _files)
    citation = InContext(
        str,
        lambda one, context: one.cite(origin(context) + reverse("leaderboard:data")).bibtex,
        "An entry for BibTeX.",
    )


class ReleasePageSerializer(serializers.Serializer[Any]):
    """All releases, the newest first, on one page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ReleaseSerializer(many=True)


class ReleaseListView(APIView):
    @extend_schema(operation_id="data", responses=ReleasePageSerializer)
    def get(self, request: Request) -> Response:
        """The releases of step data, the newest first, on one page."""
        page = {"next": None, "previous": None, "results": data_queries.list_releases()}
        return Response(ReleasePageSerializer(page, context={"request": request}).data)


class ReleaseReplacedError(APIException):
    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_detail = "The release is being written anew. Send the same request again."
    wait = RETRY_SECONDS


class ReleaseFileView(FileView):
    @extend_schema(
        operation_id="data_file",
        responses={
            **file_answers([JSON, PARQUET], "The file"),
            (404, PROBLEM): OpenApiResponse(
                OpenApiTypes.OBJECT, "There is no such release, or no such file of it"
            ),
        },
    )
    def get(self, request: Request, release: str, file: str) -> HttpResponseBase:  # noqa: ARG002 - DRF's signature
        """A file of a release, as `files` of the list names it."""
        found = data_queries.find_release(release)
        if found is None:
            raise Http404(f"There is no release {release}; see /api/v1/data/.")
        one = next((one for one in data_queries.release_files(found) if one.name == file), None)
        if one is None:
            raise Http404(f"The release {release} has no file {file}; see /api/v1/data/.")

        def open_file() -> IO[bytes]:
            opened = data_queries.open_file(found, one.name)
            if opened is None:
                raise ReleaseReplacedError
            return opened

        kind = JSON if one.name == METADATA else PARQUET
        blob = Blob(sha256=one.sha256, size_bytes=one.size_bytes, media_type=kind)
        name = f"{release}-{file}"
        return self.send(
            blob, missing="", filename=name, lasting=False, inline=kind == JSON, open_file=open_file
        )
