"""``optarena validate``: replays states and compares what they say with what the replay gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape

from optarena.cli import options
from optarena.cli.console import number, output, progress_bar, styled, table
from optarena.cli.documents import read_file
from optarena.validation import ValidationResult, validate_state

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState

MAX_PARALLEL: Final = 64


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--nproc",
    type=click.IntRange(1, MAX_PARALLEL),
    default=1,
    show_default=True,
    help="States validated at a time.",
)
@options.environment
@options.sandbox
def validate(file: Path, nproc: int, env: str | None, *, no_sandbox: bool) -> int:
    """Replay every state of FILE (CSV or JSON) and check its reward and claims.

    Ends with 0 if every state is valid, with 1 if one is not.
    """
    spec, states = read_file(file, env)
    results = _validate(states, spec, nproc, sandbox=not no_sandbox)
    metric = spec.cost_metric.name
    table(
        ("benchmark", "state", metric, "reward", "problem"),
        (_row(result, metric) for result in results),
        numbers=(metric, "reward"),
    )
    valid = sum(result.ok for result in results)
    output().print(f"{valid} of {len(results)} states are valid")
    return 0 if valid == len(results) else 1


def _validate(
    states: list[EnvState], spec: EnvironmentSpec, nproc: int, *, sandbox: bool
) -> list[ValidationResult]:
    # Threads are enough: each state is replayed in a process of its own.
    with progress_bar() as bar, ThreadPoolExecutor(nproc) as pool:
        task = bar.add_task("validating", total=len(states))

        def one(state: EnvState) -> ValidationResult:
            result = validate_state(state, environment=spec, sandbox=sandbox)
            bar.advance(task)
            return result

        return list(pool.map(one, states))


def _row(result: ValidationResult, metric: str) -> tuple[str, ...]:
    metrics = {} if result.replay is None else result.replay.metrics
    problems = "; ".join(f"{problem.reason}: {problem.message}" for problem in result.problems)
    return (
        escape(result.state.benchmark),
        styled("valid" if result.ok else "invalid"),
        number(metrics.get(metric)),
        number(result.reward),
        escape(problems),
    )
