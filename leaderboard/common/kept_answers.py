"""Keep answers to visitors for seconds, and compress texts for clients that take that.

Kept answers are given again while nothing in the database has changed. PostgreSQL's snapshot names the
transactions that a statement can see. Where it is the same, so is all that an answer shows, except what
depends on the time alone. Any committed change ends everything that was kept. Each web process keeps its own
answers. A page takes 27 to 57 times as long without (``benchmarks/results/web.txt``).

Texts are pages, JSON, CSV and files that were not collected yet. What everybody gets is compressed by Brotli,
and the rest by gzip. A page that makes a browser repeat requests as its user could learn a secret from the
lengths of the answers (BREACH). Django adds a random length to gzip, so an answer to one user gets that.
"""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import brotli
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from leaderboard.common.addresses import PROBES
from leaderboard.common.problems import missing, unavailable

MOST_BYTES: Final = 32 * 1024**2  # Of all answers that a web server keeps.
MOST_BYTES_OF_ONE: Final = 1024**2
BYTES_BESIDE: Final = 1000  # What Python's objects of an answer take, about.
_SNAPSHOT: Final = "SELECT pg_current_snapshot()::text"
_NEVER: Final = PROBES | {"/metrics"}
_OF_ONE_VISITOR: Final = ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_RANGE", "HTTP_IF_RANGE")
# Beginnings of headers that tell of one visitor, or that the view compares with the request's.
_NOT_FOR_EVERYBODY: Final = ("retry-after", "ratelimit", "etag")
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    content: bytes
    headers: tuple[tuple[str, str], ...]
    until: float


class KeptAnswersMiddleware:
    """Answers visitors who send no cookie and no token with what another one has just got."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._kept = _Kept()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        seconds = settings.OPTARENA_KEPT_ANSWERS_SECONDS
        if not seconds or not is_of_everybody(request):
            return self.get_response(request)
        key = _key(request)
        try:
            answer = self._kept.find(key, _snapshot)
        except Error as error:  # no view has begun, which would answer so
            lacking = missing(error)
            if lacking is None:
                raise
            return unavailable(request, lacking)
        if answer is not None:
            return HttpResponse(answer.content, headers=dict(answer.headers))
        seen = _Seen()
        with connection.execute_wrapper(seen):
            response = self.get_response(request)
        if seen.snapshot and isinstance(response, HttpResponse) and _may_be_kept(response):
            headers = tuple(response.headers.items())
            answer = _Answer(response.content, headers, time.monotonic() + seconds)
            self._kept.keep(seen.snapshot, key, answer)
        return response


class _Seen:
    """Takes the snapshot before the first statement of an answer; a page without data needs no database."""

    def __init__(self) -> None:
        self.snapshot: str | None = None

    def __call__(self, execute: Callable[..., object], *arguments: object) -> object:
        if self.snapshot is None:
            self.snapshot = ""  # taking it is a statement, too
            self.snapshot = _snapshot()
        return execute(*arguments)


class _Kept:
    """The answers of one snapshot; those that were not asked for lately go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot = ""
        self._answers: OrderedDict[Key, _Answer] = OrderedDict()
        self._bytes = 0

    # The database is asked only if an answer is kept.
    def find(self, key: Key, snapshot: Callable[[], str]) -> _Answer | None:
        with self._lock:
            answer, kept_at = self._answers.get(key), self._snapshot
        if answer is None or answer.until < time.monotonic() or snapshot() != kept_at:
            return None
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
        return answer

    def keep(self, snapshot: str, key: Key, answer: _Answer) -> None:
        with self._lock:
            if snapshot != self._snapshot:
                if _began(snapshot) < _began(self._snapshot):
                    return  # an answer that took long: the others are newer
                self._answers.clear()
                self._snapshot, self._bytes = snapshot, 0
            if former := self._answers.pop(key, None):
                self._bytes -= _size(key, former)
            self._answers[key] = answer
            self._bytes += _size(key, answer)
            while self._bytes > MOST_BYTES:
                self._bytes -= _size(*self._answers.popitem(last=False))


# What was asked counts, since a visitor may make it long.
def _size(key: Key, answer: _Answer) -> int:
    texts = (*key, *itertools.chain.from_iterable(answer.headers))
    return len(answer.content) + sum(map(len, texts)) + BYTES_BESIDE


def _began(snapshot: str) -> int:
    """The number of the first transaction that had not begun at a snapshot."""
    return int(snapshot.split(":")[1]) if snapshot else 0


def is_of_everybody(request: HttpRequest) -> bool:
    if request.method != "GET" or request.path in _NEVER:
        return False
    return not any(request.META.get(name) for name in _OF_ONE_VISITOR)


# Empty within a transaction, as in tests: its own changes would be invisible in the name.
def _snapshot() -> str:
    if connection.in_atomic_block:
        return ""
    with connection.cursor() as cursor:
        cursor.execute(_SNAPSHOT)
        return str(cursor.fetchone()[0])


def _key(request: HttpRequest) -> Key:
    meta = request.META
    asked = (request.scheme or "", meta.get("HTTP_HOST", ""))
    htmx = sorted(f"{name}:{value}" for name, value in meta.items() if name.startswith("HTTP_HX_"))
    return (*asked, request.path, meta.get("QUERY_STRING", ""), meta.get("HTTP_ACCEPT", ""), *htmx)


def _may_be_kept(response: HttpResponse) -> bool:
    control = response.headers.get("Cache-Control", "")
    return (
        response.status_code == 200  # noqa: PLR2004 # a standard code
        and not response.cookies
        and len(response.content) <= MOST_BYTES_OF_ONE
        and not any(word in control for word in ("no-store", "private"))
        and not any(name.lower().startswith(_NOT_FOR_EVERYBODY) for name in response.headers)
    )


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
