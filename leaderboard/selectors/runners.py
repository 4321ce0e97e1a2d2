"""Who can do the replays of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from leaderboard.selectors.queue import queue_overview
from runner import conf
from runner.selectors import live_runners

if TYPE_CHECKING:
    from leaderboard.models import Board

_KINDS: Final = {"cpu": "CPU", "cuda": "GPU"}


def hardware_class(board: Board) -> str:
    """The class of machine that a board's replays are made on."""
    return conf.hardware_class(board.device)


def queue_notice(board: Board) -> str:
    """What is said beside replays that wait while nobody is there to do them; empty where somebody is."""
    name = hardware_class(board)
    if live_runners(name).exists():
        return ""
    kind = _KINDS.get(board.device, board.device)
    return (
        f"Waiting for a {kind} runner: none of hardware class {name} is there now. Replays wait in the queue "
        "until one is; nothing needs to be done."
    )


def board_hardware(board: Board) -> dict[str, Any]:
    """A board's hardware class as ``queue_overview`` gives it: its name, live ``runners`` and queue."""
    name = hardware_class(board)
    found: list[dict[str, Any]] = queue_overview()["hardware_classes"]
    return next((one for one in found if one["name"] == name), {"name": name, "runners": []})
