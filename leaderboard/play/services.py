"""Ask runners about a game's state, and submit its program."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Q

from leaderboard.accounts.throttles import PlayThrottle
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.play.queries import Game
from leaderboard.submissions import quotas
from leaderboard.submissions.replay_again import INFRASTRUCTURE
from leaderboard.submissions.services import Conflict, Incoming, receive
from runner.errors import StudiesFullError, StudyRefusedError
from runner.models import Study
from runner.queue.studies import request_study

AGENT: Final = "by hand"
# All who are not logged in take turns as one owner; their addresses are counted apart.
VISITORS: Final = "visitors"
_RETRY_SECONDS: Final = 60


def ask(*, kind: Study.Kind, game: Game, payer: str, admit: Callable[[], None], is_new: bool) -> Study:
    """Have a runner look at the state of a game; ``admit`` is called if that is work, and may refuse."""
    try:
        state = game.state
        return request_study(
            kind=kind, subject=state, steps=len(state.actions), payer=payer, admit=admit, is_new=is_new
        )
    except StudyRefusedError as error:
        remedy = "Look again later, or play on your machine: optarena play."
        raise Conflict(str(error), field="actions", value=game.uri, remedy=remedy) from error
    except StudiesFullError as error:
        raise later(str(error), _RETRY_SECONDS) from error


def count_player(actor: User, states: int) -> None:
    throttle = PlayThrottle()
    if not quotas.is_exempt(actor) and not throttle.allow(actor.pk, states):
        raise later("You have looked at more new states than runners try for an account.", throttle.wait())


def later(message: str, seconds: float) -> quotas.QuotaExceeded:
    return quotas.exceeded(message, seconds, field="actions", again="Go on")


def submit_program(*, owner: User, board: Board, game: Game) -> Submission:
    """Submit the program of a game with the others that its player has submitted so.

    Replays that are known are not made again, so an entry that grows by a program costs one replay.
    """
    items = _submitted(owner, board) | {game.uri: {"benchmark": game.uri, "actions": list(game.actions)}}
    document = {
        "board": board.slug,
        "agent": AGENT,
        "description": "Chosen action by action on the pages of games.",
        "items": list(items.values()),
    }
    body = json.dumps(document).encode()
    submission: Submission | None = None
    while submission is None or submission.withdrawn_at:  # one that was withdrawn may be submitted again
        named = body + (submission.pk.bytes if submission else b"")
        key = f"play-{hashlib.sha256(named).hexdigest()}"
        submission, _ = receive(owner=owner, incoming=Incoming(body=body, format="json"), key=key)
    return submission


def _submitted(owner: User, board: Board) -> dict[str, dict[str, Any]]:
    # By URI, without those that a replay contradicts. What failed by fault of a machine is tried again. Items
    # of other versions of the environment, which have boards of their own, mean other actions.
    entries = Submission.objects.filter(owner=owner, board=board, agent=AGENT, withdrawn_at=None)
    last = entries.order_by("-created", "id").first()
    if last is None:
        return {}
    verdict = SubmissionItem.Verdict
    failed = Q(verdict=verdict.FAILED) & ~Q(reason__startswith=INFRASTRUCTURE)
    items = last.items.filter(action_space="").exclude(failed | Q(verdict=verdict.REFUTED))
    rows = items.order_by("position").values_list("benchmark_uri", "actions")
    return {uri: {"benchmark": uri, "actions": actions} for uri, actions in rows}
