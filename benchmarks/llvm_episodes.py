"""Random episodes of an LLVM environment, and the shortest sequence that still fails: for ``llvm_soak.py``.

An episode is a number: with the soak's seed it gives program and actions. It fails if an error ends it
(crash, timeout, out-of-memory, ir-growth), if LLVM's verifier reports a problem, or if a workload's result is
wrong.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import generated_programs

from optarena.datasets import Benchmark, Workload, datasets
from optarena.env import CompilerEnv
from optarena.env.failures import action_name
from optarena.env.spaces import check_actions
from optarena.env.workloads import judge
from optarena.errors import InvalidAction
from optarena.service.protocol.parameters import VERIFY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.actions import Action

DATASET: Final = "kernels-v0"
NO_SPACES: Final = {"observation_space": None, "reward_space": None}
COUNT: Final = "IrInstructionCount"
SEARCH_SECONDS: Final = 300.0
"""The approximate time to search for the shortest sequence; with hangs, each trial takes its full limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parameters of a soak; the same plan gives the same episodes.

    Attributes:
        environment: Slug of the environment.
        action_space: Name of its action space; None for the first.
        seed: Seed of all random choices.
        actions: Length of an episode.
        generated: Number of generated programs; half of the episodes run on them, if there are any.
        clang: The compiler that they are compiled with.
    """

    environment: str
    action_space: str | None
    seed: int
    actions: int
    generated: int
    clang: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How an episode failed.

    Attributes:
        kind: ``crash``, ``timeout``, ``out-of-memory``, ``ir-growth``, ``verifier``, or a reason id of a
            workload (``semantics:output-differs``, ...).
        detail: An explanation for people.
        actions: The names of the shortest known sequence that fails in this way.
        full: The names of the original sequence.
    """

    kind: str
    detail: str
    actions: tuple[str, ...]
    full: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Report:
    """The result of one episode; times in seconds."""

    number: int
    benchmark: str
    seconds: float = 0.0
    before: int = 0
    after: int = 0
    passes: list[tuple[str, float]] = field(default_factory=list)
    runs: int = 0
    failure: Failure | None = None

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        """From JSON data."""
        failure = data.pop("failure")
        if failure:
            names: dict[str, Any] = {key: tuple(failure.pop(key)) for key in ("actions", "full")}
            failure = Failure(**failure, **names)
        return cls(**data, failure=failure)


class Soaker:
    """Runs the episodes of a plan, one after the other, in one environment."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.env = CompilerEnv(plan.environment, action_space=plan.action_space)
        self.table = self.env.action_table
        self._kernels = list(datasets()[DATASET])
        self._generated = cache(self._generate)

    def close(self) -> None:
        """End the environment."""
        self.env.close()

    def episode(self, number: int) -> Report:
        """Run one episode, and shorten it if it failed."""
        chance = random.Random(f"{self.plan.seed}/{number}")  # noqa: S311 - to be repeatable
        generated = self.plan.generated and number % 2
        benchmark = (
            self._generated(number // 2 % self.plan.generated) if generated else chance.choice(self._kernels)
        )
        actions = self._draw(chance)
        report = Report(number=number, benchmark=benchmark.uri)
        begin = time.perf_counter()
        report.failure = self.run(benchmark, actions, report)
        report.seconds = time.perf_counter() - begin
        if report.failure:
            report.failure = self.shortened(benchmark, actions, report.failure)
        return report

    def _draw(self, chance: random.Random) -> list[Action]:
        """Random actions; not every combination of a structured action's components is an action."""
        if getattr(self.table, "check", None) is None:
            return [chance.randrange(len(self.table.names)) for _ in range(self.plan.actions)]
        space = self.env.action_space
        space.seed(chance.randrange(2**31))
        drawn: list[Action] = []
        while len(drawn) < self.plan.actions:
            with suppress(InvalidAction):
                drawn += check_actions(space, [space.sample()], lambda: self.table)
        return drawn

    def run(
        self, benchmark: Benchmark, actions: Sequence[Action], report: Report | None = None
    ) -> Failure | None:
        """Run one episode; returns its failure, or None."""
        env = self.env
        env.reset(options={"benchmark": benchmark, **NO_SPACES})
        if report:
            report.before = env.observation[COUNT]
        for position, action in enumerate(actions):
            begin = time.perf_counter()
            _, _, terminated, _, info = env.step(action)
            if report:
                report.passes.append((action_name(self.table, action), time.perf_counter() - begin))
            if terminated:
                return self._failure(info["error_type"], info["error_details"], actions[: position + 1])
        problem = env.parameter(VERIFY)
        if problem:
            return self._failure("verifier", problem, actions)
        if report:
            report.after = env.observation[COUNT]
            report.runs = len(benchmark.workloads)
        return self._run_workloads(benchmark, actions)

    def _run_workloads(self, benchmark: Benchmark, actions: Sequence[Action]) -> Failure | None:
        run_workload = self.env.environment.run_workload
        assert run_workload is not None  # noqa: S101 - LLVM environments have one; for the type checker
        for workload in benchmark.workloads:
            result = judge(workload, run_workload(self.env, workload, False))
            if result.reason:
                return self._failure(result.reason, f"{workload.name}: {result.detail}", actions)
        return None

    def shortened(self, benchmark: Benchmark, actions: Sequence[Action], failure: Failure) -> Failure:
        """The same failure by as few actions as a search of limited time finds."""
        end = time.monotonic() + SEARCH_SECONDS

        def fails(candidate: Sequence[Action]) -> bool:
            found = self.run(benchmark, candidate) if time.monotonic() < end else None
            return found is not None and found.kind == failure.kind

        first = list(actions[: len(failure.actions)])
        best = shortest(first, fails)
        last = self.run(benchmark, best) or replace(failure, detail=f"not repeatable: {failure.detail}")
        return replace(last, kind=failure.kind, actions=self._named(best), full=self._named(first))

    def _failure(self, kind: str, detail: str, actions: Sequence[Action]) -> Failure:
        return Failure(kind=kind, detail=detail, actions=self._named(actions))

    def _named(self, actions: Sequence[Action]) -> tuple[str, ...]:
        return tuple(action_name(self.table, action) for action in actions)

    def _generate(self, number: int) -> Benchmark:
        seed = self.plan.seed * 1_000_000 + number
        program = generated_programs.compiled(Path(self.plan.clang), seed)
        benchmark = Benchmark.from_bytes(f"benchmark://generated-v0/{seed}", program)
        self.env.reset(options={"benchmark": benchmark, **NO_SPACES})
        run_workload = self.env.environment.run_workload
        assert run_workload is not None  # noqa: S101 - LLVM environments have one; for the type checker
        given = run_workload(self.env, Workload(name="default"), False)
        if given.exit_code is None:
            raise RuntimeError(f"the generated program {seed} does not run: {given.failure or given.signal}")
        workload = Workload(name="default", expected_stdout=given.stdout, exit_code=given.exit_code)
        return replace(benchmark, workloads=(workload,))


def shortest(actions: Sequence[Action], fails: Callable[[Sequence[Action]], bool]) -> list[Action]:
    """A minimal failing sequence, found by leaving out smaller and smaller parts.

    Args:
        actions: A sequence that fails.
        fails: Whether another sequence fails.
    """
    best, size = list(actions), max(1, len(actions) // 2)
    while size:
        position, shorter = len(best), False
        while position > 0:
            candidate = best[: max(0, position - size)] + best[position:]
            if len(candidate) < len(best) and fails(candidate):
                best, shorter = candidate, True
            position -= size
        size = size if shorter and size == 1 else size // 2
    return best
