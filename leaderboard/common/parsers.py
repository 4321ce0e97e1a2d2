"""Reads JSON bodies strictly. What cannot be read in one way only is the sender's mistake."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser as FrameworkJSONParser

from optarena.documents.loading import load_json

if TYPE_CHECKING:
    from collections.abc import Mapping


class JSONParser(FrameworkJSONParser):
    """The REST framework's parser with our own reading."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - the framework's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - as above
    ) -> Any:  # noqa: ANN401 - whatever JSON holds
        """The document.

        Raises:
            ParseError: It is not a JSON document that can be read in one way only.
        """
        try:
            return load_json(stream.read().decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise ParseError(f"JSON parse error - {error}") from error
