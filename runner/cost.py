"""What a replay is expected to cost, in seconds of one worker, and the time that it may take.

The constants are fitted to replays of the shipped programs; ``benchmarks/predictions.py`` compares them with
new ones. They need not be exact: what was reserved by them is corrected by what a replay really took.
"""

from __future__ import annotations

from typing import Final

from optarena import limits

_START_SECONDS: Final = 0.25
"""A session's start, and the checks of the smallest program."""

_START_SECONDS_PER_MEGABYTE: Final = 5.0
"""Reading, checking, compiling and measuring a program of a million bytes."""

_ACTION_SECONDS: Final = 0.001
"""An action on the smallest program: messages, and the figures of the trace."""

_ACTION_SECONDS_PER_MEGABYTE: Final = 0.25
"""What an action takes longer on a program of a million bytes."""

_RUN_SECONDS: Final = 0.1
"""The workloads of a program whose time is not known."""

_MEASUREMENT_SECONDS: Final = 10.0
"""A measurement of times, in blocks, of what takes hardly any time itself."""

_MEASURED_RUNS: Final = 25.0
"""How many times the time of all workloads a measurement takes longer: each block has pairs of runs."""

_GENEROUS: Final = 10
"""How many times longer than expected a replay may take: machines differ, and programs grow."""

_MEGABYTE: Final = 1_000_000


def predicted_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> float:
    """What a replay probably takes on one worker, in seconds.

    Args:
        size_bytes: The size of the program; 0 for one that is computed, which is small.
        actions: The number of actions.
        run_seconds: The time of all its workloads, where it is known.
        measured: Whether the environment measures times.
    """
    megabytes = size_bytes / _MEGABYTE
    start = _START_SECONDS + _START_SECONDS_PER_MEGABYTE * megabytes
    action = _ACTION_SECONDS + _ACTION_SECONDS_PER_MEGABYTE * megabytes
    run = _RUN_SECONDS if run_seconds is None else run_seconds
    measurement = _MEASUREMENT_SECONDS + _MEASURED_RUNS * (run_seconds or 0.0)
    return start + actions * action + run + measurement * measured


def replay_seconds(
    *, size_bytes: int, actions: int, run_seconds: float | None = None, measured: bool = False
) -> int:
    """The time that one whole replay may take, in seconds; the arguments are those of a prediction.

    A measurement has limits for each of its blocks, and its machine does nothing else.
    """
    if measured:
        return limits.REPLAY_SECONDS
    predicted = predicted_seconds(size_bytes=size_bytes, actions=actions, run_seconds=run_seconds)
    generous = max(limits.SHORTEST_REPLAY_SECONDS, int(_GENEROUS * predicted))
    return min(generous, limits.REPLAY_SECONDS)
