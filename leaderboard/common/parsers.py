"""Reads JSON bodies strictly: an ambiguous document is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser as FrameworkJSONParser

from optarena import limits
from optarena.documents.loading import load_json
from optarena.errors import Problem


class NotJson(ParseError):
    """The body is not JSON, or two readers could understand it differently."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errors = (Problem(field="body", message=message, remedy="Send UTF-8 JSON."),)


class JSONParser(FrameworkJSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - the framework's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - as above
    ) -> Any:  # noqa: ANN401 - whatever JSON holds
        try:
            return load_json(stream.read().decode("utf-8-sig"), most=limits.MAX_JSON_NAMES)
        except (ValueError, RecursionError) as error:
            raise NotJson(f"The body is not valid JSON: {error}.") from error
