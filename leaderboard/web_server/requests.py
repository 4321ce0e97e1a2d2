"""Reads the head of a request, and answers what is refused without the application."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.encoding import escape_uri_path
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.task import ErrorTask

from leaderboard.common.problem_types import PROBLEM_TYPES, type_for_status
from leaderboard.common.problems import CONTENT_TYPE, document
from leaderboard.common.unavailable import RETRY_SECONDS

if TYPE_CHECKING:
    from leaderboard.common.problem_types import ProblemType


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
    chunked: bool
    content_length: int
    body_rcv: Any
    body_bytes_received: int

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head.

        Raises:
            ParsingError: The head is malformed or ambiguous.
        """
        try:
            super().parse_header(header_plus)
        except TransferEncodingNotImplemented:
            self.headers["TRANSFER_ENCODING"] = "unknown"
        except ValueError as error:  # more digits than Python reads
            raise ParsingError("Content-Length is invalid") from error
        if self.chunked:
            self.headers["TRANSFER_ENCODING"] = "chunked"
        self._check_host()
        if "TRANSFER_ENCODING" in self.headers or self.content_length >= self.adj.max_request_body_size:
            self._leave_body()
        elif self.body_rcv is None:
            self.expect_continue = False

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


class RefusalTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    """Answers a request that the application never sees, with a problem document; then closes."""

    def execute(self) -> None:
        """Answer."""
        kind, detail = _explained(self.request.error)
        problem = document(kind, detail=detail, instance=escape_uri_path(getattr(self.request, "path", "")))
        body = json.dumps(problem).encode()
        self.status = f"{kind.status.value} {kind.status.phrase}"
        self.response_headers.append(("Content-Type", CONTENT_TYPE))
        if kind.id == "unavailable":
            self.response_headers.append(("Retry-After", str(RETRY_SECONDS)))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _explained(error: Any) -> tuple[ProblemType, str]:  # noqa: ANN401 - waitress ships no types
    if isinstance(error, RefusedRequest):
        return PROBLEM_TYPES[error.type_id], error.detail
    return type_for_status(error.code), str(error.body)
