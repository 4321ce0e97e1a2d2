"""Reads JSON bodies. What the parser of the standard library cannot survive is the sender's mistake."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser as FrameworkJSONParser

if TYPE_CHECKING:
    from collections.abc import Mapping


class JSONParser(FrameworkJSONParser):
    """The REST framework's parser, which answers a body nested too deeply instead of failing."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The document.

        Raises:
            ParseError: It is not valid JSON, or nested deeper than any document of ours.
        """
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - the document is nested too deeply.") from error
