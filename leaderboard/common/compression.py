"""Compresses texts for clients that take that: pages, JSON, CSV and files that were not collected yet.

Brotli for what everybody gets, and gzip otherwise. A page that makes a browser repeat requests as its user
could learn a secret from the lengths of the answers (BREACH). Django adds a random length to gzip, so that is
what an answer to somebody gets.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import brotli
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from leaderboard.common.kept_answers import is_of_everybody

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

_TEXT: Final = re.compile(
    r"(?!text/event-stream)text/|image/svg\+xml|application/(.+\+)?(json|yaml|xml|javascript)|application/vnd\.oai"
)
_TAKES_BROTLI: Final = re.compile(r"(?:^|,)\s*br\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))")
_LEAST_BYTES: Final = 200  # As in Django's own middleware.
_QUALITY: Final = 5  # The best that takes no longer than making a page; 6 takes 20 times as long.
_MOST_KEPT: Final = 64  # Answers that visitors have just got, which are given again.
_MOST_BYTES_KEPT: Final = 128 * 1024


class CompressionMiddleware(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        # A download can be resumed, so it is sent as it is stored.
        is_file = response.has_header("Accept-Ranges") or response.has_header("Content-Range")
        if is_file or request.method == "HEAD" or not _TEXT.match(response.get("Content-Type", "")):
            return response
        asked = request.headers.get("Accept-Encoding", "")
        content = getattr(response, "content", b"")
        is_kept = response.has_header("Content-Encoding") or len(content) < _LEAST_BYTES
        if is_kept or not is_of_everybody(request) or not _TAKES_BROTLI.search(asked):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        packed = (_kept if len(content) <= _MOST_BYTES_KEPT else _packed)(content)
        response.content = packed  # type: ignore[attr-defined] # it has a content
        response["Content-Length"] = str(len(packed))
        response["Content-Encoding"] = "br"
        if (etag := response.get("ETag", "")).startswith('"'):  # other bytes
            response["ETag"] = f"W/{etag}"
        return response


def _packed(content: bytes) -> bytes:
    packed: bytes = brotli.compress(content, quality=_QUALITY)
    return packed


_kept = lru_cache(_MOST_KEPT)(_packed)
