"""Carries results over to the present version of their environment: their sequences are replayed in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from optarena.agents.reports import SearchFiles
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baselines.reading import CommittedResult
    from optarena.validation import ValidationResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    # `now` is None if the sequence fails in the present version; `why` says why.
    benchmark: str
    before: float
    now: float | None = None
    why: str = ""


def carried(result: CommittedResult, found: Sequence[ValidationResult]) -> list[Carried]:
    return [_carried(one, result.board.metric) for one in found]


def _carried(one: ValidationResult, metric: str) -> Carried:
    uri, before = one.state.benchmark, one.state.claims[metric]
    others = [problem.message for problem in one.problems if problem.field != metric]
    value = None if one.replay is None or not one.replay.ok else one.replay.metrics.get(metric)
    if others or value is None:
        why = "; ".join(others) or f"{metric} was not measured"
        return Carried(benchmark=uri, before=before, why=why)
    return Carried(benchmark=uri, before=before, now=value)


def write(result: CommittedResult, changes: Sequence[Carried]) -> None:
    # The report keeps the effort of the search, and says which version it searched in.
    values = {one.benchmark: one.now for one in changes if one.now is not None}
    run = result.report.run
    digest = environment_spec(result.board.environment).digest
    report = replace(
        result.report,
        run=replace(run, environment_digest=digest, carried_from=run.carried_from or run.environment_digest),
        found=tuple(replace(one, value=values[one.benchmark]) for one in result.report.found),
    )
    states = {
        one.benchmark: replace(one, claims={result.board.metric: values[one.benchmark]})
        for one in result.states
    }
    SearchFiles(result.path, report, states).save()
