"""The page of a game against the compiler."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from datasets.models import Benchmark, DatasetVersion
from datasets.selectors import find_in_dataset
from datasets.site.charts import LineChart, ReferenceLine, for_screens, line_chart
from leaderboard.accounts.throttles import VisitorPlayThrottle
from leaderboard.play import queries as play_queries
from leaderboard.play import services as play_services
from leaderboard.submissions.quotas import payer_of
from leaderboard.submissions.steps import marked_lines
from optarena.errors import InvalidInput
from optarena.limits import SEARCH_LENGTH
from optarena.specs.rewards import level_text
from runner.models import Study

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse

    from leaderboard.play.queries import Game, Yardsticks

_WIDE, _NARROW = 720, 340


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, name: str, path: str) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    game = _game(name, path, given)
    other = play_queries.carried(game, given)
    if other is not None:
        return render(
            request, "leaderboard/play_carried.html", {"game": game.after(other.actions), "other": other}
        )
    if request.method == "POST":
        return _act(request, game)
    return _page(request, game)


def _game(name: str, path: str, given: Mapping[str, str]) -> Game:
    version = DatasetVersion.objects.filter(name=name).first()
    benchmark = find_in_dataset(version, path) if version else None
    is_range = benchmark is not None and benchmark.kind == Benchmark.Kind.PARAMETRIC
    if benchmark is None or (is_range and path == benchmark.name):
        raise Http404(f"This server has no program {path} of a dataset {name}.")
    game = play_queries.find_game(benchmark, path, given)
    if game is None:
        raise Http404(f"No environment of this server plays the programs of {name}.")
    return game


def _act(request: HttpRequest, game: Game) -> HttpResponse:
    # What a player can ask for is asked by forms: a crawler that follows links asks for nothing.
    if board := request.POST.get("submit"):
        return _submit(request, game, board)
    if picked := request.POST.get("pick"):
        game = game.after((*game.actions, *play_queries.read_actions(picked, game.spec)))
        play_queries.read_actions(",".join(map(str, game.actions)), game.spec)  # it may be one too many
    kind = Study.Kind.OUTPUTS if request.POST.get("outputs") else Study.Kind.LOOK_AHEAD
    known = play_queries.look_at(game, kind)
    if known.may_be_asked:
        try:
            play_services.ask(kind=kind, game=game, payer=_payer(request), admit=partial(_count, request))
        except InvalidInput as error:
            messages.warning(request, f"{error.message} {error.remedy}")
    return redirect(game.address)


def _payer(request: HttpRequest) -> str:
    if request.user.is_authenticated:
        return payer_of(request.user.pk)
    return play_services.VISITORS


def _count(request: HttpRequest) -> None:
    if request.user.is_authenticated:
        play_services.count_player(request.user)
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


def _page(request: HttpRequest, game: Game) -> HttpResponse:
    answer = play_queries.look_at(game, Study.Kind.LOOK_AHEAD)
    found = answer.found
    compared = play_queries.yardsticks(game)
    words = request.GET.get("q", "").strip()[:SEARCH_LENGTH]
    part = play_queries.shown_part(found, request.GET.get("part")) if found else None
    context = {
        "game": game,
        "metric": game.spec.cost_metric,
        "answer": answer,
        "found": found,
        "cost": found.costs[-1] if found and found.costs else play_queries.cost_before_it_is_known(game),
        "steps": _steps(game, found.idle if found else ()),
        "undo": game.before(),
        "start": game.after(()),
        "moves": play_queries.moves(game, found, words, waits=answer.waits) if found else None,
        "words": words,
        "yardsticks": compared,
        "par": compared.par,
        "charts": _charts(found.costs if found else (), compared, found.idle if found else ()),
        "part": part,
        "lines": marked_lines(part.text, game.spec.state_language) if part and part.text else [],
        "outputs": play_queries.look_at(game, Study.Kind.OUTPUTS),
        "command": shlex.join(["optarena", "play", request.build_absolute_uri(game.address)]),
    }
    response = render(request, "leaderboard/play.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _steps(game: Game, idle: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {
            "name": game.names[action],
            "no_op": number in idle,
            "address": game.after(game.actions[:number]).address,
        }
        for number, action in enumerate(game.actions, start=1)
    ]


def _charts(costs: Sequence[float], compared: Yardsticks, idle: Sequence[int]) -> dict[str, LineChart]:
    level = None if compared.par is None else ReferenceLine(compared.par[1], level_text(compared.par[0]))
    return for_screens(
        lambda width: line_chart(costs, level=level, width=width, idle=idle), wide=_WIDE, narrow=_NARROW
    )
