"""The runners that can do the replays of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from leaderboard.selectors.queue import runner_row
from optarena.specs import device_spec
from runner import conf
from runner.models import Verification
from runner.selectors import live_runners
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.models import Board
    from runner.models import Runner

_CPU_TITLE: Final = "CPU"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardNotice:
    """The notice that no runner is live for a board.

    Attributes:
        text: The notice.
        waits: Whether a replay of its hardware class waits for a runner.
    """

    text: str
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """The runners that do a board's replays.

    Attributes:
        notice: The notice beside replays that wait while no runner is live; empty where one is.
        processes: How many replays the runners that take work do at once.
    """

    notice: str
    processes: int


def hardware_class(board: Board) -> str:
    """The class of machine that a board's replays are made on."""
    return conf.hardware_class(board.device)


def _kind(board: Board) -> str:
    """The display name of a board's kind of machine."""
    device = device_spec(board.device)
    return device.title if device else _CPU_TITLE


def queue_notice(board: Board) -> str:
    """The notice beside replays that wait while no runner is live; empty where one is."""
    return at_work(board).notice


def at_work(board: Board) -> AtWork:
    """The runners that do a board's replays now."""
    live = _live(board)
    processes = sum(one.processes for one in live if one.paused_at is None)
    return AtWork(notice=_queue_notice(board, live), processes=processes)


def _live(board: Board) -> list[Runner]:
    return list(live_runners(hardware_class(board)).only("digests", "paused_at", "processes"))


def _queue_notice(board: Board, live: Sequence[Runner]) -> str:
    name, version = hardware_class(board), board.environment_version
    able = [one for one in live if one.paused_at is None]
    if any(one.digests is None or version.digest in one.digests for one in able):
        return ""
    if able:
        problem = f"has version {version.digest[:12]} of {version.env_id}"
    else:
        problem = "takes work, since each failed and tests itself again" if live else "is live"
    return (
        f"Waiting for a {_kind(board)} runner: no runner of hardware class {name} {problem}. Replays stay in "
        f"the queue and start when one {problem.partition(',')[0]}; you do not need to do anything."
    )


def board_notice(board: Board) -> BoardNotice | None:
    """The notice on a board's page that no runner is live, whether replays wait or not; else None."""
    live = _live(board)
    waiting = _queue_notice(board, live)
    if not waiting:
        return None
    name = hardware_class(board)
    if Verification.objects.filter(state=State.QUEUED, hardware_class=name).exists():
        return BoardNotice(text=waiting, waits=True)
    if live:
        text = f"No {_kind(board)} runner takes work now (hardware class {name}); see the queue."
    else:
        text = f"No {_kind(board)} runner is live (hardware class {name}). Replays will wait until one is."
    return BoardNotice(text=text, waits=False)


def board_hardware(board: Board) -> dict[str, Any]:
    """The ``name`` of a board's hardware class and its live ``runners``, as the queue shows them."""
    name = hardware_class(board)
    return {"name": name, "runners": [runner_row(one) for one in live_runners(name)]}
