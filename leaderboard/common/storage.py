"""Static files: hashed and compressed names once collected, plain names before that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # WhiteNoise ships no types
    """Keeps hashed names only, so that half as many files are compressed.

    It also works in a fresh clone where nothing was collected yet.
    """

    keep_only_hashed_files = True

    def url(self, name: str | None, force: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - inherited
        if not self.hashed_files and name:
            return self.base_url + name if self.base_url else name
        return super().url(name, force)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc] # as above
    """Does not warn about the missing folder in a fresh clone, and knows the ETag of a compressed file."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> Any:  # noqa: ANN401 - inherited
        if known := request.META.get("HTTP_IF_NONE_MATCH"):
            request.META["HTTP_IF_NONE_MATCH"] = known.removeprefix("W/")
        return WhiteNoiseMiddleware.serve(static_file, request)

    def add_files(self, root: str, prefix: str | None = None) -> None:
        if Path(root).is_dir():
            super().add_files(root, prefix)
