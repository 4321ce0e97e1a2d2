"""The verdict that a server's runner would give a validated state, as far as this machine can know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena import limits
from optarena.errors import InvalidInput
from optarena.measuring.estimates import of_measurement
from optarena.specs.board import ratio
from optarena.specs.reasons import refutes
from optarena.specs.uri import BenchmarkUri

if TYPE_CHECKING:
    from optarena.specs import BoardSpec, EnvironmentSpec
    from optarena.specs.benchmark import Benchmark
    from optarena.specs.results import ReplayResult
    from optarena.validation.result import ValidationResult

NOT_ACCEPTED: Final = "not accepted"
"""Of a state that a submission may not have at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a board would say of a state.

    Attributes:
        verdict: ``verified``, ``refuted``, ``failed``, ``quarantined``, or ``not accepted``.
        ratio: How good the state is on the board; None without a board, or without both values.
        interval: The confidence interval of a measured ratio; None where the ratio is exact.
        remark: Why the board does not accept the state, if the environment itself can replay it; or that the
            board compares other programs unless its server has chosen these.
    """

    verdict: str
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    remark: str = ""


def expected(
    result: ValidationResult, spec: EnvironmentSpec, benchmark: Benchmark, board: BoardSpec | None
) -> Expected:
    """The verdict of a state on a board.

    Rewards are not judged, since no board compares them. Without a board, and without the results of others
    that a server has, an implausible ratio cannot be told: a board publishes more than its plausible ratio if
    others have come near.
    """
    replayed = result.replay
    if replayed is None:
        return Expected(verdict=NOT_ACCEPTED)
    if board is not None and (refusal := _refusal(result, spec)):
        return Expected(verdict=NOT_ACCEPTED, remark=refusal)
    if not replayed.ok:
        return Expected(verdict="refuted" if refutes(replayed.reason or "") else "failed")
    wrong = [
        name
        for name, claimed in result.state.claims.items()
        if name in replayed.metrics and spec.metric(name).exact and claimed != replayed.metrics[name]
    ]
    if wrong:
        return Expected(verdict="refuted")
    found, interval = (None, None) if board is None else _ratio(replayed, spec, benchmark, board)
    implausible = board is not None and found is not None and found > board.plausible_ratio
    verdict = "quarantined" if implausible else "verified"
    return Expected(verdict=verdict, ratio=found, interval=interval, remark=_elsewhere(benchmark, board))


def _elsewhere(benchmark: Benchmark, board: BoardSpec | None) -> str:
    """That a board compares other benchmarks, as far as this machine knows; empty if it compares this one."""
    if board is None:
        return ""
    uri = BenchmarkUri.parse(benchmark.uri)
    is_compared = str(uri) in board.benchmarks if board.benchmarks else uri.dataset == board.dataset
    if is_compared:
        return ""
    return (
        f"Board {board.slug} compares other benchmarks, unless its server has chosen another dataset for it."
    )


def _refusal(result: ValidationResult, spec: EnvironmentSpec) -> str:
    """Why boards of the environment do not take the state's actions; empty if they do."""
    try:
        _, actions = spec.ranked_commandline(result.state.commandline)
    except InvalidInput as error:
        return str(error)
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        allowed = f"A submission may have {limits.MAX_ACTIONS_PER_ITEM:,} for a benchmark"
        return f"There are {len(actions):,} actions. {allowed}: drop those that have no effect."
    return ""


def _ratio(
    replayed: ReplayResult, spec: EnvironmentSpec, benchmark: Benchmark, board: BoardSpec
) -> tuple[float | None, tuple[float, float] | None]:
    estimate = of_measurement(replayed.measurement) if board.reference_metric else None
    if estimate:
        return estimate.ratio, estimate.interval
    recorded = benchmark.baseline(board.metric, board.baseline_level) if board.baseline_level else None
    baseline = replayed.metrics.get(board.reference_metric) if board.reference_metric else recorded
    achieved = replayed.metrics.get(board.metric)
    if not baseline or not achieved:
        return None, None
    lower = spec.metric(board.metric).lower_is_better
    return ratio(baseline=baseline, achieved=achieved, lower_is_better=lower), None
