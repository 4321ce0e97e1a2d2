"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_safe

from leaderboard.boards import pages as board_pages
from leaderboard.compare import pages as comparison_pages
from leaderboard.data import pages as data_pages
from leaderboard.people import pages as people_pages
from leaderboard.play import pages as play_pages
from leaderboard.portable import pages as portable_pages
from leaderboard.records import pages as record_pages
from leaderboard.runners import pages as runner_pages
from leaderboard.site import pages as site_pages
from leaderboard.submissions import pages as submission_pages

app_name = "leaderboard"
_SUBMISSION = "submissions/<uuid:submission_id>/"
_ITEM = f"{_SUBMISSION}items/<int:position>/"
_ENTRY = "portable/entries/<uuid:entry_id>/"
urlpatterns = [
    path("", site_pages.home, name="home"),
    path("AGENTS.md", site_pages.text_for_agents, {"name": "AGENTS.md"}, name="agents-text"),
    path("llms.txt", site_pages.text_for_agents, {"name": "llms.txt"}, name="llms-text"),
    path("robots.txt", site_pages.robots, name="robots"),
    path("sitemap.xml", site_pages.sitemap, name="sitemap"),
    path("favicon.ico", site_pages.favicon, name="favicon"),
    path("across/<slug:metric>/", comparison_pages.across, name="across"),
    path("boards/", board_pages.boards, name="boards"),
    path("boards/<slug:slug>/", board_pages.board, name="board"),
    path("boards/<slug:slug>/programs/", board_pages.programs, name="programs"),
    path("boards/<slug:slug>/drift/", board_pages.drift, name="drift"),
    path("boards/<slug:slug>/build/", board_pages.build, name="build"),
    path("compare/", comparison_pages.compare, name="compare"),
    path("data/", data_pages.data, name="data"),
    path("play/<str:name>/<path:path>/", play_pages.play, name="play"),
    path("portable/", portable_pages.boards, name="portable"),
    path("portable/entries/", portable_pages.submit, name="portable-submit"),
    path(_ENTRY, portable_pages.entry, name="portable-entry"),
    path(f"{_ENTRY}withdraw/", portable_pages.withdraw_entry, name="portable-withdraw"),
    path("portable/<slug:slug>/", portable_pages.board, name="portable-board"),
    path("puzzle/", play_pages.puzzle, name="puzzle"),
    path("records/", record_pages.records, name="records"),
    path("records/feed/", require_safe(record_pages.RecordFeed()), name="records-feed"),
    path("search/", site_pages.search, name="search"),
    path("submissions/", submission_pages.submissions, name="submissions"),
    path(_SUBMISSION, submission_pages.submission, name="submission"),
    path(f"{_SUBMISSION}edit/", submission_pages.edit_submission, name="edit"),
    path(f"{_SUBMISSION}progress/", submission_pages.progress, name="progress"),
    path(f"{_SUBMISSION}open/", submission_pages.open_submission, name="open"),
    path(f"{_SUBMISSION}withdraw/", submission_pages.withdraw_submission, name="withdraw"),
    path(_ITEM, submission_pages.item, name="item"),
    path(f"{_ITEM}retry/", submission_pages.retry_item, name="retry"),
    path(f"{_ITEM}repeat/", submission_pages.repeat_item, name="repeat"),
    path(f"{_ITEM}minimise/", submission_pages.ask_minimised, name="minimise"),
    path(f"{_ITEM}steps/<str:step>/difference/", submission_pages.ask_difference, name="difference"),
    path("submit/", submission_pages.submit, name="submit"),
    path("environments/", site_pages.environments, name="environments"),
    path("environments/<str:slug>/", site_pages.environment, name="environment"),
    path("queue/", site_pages.queue, name="queue"),
    path("users/<str:username>/", people_pages.person, name="person"),
    path("users/<str:username>/agent/", people_pages.agent, name="agent"),
    path("runners/", runner_pages.runners, name="runners"),
    path("runners/<int:runner_id>/", runner_pages.runner, name="runner"),
]
