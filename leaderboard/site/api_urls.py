"""Addresses below /api/v1/, and the index that lists those that need no key of a row."""

from __future__ import annotations

from typing import Final

from django.urls import include, path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.boards import api as board_api
from leaderboard.builds import api as build_api
from leaderboard.compare import api as comparison_api
from leaderboard.data import api as data_api
from leaderboard.people import api as people_api
from leaderboard.portable import api as portable_api
from leaderboard.puzzles import api as puzzle_api
from leaderboard.records import api as record_api
from leaderboard.runners import api as runner_api
from leaderboard.submissions import api as submission_api

_SUBMISSION: Final = "submissions/<uuid:submission_id>/"
_ITEM: Final = f"{_SUBMISSION}items/<int:position>/"
_ENTRY: Final = "portable/entries/<uuid:entry_id>/"
_NAMED: Final = {
    "across": "leaderboard-api:across-list",
    "boards": "leaderboard-api:boards",
    "compare": "leaderboard-api:compare",
    "data": "leaderboard-api:data",
    "datasets": "api-datasets",
    "environments": "leaderboard-api:environments",
    "limits": "leaderboard-api:limits",
    "me": "api-me",
    "portable": "leaderboard-api:portable",
    "portable_entries": "leaderboard-api:portable-entries",
    "puzzles": "leaderboard-api:puzzles",
    "queue": "leaderboard-api:queue",
    "records": "leaderboard-api:records",
    "runners": "leaderboard-api:runners",
    "signup": "api-signup",
    "submissions": "leaderboard-api:submissions",
    "token": "api-token",
    "validate": "leaderboard-api:validate",
    "schema": "schema",
    "documentation": "docs",
}


class IndexView(APIView):
    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses={
            200: {
                "type": "object",
                "required": list(_NAMED),
                "additionalProperties": {"type": "string", "format": "uri"},
            }
        },
    )
    def get(self, request: Request) -> Response:
        """The addresses of all lists and of what takes no key, by name."""
        return Response({name: request.build_absolute_uri(reverse(view)) for name, view in _NAMED.items()})


_patterns = [
    path("", IndexView.as_view(), name="index"),
    path("limits/", board_api.LimitsView.as_view(), name="limits"),
    path("environments/", board_api.EnvironmentListView.as_view(), name="environments"),
    path("environments/<str:slug>/", board_api.EnvironmentView.as_view(), name="environment"),
    path("queue/", board_api.QueueView.as_view(), name="queue"),
    path("runners/", runner_api.RunnerListView.as_view(), name="runners"),
    path("runners/<int:runner_id>/", runner_api.RunnerView.as_view(), name="runner"),
    path("boards/", board_api.BoardListView.as_view(), name="boards"),
    path("boards/<slug:slug>/", board_api.BoardView.as_view(), name="board"),
    path("boards/<slug:slug>/standings/", board_api.StandingsView.as_view(), name="standings"),
    path("boards/<slug:slug>/standings.csv", board_api.StandingsCsvView.as_view(), name="standings-csv"),
    path("boards/<slug:slug>/programs/", board_api.ProgramsView.as_view(), name="programs"),
    path("boards/<slug:slug>/export/", build_api.BoardExportView.as_view(), name="export-board"),
    path("across/", comparison_api.AcrossListView.as_view(), name="across-list"),
    path("across/<slug:metric>/", comparison_api.AcrossView.as_view(), name="across"),
    path("compare/", comparison_api.CompareView.as_view(), name="compare"),
    path("data/", data_api.ReleaseListView.as_view(), name="data"),
    path("data/<slug:release>/<str:file>", data_api.ReleaseFileView.as_view(), name="data-file"),
    path("portable/", portable_api.PortableBoardListView.as_view(), name="portable"),
    path("portable/entries/", portable_api.PortableSealView.as_view(), name="portable-entries"),
    path(_ENTRY, portable_api.PortableEntryView.as_view(), name="portable-entry"),
    path(f"{_ENTRY}withdraw/", portable_api.PortableWithdrawView.as_view(), name="portable-withdraw"),
    path("portable/<slug:slug>/", portable_api.PortableBoardView.as_view(), name="portable-board"),
    path("puzzles/", puzzle_api.PuzzleListView.as_view(), name="puzzles"),
    path("records/", record_api.RecordListView.as_view(), name="records"),
    path(
        "datasets/<str:name>/benchmarks/<path:path>/results/",
        record_api.BenchmarkResultsView.as_view(),
        name="results",
    ),
    path("users/<str:username>/", people_api.PersonView.as_view(), name="person"),
    path("users/<str:username>/agents/", people_api.AgentListView.as_view(), name="agents"),
    path("users/<str:username>/entries/", people_api.EntryListView.as_view(), name="entries"),
    path("submissions/", submission_api.SubmissionListView.as_view(), name="submissions"),
    path("submissions/validate/", submission_api.ValidateView.as_view(), name="validate"),
    path(_SUBMISSION, submission_api.SubmissionView.as_view(), name="submission"),
    path(f"{_SUBMISSION}edit/", submission_api.EditView.as_view(), name="edit"),
    path(f"{_SUBMISSION}edits/", submission_api.EditListView.as_view(), name="edits"),
    path(f"{_SUBMISSION}withdraw/", submission_api.WithdrawView.as_view(), name="withdraw"),
    path(f"{_SUBMISSION}items/", submission_api.ItemListView.as_view(), name="items"),
    path(_ITEM, submission_api.ItemView.as_view(), name="item"),
    path(f"{_ITEM}export/", build_api.ItemExportView.as_view(), name="export-item"),
    path(f"{_ITEM}retry/", submission_api.RetryView.as_view(), name="retry"),
    path(f"{_ITEM}repeat/", submission_api.RepeatView.as_view(), name="repeat"),
    path(f"{_ITEM}minimised/", submission_api.MinimisedView.as_view(), name="minimised"),
    path(
        f"{_ITEM}steps/<str:step>/difference/", submission_api.StepDifferenceView.as_view(), name="difference"
    ),
]

urlpatterns = [path("", include((_patterns, "leaderboard-api")))]
