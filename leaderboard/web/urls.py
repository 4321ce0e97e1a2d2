"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_safe

from leaderboard.web import (
    across,
    boards,
    comparing,
    crawlers,
    edits,
    pages,
    people,
    portable,
    portable_submit,
    records,
    runners,
    steps,
    submissions,
    submit,
)

app_name = "leaderboard"
urlpatterns = [
    path("", pages.home, name="home"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("favicon.ico", crawlers.favicon, name="favicon"),
    path("across/<slug:metric>/", across.across, name="across"),
    path("boards/", boards.boards, name="boards"),
    path("boards/<slug:slug>/", boards.board, name="board"),
    path("boards/<slug:slug>/programs/", boards.programs, name="programs"),
    path("compare/", comparing.compare, name="compare"),
    path("portable/", portable.boards, name="portable"),
    path("portable/entries/", portable_submit.submit, name="portable-submit"),
    path("portable/entries/<uuid:entry_id>/", portable.entry, name="portable-entry"),
    path("portable/entries/<uuid:entry_id>/withdraw/", portable.withdraw_entry, name="portable-withdraw"),
    path("portable/<slug:slug>/", portable.board, name="portable-board"),
    path("records/", records.records, name="records"),
    path("records/feed/", require_safe(records.RecordFeed()), name="records-feed"),
    path("submissions/", submissions.submissions, name="submissions"),
    path("submissions/<uuid:submission_id>/", submissions.submission, name="submission"),
    path("submissions/<uuid:submission_id>/edit/", edits.edit_submission, name="edit"),
    path("submissions/<uuid:submission_id>/progress/", submissions.progress, name="progress"),
    path("submissions/<uuid:submission_id>/withdraw/", submissions.withdraw_submission, name="withdraw"),
    path("submissions/<uuid:submission_id>/items/<int:position>/", submissions.item, name="item"),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/retry/", submissions.retry_item, name="retry"
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/repeat/",
        submissions.repeat_item,
        name="repeat",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/minimise/",
        steps.ask_minimised,
        name="minimise",
    ),
    path(
        "submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/",
        steps.ask_difference,
        name="difference",
    ),
    path("submit/", submit.submit, name="submit"),
    path("environments/", pages.environments, name="environments"),
    path("environments/<str:slug>/", pages.environment, name="environment"),
    path("queue/", pages.queue, name="queue"),
    path("users/<str:username>/", people.person, name="person"),
    path("users/<str:username>/agent/", people.agent, name="agent"),
    path("runners/", runners.runners, name="runners"),
    path("runners/<int:runner_id>/", runners.runner, name="runner"),
]
