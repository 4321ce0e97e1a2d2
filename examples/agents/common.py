"""The common part of the example agents: options, the loop over benchmarks, the results file and the table.

An agent is a function that takes an environment and a budget and returns the best sequence it found.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import gymnasium
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from optarena import paths
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.errors import OptArenaError
from optarena.specs import Action
from optarena.state import EnvState, write_states

METRIC = "ir_instructions"


@dataclass
class Budget:
    """The budget of an agent for one benchmark: a number of compiler actions, and optionally seconds."""

    actions: int
    seconds: float = math.inf
    spent: int = 0
    started: float = field(default_factory=time.monotonic)

    def spend(self, actions: int = 1) -> None:
        """Count tried actions."""
        self.spent += actions

    @property
    def left(self) -> int:
        """How many more actions may be tried; 0 when the time is up."""
        in_time = time.monotonic() - self.started < self.seconds
        return max(0, self.actions - self.spent) if in_time else 0


Agent = Callable[[CompilerEnv, Budget, np.random.Generator], Sequence[Action]]


@dataclass(frozen=True)
class Found:
    """The best result that an agent found for one benchmark."""

    benchmark: Benchmark
    state: EnvState
    actions: int
    tried: int

    @property
    def ratio(self) -> float:
        """Instructions at -Oz divided by those of the result: above 1 is better than the compiler."""
        baseline = self.benchmark.baseline(METRIC, "Oz")
        return baseline / self.state.claims[METRIC] if baseline else math.nan


def run(agent: Agent, *, name: str, budget: int) -> None:
    """Run an agent on benchmarks chosen on the command line, write its states and print a table.

    Args:
        agent: The agent.
        name: For the title, and for the default name of the results file.
        budget: Default number of actions it may try on each benchmark.
    """
    try:
        _run(agent, name, _arguments(name, budget))
    except OptArenaError as error:
        sys.exit(f"{name}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _run(agent: Agent, name: str, arguments: argparse.Namespace) -> None:
    benchmarks = [datasets().benchmark(uri) for uri in arguments.benchmark] or list(
        datasets()[arguments.dataset]
    )
    console = Console()
    found: list[Found] = []
    columns = (TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with gymnasium.make(arguments.environment) as made, Progress(*columns, console=console) as progress:
        env = cast("CompilerEnv", made.unwrapped)
        task = progress.add_task(name, total=len(benchmarks))
        for index, benchmark in enumerate(benchmarks):
            progress.update(task, description=benchmark.name)
            rng = np.random.default_rng([arguments.seed, index])
            found.append(_solve(agent, env, benchmark, Budget(arguments.budget, arguments.seconds), rng))
            progress.advance(task)
        progress.update(task, description=name)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(write_states([one.state for one in found], format="csv"), encoding="utf-8")
    arguments.output.with_suffix(".run.json").write_text(json.dumps(_effort(name, found)), encoding="utf-8")
    console.print(_table(name, found))
    console.print(f"{len(found)} results written to {arguments.output}")


def _effort(name: str, found: Sequence[Found]) -> dict[str, str | int | float]:
    """What the search took: `optarena submit` takes both numbers as options."""
    return {
        "agent": name,
        "compilations": math.ceil(sum(one.tried for one in found) / len(found)),
        "walltime_seconds": round(sum(one.state.walltime or 0.0 for one in found), 1),
    }


def _arguments(name: str, budget: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=f"The {name} agent.")
    parser.add_argument("--environment", default="optarena/llvm-ic-v0", help="gymnasium id (%(default)s)")
    parser.add_argument(
        "--dataset", default="kernels-v0", help="use all benchmarks of this dataset (%(default)s)"
    )
    parser.add_argument(
        "--benchmark", action="append", default=[], metavar="URI", help="use only this benchmark; repeatable"
    )
    results = paths.logs() / f"{name}.csv"
    parser.add_argument("--output", type=Path, default=results, help="file for the results (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the agent's random choices (%(default)s)"
    )
    parser.add_argument(
        "--budget", type=int, default=budget, help="actions to try per benchmark (%(default)s)"
    )
    parser.add_argument("--seconds", type=float, default=math.inf, help="seconds per benchmark (no limit)")
    return parser.parse_args()


def _solve(
    agent: Agent, env: CompilerEnv, benchmark: Benchmark, budget: Budget, rng: np.random.Generator
) -> Found:
    env.reset(options={"benchmark": benchmark})
    actions = agent(env, budget, rng)
    walltime = time.monotonic() - budget.started
    # Measure the result again from a fresh start, exactly as a runner will replay it.
    env.reset()
    env.multistep(actions)
    claims = {METRIC: env.observation["IrInstructionCount"]}
    state = replace(env.state, walltime=round(walltime, 3), claims=claims)
    return Found(benchmark=benchmark, state=state, actions=len(actions), tried=budget.spent)


def _table(name: str, found: Sequence[Found]) -> Table:
    table = Table(title=name)
    for header in ("benchmark", "O0", "Oz", "found", "Oz / found", "actions", "tried", "seconds"):
        table.add_column(header, justify="left" if header == "benchmark" else "right")
    for one in found:
        recorded = (one.benchmark.baseline(METRIC, level) for level in ("O0", "Oz"))
        table.add_row(
            one.benchmark.name,
            *("?" if value is None else str(value) for value in recorded),
            str(one.state.claims[METRIC]),
            f"{one.ratio:.4f}",
            str(one.actions),
            str(one.tried),
            f"{one.state.walltime:.2f}",
        )
    mean = math.exp(math.fsum(math.log(one.ratio) for one in found) / len(found))
    table.add_section()
    table.add_row("geomean", "", "", "", f"{mean:.4f}", "", "", "")
    return table
