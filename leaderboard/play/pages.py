"""The pages of games against the compiler, and of daily puzzles."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from datasets.models import Benchmark
from datasets.site.charts import LineChart, ReferenceLine, for_screens, line_chart
from leaderboard.accounts.throttles import VisitorPlayThrottle
from leaderboard.boards import standings
from leaderboard.common.pagination import page_of
from leaderboard.common.problems import unusable_value
from leaderboard.models import Puzzle
from leaderboard.play import queries as play_queries
from leaderboard.play import services as play_services
from leaderboard.play.queries import Game, StateAnswers, Yardsticks
from leaderboard.puzzles import queries as puzzle_queries
from leaderboard.submissions.quotas import payer_of
from leaderboard.submissions.steps import NOT_ASKED, Fold, folded_lines
from optarena.errors import InvalidInput, UnknownName
from optarena.specs.rewards import level_text
from optarena.studies import LookAheadResult, TextPart
from runner.models import Study

_WIDE, _NARROW = 720, 340
# A measurement takes a runner as long as so many states.
_MEASURED_AS = 10
_KEPT_SECONDS = 3_600
_DRAWN_AT_ONCE: Final = 128
# A page that waits says with it what it shows already.
_SEEN: Final = "HX-Seen"
_HTMX, _RESTORES = "HX-Request", "HX-History-Restore-Request"
DAYS_A_PAGE: Final = 31
ENTRIES_SHOWN: Final = 10


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, name: str, path: str) -> HttpResponse:
    seen = request.headers.get(_SEEN)
    if seen and request.method != "POST" and play_queries.is_still(seen):  # htmx leaves the page as it is
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    given = request.POST if request.method == "POST" else request.GET
    try:
        return _play(request, name, path, given)
    except InvalidInput as error:
        if isinstance(error, UnknownName) or error.field == "environment":
            raise  # no other part of the game can be played, either
        return unusable_value(request, error, near=_nearest(name, path, given))


def _nearest(name: str, path: str, given: Mapping[str, str]) -> tuple[str, str]:
    # The longest part of a game that can be played.
    start = _game(name, path, {"environment": given.get("environment", ""), "q": given.get("q", "")})
    is_today = start.spec.digest.startswith(given.get("version", ""))  # another numbers other actions
    right = play_queries.right_actions(given.get("actions", ""), start.spec) if is_today else ()
    count = f"the first {len(right)} actions" if len(right) > 1 else "the first action"
    return start.after(right).address, f"Go on after {count}" if right else "Play from the start"


def _play(request: HttpRequest, name: str, path: str, given: Mapping[str, str]) -> HttpResponse:
    game = _game(name, path, given)
    if size := request.GET.get("size"):
        return redirect(play_queries.other_size(game, size).address)
    other = play_queries.carried(game, given)
    if other is not None:
        return render(
            request, "leaderboard/play_carried.html", {"game": game.after(other.actions), "other": other}
        )
    if request.method == "POST":
        return _act(request, game)
    return _page(request, game, play_queries.look_at(game), here=request.get_full_path())


def _game(name: str, path: str, given: Mapping[str, str]) -> Game:
    program = play_queries.find_program(f"{name}/{path}")
    benchmark = program.benchmark
    is_range = benchmark is not None and benchmark.kind == Benchmark.Kind.PARAMETRIC
    if benchmark is None or (is_range and path == benchmark.name):
        raise Http404(f"This server has no program {path} of a dataset {name}.")
    game = play_queries.find_game(program, path, given)
    if game is None:
        raise Http404(f"No environment of this server plays the programs of {name}.")
    return game


def _act(request: HttpRequest, game: Game) -> HttpResponse:
    # What a player can ask for is asked by forms: a crawler that follows links asks for nothing.
    if board := request.POST.get("submit"):
        return _submit(request, game, board)
    if picked := request.POST.get("pick"):
        game = play_queries.picked(game, picked)
    kind = Study.Kind.OUTPUTS if request.POST.get("outputs") else Study.Kind.LOOK_AHEAD
    is_measured = kind == Study.Kind.OUTPUTS and game.spec.measures_at_once
    if is_measured and not request.user.is_authenticated:
        return redirect_to_login(game.address)
    is_found = kind == Study.Kind.OUTPUTS or game.finds_some
    answers = play_queries.look_at(game)
    if is_found and answers.of(kind).may_be_asked:
        admit = partial(_count, request, _MEASURED_AS if is_measured else 1)
        try:
            is_new = answers.of(kind).state == NOT_ASKED
            user = request.user
            payer = payer_of(user.pk) if user.is_authenticated else play_services.VISITORS
            study = play_services.ask(kind=kind, game=game, payer=payer, admit=admit, is_new=is_new)
            answers = answers.after_asking(study)
        except InvalidInput as error:
            messages.warning(request, f"{error.message} {error.remedy}")
    if not _swaps(request):
        return redirect(game.address)
    response = _page(request, game, answers, here=game.address)
    response["HX-Push-Url"] = game.address
    return response


def _count(request: HttpRequest, states: int) -> None:
    if request.user.is_authenticated:
        play_services.count_player(request.user, states)
        return
    throttle = VisitorPlayThrottle()
    if not throttle.allow_request(request, None):
        message = "Runners look at some new states for each address; those who are logged in have more."
        raise play_services.later(message, throttle.wait())


def _submit(request: HttpRequest, game: Game, slug: str) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(game.address)
    boards = play_queries.yardsticks(game).boards
    board = next((board for board, _ in boards if board.slug == slug), None)
    if board is None:
        messages.warning(request, "That board does not have this program in this environment.")
        return redirect(game.address)
    try:
        submission = play_services.submit_program(owner=request.user, board=board, game=game)
    except InvalidInput as error:
        messages.warning(request, f"{error.message} {error.remedy}")
        return redirect(game.address)
    return redirect(submission)


def _page(request: HttpRequest, game: Game, answers: StateAnswers, *, here: str) -> HttpResponse:
    answer, outputs = answers.look_ahead, answers.outputs
    found = answer.found
    # Where nothing is found there is nothing to keep, and all such states have one key.
    drawing = _drawing(answer.key) if found else Lock()
    if request.method == "GET" and request.headers.get(_SEEN) and drawing.locked():
        # A page that waits asks again, so it holds no thread while another one draws what is new.
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    compared = play_queries.yardsticks(game)
    part = play_queries.shown_part(found, request.GET.get("part")) if found else None
    context = {
        "game": game,
        "metric": game.spec.exact_metric,
        "answer": answer,
        "found": found,
        "cost": found.costs[-1]
        if found and found.costs
        else play_queries.cost_before_it_is_known(game, compared, answers),
        "steps": _steps(game, found.idle if found else ()),
        "undo": game.before(),
        "start": game.after(()),
        "find_moves": partial(play_queries.moves, game, found, waits=answer.waits) if found else None,
        "yardsticks": compared,
        "par": compared.par,
        "find_charts": partial(_charts, found, compared) if found else None,
        "part": part,
        "find_lines": partial(_lines, part, game.spec.state_language),
        # What is drawn of an answer stays the same.
        "kept_seconds": _KEPT_SECONDS,
        "here": here,
        "seen": json.dumps({_SEEN: play_queries.seen_in([answer, outputs])}),
        "outputs": outputs,
        "measured": play_queries.measured(game, outputs),
        "command": shlex.join(["optarena", "play", request.build_absolute_uri(game.full_address)]),
    }
    template = "leaderboard/parts/play.html" if _swaps(request) else "leaderboard/play.html"
    with drawing:
        response = render(request, template, context)
    patch_vary_headers(response, [_HTMX, _RESTORES, _SEEN])
    return response


@lru_cache(_DRAWN_AT_ONCE)
def _drawing(key: str) -> Lock:  # noqa: ARG001 - names what is drawn
    # Of many who get an answer in the same moment, one draws it, and the others find it drawn.
    return Lock()


def _swaps(request: HttpRequest) -> bool:
    # Going back in its history, htmx asks for whole pages.
    return _HTMX in request.headers and _RESTORES not in request.headers


def _steps(game: Game, idle: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {
            "name": game.name_of(action),
            "no_op": number in idle,
            "address": game.after(game.actions[:number]).address,
        }
        for number, action in enumerate(game.actions, start=1)
    ]


def _lines(part: TextPart | None, language: str) -> tuple[list[Fold], int]:
    return folded_lines(part.text, language) if part and part.text else ([], 0)


def _charts(found: LookAheadResult, compared: Yardsticks) -> dict[str, LineChart]:
    level = None if compared.par is None else ReferenceLine(compared.par[1], level_text(compared.par[0]))
    if len(found.costs) <= 1:
        return {}
    return for_screens(
        lambda width: line_chart(found.costs, level=level, width=width, idle=found.idle),
        wide=_WIDE,
        narrow=_NARROW,
    )


@require_safe
def puzzle(request: HttpRequest) -> HttpResponse:
    page: Page[Puzzle] = page_of(puzzle_queries.published(), DAYS_A_PAGE, request)
    past = list(page.object_list)
    # The newest is that of today, until the next one is published.
    today = past.pop(0) if past and not page.has_previous() else None
    puzzle_queries.add_results([*past, *([today] if today else [])])
    context = {
        "today": today,
        "rows": standings.standings(today.board)[:ENTRIES_SHOWN] if today and today.board else [],
        "announced": puzzle_queries.announced(),
        "past": past,
        "page": page,
    }
    return render(request, "leaderboard/puzzle.html", context)
