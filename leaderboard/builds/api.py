"""The API of recipes for builds."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.boards.api import find_board
from leaderboard.builds import queries as build_queries
from leaderboard.builds.queries import DEFAULT, FORMATS
from leaderboard.submissions.api import find_item
from leaderboard.submissions.uploads import as_problems
from optarena.deploy.recipe import Recipe
from optarena.errors import InvalidInput
from optarena.specs import unknown_name

_FORMAT: Final = OpenApiParameter(
    "format",
    OpenApiTypes.STR,
    enum=FORMATS,
    default=DEFAULT,
    description="What a build takes; `recipe` is the recipe itself, as `optarena deploy export` reads it.",
)
_SENT: Final = "An archive of a folder; a text for `shell` and `link`; JSON for `recipe`."
_ANSWERS: Final = {
    (200, "application/gzip"): OpenApiResponse(OpenApiTypes.BINARY, _SENT),
    (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, _SENT),
    (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, _SENT),
}


class ExportView(APIView):
    """Sends a recipe in a format that DRF does not know, although it knows the parameter."""

    query_parameters = ("format",)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:  # noqa: ARG002, FBT001, FBT002 - inherited
        """Problems are JSON; a recipe does not need a renderer."""
        renderer = self.get_renderers()[0]
        return renderer, str(renderer.media_type)

    def asked_format(self, request: Request) -> str:
        asked = request.query_params.get("format", DEFAULT)
        if asked not in FORMATS:
            raise unknown_name("format", asked, FORMATS)
        return asked

    def send(self, recipe: Recipe, form: str) -> HttpResponse:
        file = build_queries.export_file(recipe, form)
        named = {"Content-Disposition": f'attachment; filename="{file.name}"'}
        return HttpResponse(file.content, content_type=file.content_type, headers=named)


class ItemExportView(ExportView):
    @extend_schema(operation_id="export_item", parameters=[_FORMAT], responses=_ANSWERS)
    def get(self, request: Request, submission_id: uuid.UUID, position: int) -> HttpResponse:
        """The sequence of a verified item for a build by clang 22: a recipe, or files for a build system."""
        form, item = self.asked_format(request), find_item(submission_id, position)
        with as_problems():
            recipe = build_queries.item_recipe(item, request.user, request.build_absolute_uri)
        return self.send(recipe, form)


class BoardExportView(ExportView):
    @extend_schema(operation_id="export_board", parameters=[_FORMAT], responses=_ANSWERS)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The best sequences of a board that everybody may read, for a build by clang 22.

        On each file clang tries -Oz and at most eight sequences. `link` takes one sequence, that of an item.
        """
        form, board = self.asked_format(request), find_board(slug)
        if form == "link":
            message = "A whole program has one sequence, and this recipe may have several."
            remedy = "Choose another format, or the export of an item."
            raise InvalidInput(message, field="format", value=form, remedy=remedy)
        with as_problems():
            recipe = build_queries.board_recipe(board, request.build_absolute_uri)
        return self.send(recipe, form)
