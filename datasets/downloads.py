"""Serves a blob over HTTP: ETag, If-None-Match, single byte ranges, and caching for ever."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag

from datasets import blobs

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from datasets.models import Blob

_RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)")
_FOREVER: Final = "public, max-age=31536000, immutable"


def immutable_response(request: HttpRequest, blob: Blob, *, filename: str) -> HttpResponseBase:
    """The bytes of a blob, the part of them that was asked for, or 304."""
    etag = quote_etag(blob.sha256)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return _with_headers(unchanged, blob)
    asked = _asked_range(request, blob.size_bytes, etag)
    if asked is None:
        response = HttpResponse(blobs.read(blob), content_type=blob.media_type)
    elif asked.start >= asked.stop:
        response = HttpResponse(status=416, headers={"Content-Range": f"bytes */{blob.size_bytes}"})
        return _with_headers(response, blob)
    else:
        part = blobs.read(blob)[asked.start : asked.stop]
        response = HttpResponse(part, status=206, content_type=blob.media_type)
        response["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{blob.size_bytes}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=filename) or ""
    return _with_headers(response, blob)


def _with_headers(response: HttpResponseBase, blob: Blob) -> HttpResponseBase:
    response["ETag"] = quote_etag(blob.sha256)
    response["Cache-Control"] = _FOREVER
    response["Accept-Ranges"] = "bytes"
    return response


def _asked_range(request: HttpRequest, size: int, etag: str) -> range | None:
    """The range asked for, empty if it cannot be satisfied; None if the whole is to be sent."""
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = match.groups()
    if first:
        stop = min(int(last) + 1, size) if last else size
        return range(int(first), stop) if int(first) < size else range(0)
    return range(max(0, size - int(last)), size) if last else None
