"""Addresses of boards, submissions, environments, limits and the queue, below /api/v1/."""

from __future__ import annotations

from django.urls import include, path

from leaderboard.api import (
    across,
    comparing,
    edits,
    index,
    people,
    portable,
    records,
    runners,
    standings,
    studies,
    submissions,
    views,
)

_patterns = [
    path("", index.IndexView.as_view(), name="index"),
    path("limits/", views.LimitsView.as_view(), name="limits"),
    path("environments/", views.EnvironmentListView.as_view(), name="environments"),
    path("environments/<str:slug>/", views.EnvironmentView.as_view(), name="environment"),
    path("queue/", views.QueueView.as_view(), name="queue"),
    path("runners/", runners.RunnerListView.as_view(), name="runners"),
    path("runners/<int:runner_id>/", runners.RunnerView.as_view(), name="runner"),
    path("boards/", views.BoardListView.as_view(), name="boards"),
    path("boards/<slug:slug>/", views.BoardView.as_view(), name="board"),
    path("boards/<slug:slug>/standings/", standings.StandingsView.as_view(), name="standings"),
    path("boards/<slug:slug>/standings.csv", standings.StandingsCsvView.as_view(), name="standings-csv"),
    path("boards/<slug:slug>/programs/", standings.ProgramsView.as_view(), name="programs"),
    path("across/", across.AcrossListView.as_view(), name="across-list"),
    path("across/<slug:metric>/", across.AcrossView.as_view(), name="across"),
    path("compare/", comparing.CompareView.as_view(), name="compare"),
    path("portable/", portable.PortableBoardListView.as_view(), name="portable"),
    path("portable/entries/", portable.PortableSealView.as_view(), name="portable-entries"),
    path("portable/entries/<uuid:entry_id>/", portable.PortableEntryView.as_view(), name="portable-entry"),
    path(
        "portable/entries/<uuid:entry_id>/withdraw/",
        portable.PortableWithdrawView.as_view(),
        name="portable-withdraw",
    ),
    path("portable/<slug:slug>/", portable.PortableBoardView.as_view(), name="portable-board"),
    path("records/", records.RecordListView.as_view(), name="records"),
    path(
        "datasets/<str:name>/benchmarks/<path:path>/results/",
        records.BenchmarkResultsView.as_view(),
        name="results",
    ),
    path("users/<str:username>/", people.PersonView.as_view(), name="person"),
    path("users/<str:username>/agents/", people.AgentListView.as_view(), name="agents"),
    path("users/<str:username>/entries/", people.EntryListView.as_view(), name="entries"),
    path("submissions/", submissions.SubmissionListView.as_view(), name="submissions"),
    path("submissions/validate/", submissions.ValidateView.as_view(), name="validate"),
    path("submissions/<uuid:submission_id>/", submissions.SubmissionView.as_view(), name="submission"),
    path("submissions/<uuid:submission_id>/edit/", edits.EditView.as_view(), name="edit"),
    path("submissions/<uuid:submission_id>/edits/", edits.EditListView.as_view(), name="edits"),
    path("submissions/<uuid:submission_id>/withdraw/", submissions.WithdrawView.as_view(), name="withdraw"),
    path("submissions/<uuid:submission_id>/items/", submissions.ItemListView.as_view(), name="items"),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/",
        submissions.ItemView.as_view(),
        name="item",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/retry/",
        submissions.RetryView.as_view(),
        name="retry",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/repeat/",
        submissions.RepeatView.as_view(),
        name="repeat",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/minimised/",
        studies.MinimisedView.as_view(),
        name="minimised",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/",
        studies.StepDifferenceView.as_view(),
        name="difference",
    ),
]

urlpatterns = [path("", include((_patterns, "leaderboard-api")))]
