"""When a submission's replays probably start and end, in words and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.site.formats import duration
from leaderboard.models import SubmissionItem
from leaderboard.services.quotas import payer_of
from runner import conf
from runner.forecasts import forecast, forecast_of_new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.models import Board, Submission
    from runner.forecasts import Forecast


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """The forecast of a submission.

    Attributes:
        forecast: The numbers.
        hardware_class: The class of the runners.
    """

    forecast: Forecast
    hardware_class: str

    @property
    def text(self) -> str:
        """The forecast for people."""
        return f"{self._place()} {self._times()}"

    def _place(self) -> str:
        found = self.forecast
        if found.position is None:
            return "All replays that are left are running."
        return f"Position {found.position:,} in the queue, which goes round by owner."

    def _times(self) -> str:
        found = self.forecast
        if found.seconds_to_end is None:
            return f"No runner of class {self.hardware_class} takes work now, so the time is unknown."
        runners = "1 runner is" if found.processes == 1 else f"{found.processes:,} runners are"
        start = ""
        if found.seconds_to_start is not None:
            start = f"starts in about {about(found.seconds_to_start)} and "
        return f"It {start}ends in about {about(found.seconds_to_end)}; {runners} at work."


def about(seconds: float) -> str:
    """A duration without more digits than a forecast deserves."""
    return duration(max(1, round(seconds))).replace(".0 s", " s")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWait:
    """The forecast of a submission that was not sent yet.

    Attributes:
        forecast: The numbers; None if none of its replays would be new.
        hardware_class: The class of the runners.
    """

    forecast: Forecast | None
    hardware_class: str

    @property
    def text(self) -> str:
        """The forecast for people."""
        found = self.forecast
        if found is None:
            return "All of its replays are known or requested already, so it adds nothing to the queue."
        replays = f"{found.waiting:,} new replay{'s' if found.waiting != 1 else ''}"
        before = f"{replays}, with about {(found.position or 1) - 1:,} waiting before the first"
        if found.seconds_to_end is None:
            return (
                f"{before}. No runner of class {self.hardware_class} takes work now, so the time is unknown."
            )
        return f"{before}; expected to end in about {about(found.seconds_to_end)}."


def wait_of_new(*, user_id: int, board: Board, seconds: Sequence[float]) -> NewWait:
    """The forecast of a submission that its owner could send.

    Args:
        user_id: The owner.
        board: The board.
        seconds: What each of its new replays is expected to take.
    """
    name = conf.hardware_class(board.device)
    if not seconds:
        return NewWait(forecast=None, hardware_class=name)
    found = forecast_of_new(
        payer=payer_of(user_id), number=len(seconds), seconds=math.fsum(seconds), hardware_class=name
    )
    return NewWait(forecast=found, hardware_class=name)


def wait_of(
    submission: Submission, *, processes: int | None = None, item: SubmissionItem | None = None
) -> Wait | None:
    """The forecast of a submission that waits for verdicts, or of one of its items; None for others.

    Args:
        submission: The submission.
        item: The item that is meant; None for all.
        processes: How many replays its runners do at once, where that is known; None counts them.
    """
    if submission.withdrawn_at is not None:
        return None
    pending = SubmissionItem.objects.filter(submission=submission, verdict=SubmissionItem.Verdict.PENDING)
    if item is not None:
        pending = pending.filter(pk=item.pk)
    name = conf.hardware_class(submission.board.device)
    found = forecast(
        payer=payer_of(submission.owner_id),
        verifications=pending.order_by().values("verification"),
        hardware_class=name,
        processes=processes,
    )
    return None if found is None else Wait(forecast=found, hardware_class=name)
