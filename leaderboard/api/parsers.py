"""Parsers that pass the body on unread: the services read it, whether it comes from API or form."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from rest_framework.parsers import BaseParser

from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Mapping


class RawBody(BaseParser):
    """Reads at most one byte more than allowed, which is enough to see that a body is too large."""

    def parse(  # type: ignore[override] # the stubs know only parsers that parse
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002 - the framework's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - as above
    ) -> bytes:
        """Read it."""
        return stream.read(limits.MAX_SUBMISSION_BYTES + 1)


class RawJson(RawBody):
    """A JSON body."""

    media_type = "application/json"


class RawCsv(RawBody):
    """A CSV body."""

    media_type = "text/csv"
