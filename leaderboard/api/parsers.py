"""Parsers that hand the body on as it came: reading it is the services' work, for every door alike."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from rest_framework.parsers import BaseParser

from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Mapping


class RawBody(BaseParser):
    """The body's bytes, one more than allowed at most, so that too many are noticed and never read."""

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
