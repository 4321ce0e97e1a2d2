"""Reads the head of a request, has the application answer it, or answers itself what is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import Error as DatabaseError
from django.utils.encoding import escape_uri_path
from waitress.channel import ClientDisconnected
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.task import ErrorTask, WSGITask

from leaderboard.common.addresses import PROBE_METHODS, PROBES
from leaderboard.common.problem_types import PROBLEM_TYPES, type_for_status
from leaderboard.common.problems import CONTENT_TYPE, document
from leaderboard.common.unavailable import RETRY_SECONDS, missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from leaderboard.common.problem_types import ProblemType

_VERSIONS: Final = ("1.0", "1.1")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RefusedRequest:
    """Why a request is not given to the application: a key of ``PROBLEM_TYPES``, and the detail."""

    type_id: str
    detail: str


class RequestReader(HTTPRequestParser):  # type: ignore[misc] # waitress ships no types
    """Reads one request, and refuses a head that can be understood in two ways.

    A body that the application refuses by its head alone is left unread: one without a length, or one over
    the limit.
    """

    unread = False
    command = ""
    path = ""
    chunked: bool
    version: str
    content_length: int
    body_rcv: Any
    body_bytes_received: int

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head.

        Raises:
            ParsingError: The head is malformed or ambiguous.
        """
        _check_nul(header_plus)
        try:
            super().parse_header(header_plus)
        except TransferEncodingNotImplemented:
            self.headers["TRANSFER_ENCODING"] = "unknown"
        except ValueError as error:  # more digits than Python reads
            raise ParsingError("Content-Length is invalid") from error
        if self.chunked:
            self.headers["TRANSFER_ENCODING"] = "chunked"
        if self.version not in _VERSIONS:
            raise ParsingError(f"The request's version of HTTP is {self.version[:20]!r}. Use HTTP/1.1.")
        self._check_host()
        if "TRANSFER_ENCODING" in self.headers or self.content_length >= self.adj.max_request_body_size:
            self._leave_body()
        elif self.body_rcv is None:
            self.expect_continue = False

    @property
    def is_probe(self) -> bool:
        """Whether it is a health check."""
        return self.path in PROBES and self.command in PROBE_METHODS and not self.body_bytes_received

    def forget_body(self) -> None:
        """Free the memory of what has been received of the body."""
        self.close()
        self.body_bytes_received = 0

    def _check_host(self) -> None:
        host = self.headers.get("HOST")
        if host is None and self.version == "1.1":
            raise ParsingError(
                "The header Host is missing. HTTP/1.1 requires it: send the name of the server, once."
            )
        if host is not None and "," in host:
            raise ParsingError(f"The header Host is {host[:80]!r}. Send the name of one server, once.")

    def _leave_body(self) -> None:
        self.unread = True
        self.chunked = self.expect_continue = False
        self.content_length = 0
        self.body_rcv = None
        self.headers["CONNECTION"] = "close"


class ApplicationTask(WSGITask):  # type: ignore[misc] # waitress ships no types
    """Has the application answer a request, which may be a stream that loses the database on its way."""

    def set_close_on_finish(self) -> None:
        """Close after the answer.

        Not for the want of a length, as waitress would, where an answer has no body: such as 304 (RFC 9112,
        section 6.3).
        """
        asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asked or self.version == "1.0":
            super().set_close_on_finish()

    def service(self) -> None:
        """Answer; a stream whose database is lost is broken off, or refused where nothing was sent yet."""
        try:
            super().service()
        except DatabaseError as error:
            reason = missing(error)
            if reason is None:
                raise
            self.close_on_finish = True
            if self.wrote_header:
                _log.warning("an answer was broken off", path=self.request.path, reason=reason)
                raise ClientDisconnected from error
            self.request.error = RefusedRequest("unavailable", reason)
            RefusalTask(self.channel, self.request).service()

    def finish(self) -> None:
        """End the answer; to HEAD it has no chunks, so none of them is the last."""
        if self.request.command == "HEAD":
            self.write(b"")
            self.chunked_response = False
        super().finish()


class RefusalTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    """Answers a request that the application never sees, with a problem document; then closes."""

    def execute(self) -> None:
        """Answer."""
        kind, detail = _explained(self.request.error)
        problem = document(kind, detail=detail, instance=escape_uri_path(self.request.path))
        body = json.dumps(problem).encode()
        self.status = f"{kind.status.value} {kind.status.phrase}"
        self.response_headers.append(("Content-Type", CONTENT_TYPE))
        if kind.id == "unavailable":
            self.response_headers.append(("Retry-After", str(RETRY_SECONDS)))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(b"" if self.request.command == "HEAD" else body)


def without_bodies(application: Callable[..., Any]) -> Callable[..., Any]:
    """An application whose answers to HEAD have no body; it is not even made, if it is a stream or a file.

    A client takes what follows the head for the next answer of the connection.
    """

    def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> Any:  # noqa: ANN401 # as WSGI
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return body
        if hasattr(body, "close"):
            body.close()
        return []

    return answer


def _check_nul(head: bytes) -> None:
    for line in head.split(b"\n"):
        if b"\0" in line:
            name = line.partition(b":")[0].decode("latin-1") if b":" in line else "The first line"
            raise ParsingError(f"{name[:80]!r} has a NUL character. Remove it.")


def _explained(error: Any) -> tuple[ProblemType, str]:  # noqa: ANN401 - waitress ships no types
    if isinstance(error, RefusedRequest):
        return PROBLEM_TYPES[error.type_id], error.detail
    return type_for_status(error.code), str(error.body)
