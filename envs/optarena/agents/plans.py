"""What a run of an agent is to search, and what each program may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.agents.budget import Budget
from optarena.agents.reports import SearchIdentity
from optarena.datasets.manifest import digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.agents.catalogue import AgentSpec, Known
    from optarena.agents.outcomes import Objective, Sequence
    from optarena.datasets import Benchmark
    from optarena.outcome_store import OutcomeStore
    from optarena.specs import EnvironmentSpec

_LEAST_SECONDS: Final = 1.0
"""What each program gets while a run has time left: enough to begin with, so that a run always goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPlan:
    """What is to be searched.

    Attributes:
        agent: The agent.
        settings: All its parameters.
        environment: The environment.
        objective: What to optimise.
        benchmarks: The programs.
        programs: The programs in words, for the report.
        seed: The seed of all random choices.
        evaluations: How many sequences may be evaluated for each program; None if the run has a time.
        minutes: How long the run may take; shared out to the programs that are left.
        work: The most that the evaluations of a program, times its cost as given, may be; None for any.
        nproc: How many sessions work at a time.
        known: The known sequences and the policy that the agent uses, by kind.
        given: Sequences of a file that the user named, by program.
        given_sha256: The hash of that file.
        given_saw_test_set: Whether the search that found them is said to have been trained on its programs.
        command: The command that repeats the run.
        store: What is known from elsewhere, and keeps what is found out; results are the same without it.
    """

    agent: AgentSpec
    settings: Mapping[str, int | str]
    environment: EnvironmentSpec
    objective: Objective
    benchmarks: tuple[Benchmark, ...]
    programs: str
    seed: int = 0
    evaluations: int | None = None
    minutes: float | None = None
    work: int | None = None
    nproc: int = 1
    known: Mapping[str, Known]
    given: Mapping[str, Sequence]
    given_sha256: str = ""
    given_saw_test_set: bool = False
    command: str = ""
    store: OutcomeStore | None = None

    def identity(self) -> SearchIdentity:
        """What the run does, for its report."""
        learned_from = {uri for one in self.known.values() for uri in one.trained_on}
        return SearchIdentity(
            agent=self.agent.name,
            version=self.agent.version,
            parameters=dict(self.settings),
            environment=self.environment.slug,
            environment_digest=self.environment.digest,
            metric=self.objective.metric.name,
            programs=self.programs,
            programs_sha256=digest_of((one.uri, one.sha256) for one in self.benchmarks),
            seed=self.seed,
            evaluations=self.evaluations,
            minutes=self.minutes,
            work=self.work,
            start_sha256=self.given_sha256,
            trained_on=tuple({"name": one.name, "sha256": one.sha256} for one in self.known.values()),
            trained_on_test_set=self.given_saw_test_set
            or any(one.uri in learned_from for one in self.benchmarks),
            command=self.command,
        )

    def budget(self, left: int, seconds: float) -> Budget:
        """The budget of the next program.

        Args:
            left: How many programs are left.
            seconds: How long the run has taken.

        Raises:
            InvalidInput: There is no budget, or it allows nothing.
        """
        if self.minutes is None:
            return Budget(self.evaluations)
        rest = Budget(seconds=self.minutes * 60).seconds - seconds
        return Budget(seconds=max(rest / left, _LEAST_SECONDS) if rest > 0 else 1e-9)

    def affordable(self, budget: Budget, cost: float) -> Budget:
        """What of a budget may be spent on a program of this cost: at least one evaluation."""
        if self.work is None or budget.evaluations is None or cost <= 0:
            return budget
        return Budget(min(budget.evaluations, max(1, int(self.work / cost))))
