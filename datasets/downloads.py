"""Serves a blob over HTTP: ETag, If-None-Match, single byte ranges, and how long it may be kept.

The web server reads the storage's file as fast as the client takes it, and needs no thread for it (by WSGI's
file wrapper); or nginx sends it, where ``OPTARENA_ACCEL_PREFIX`` names the location that serves the blobs'
folder to itself.
"""

from __future__ import annotations

import os
import re
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any, Final

from django.conf import settings
from django.http import FileResponse, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag

from datasets import blobs

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from datasets.models import Blob

_RANGE: Final = re.compile(r"(?i:bytes)=([0-9]{0,18})-([0-9]{0,18})")
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_NEVER: Final = "no-store"


def blob_response(
    request: HttpRequest, blob: Blob, *, filename: str, lasting: bool = True, inline: bool = False
) -> HttpResponseBase:
    """The bytes of a blob or the requested part of them; or 304, 412 or 416 without content.

    Args:
        request: The request.
        blob: The bytes.
        filename: The file's name in a browser.
        lasting: Whether the bytes of this address never change.
        inline: Whether a browser shows the bytes, and does not save them as a file.

    Raises:
        BlobDamagedError: The storage lost or changed the bytes.
    """
    etag = quote_etag(blob.sha256)
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = _content(request, blob, etag)
        if response.status_code < HTTPStatus.BAD_REQUEST:
            shown = content_disposition_header(as_attachment=not inline, filename=filename)
            response["Content-Disposition"] = shown or ""
    response["ETag"] = etag
    kept = _FOREVER if lasting else _ASK_AGAIN
    response["Cache-Control"] = kept if response.status_code < HTTPStatus.BAD_REQUEST else _NEVER
    response["Accept-Ranges"] = "bytes"
    return response


def _content(request: HttpRequest, blob: Blob, etag: str) -> HttpResponseBase:
    asked = _asked_range(request, blob.size_bytes, etag)
    if asked is not None and not asked:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{blob.size_bytes}"})
    file = blobs.open_for_download(blob)
    if settings.OPTARENA_ACCEL_PREFIX or request.method == "HEAD":
        file.close()
        return _headers_only(blob)
    sent = range(blob.size_bytes) if asked is None else asked
    file.seek(sent.start)
    part: Any = file if asked is None else FilePart(file, len(sent))
    response = FileResponse(part, content_type=blob.media_type)
    response["Content-Length"] = str(len(sent))
    return _as_part(response, asked, blob)


def _headers_only(blob: Blob) -> HttpResponseBase:
    """An answer whose body nginx sends, or which has none; nginx handles ranges itself."""
    response = HttpResponse(content_type=blob.media_type)
    if settings.OPTARENA_ACCEL_PREFIX:
        response["X-Accel-Redirect"] = f"{settings.OPTARENA_ACCEL_PREFIX}/{blob.storage_key}"
        return response
    response["Content-Length"] = str(blob.size_bytes)
    return response


def _as_part(response: HttpResponseBase, asked: range | None, blob: Blob) -> HttpResponseBase:
    if asked is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{blob.size_bytes}"
    return response


class FilePart:
    """The next ``length`` bytes of an open file, as a file that ends there.

    Args:
        file: Open for reading, at the first byte.
        length: The number of bytes to read.
    """

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
        """The place in the whole file."""
        return self._file.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place in the whole file, or to one counted from the end of the part."""
        if whence == os.SEEK_END:
            return self._file.seek(self._end + offset)
        return self._file.seek(offset, whence)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _asked_range(request: HttpRequest, size: int, etag: str) -> range | None:
    """The requested range, empty if it cannot be satisfied; None to send the whole blob.

    Only GET has ranges (RFC 9110, section 14.2).
    """
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or request.method != "GET" or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = match.groups()
    if first:
        stop = min(int(last) + 1, size) if last else size
        return range(int(first), stop) if int(first) < size else range(0)
    return range(max(0, size - int(last)), size) if last else None
