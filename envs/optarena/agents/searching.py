"""Lets an agent search on program after program, and keeps what it finds.

The programs are searched in their order, since some agents use what was found on those before. After each the
files are written, so that a run can be interrupted at any time; run again, it goes on with the next program.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from optarena.agents.catalogue import sources_of
from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Agent, Budget, SearchOutcome, Sequence
from optarena.agents.reports import ProgramReport, SearchFiles, SearchPlan
from optarena.agents.searches import minimise
from optarena.outcome_store import OutcomeStore, OutcomeTrace, ProgramKeys
from optarena.state import EnvState

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from optarena.specs import EnvironmentSpec

# The share of what a store answers that is run again.
AUDITED: Final = 0.05
_RANGE: Final = 2**64


class KnownOutcomes:
    """The traces of one program's sequences in a store.

    It counts the outcomes that the store has ``answered``, those of them that were run again (``checked``),
    and those that differed then, or could not be read (``wrong``).
    """

    def __init__(
        self,
        store: OutcomeStore,
        environment: EnvironmentSpec,
        benchmark: Benchmark,
        *,
        seed: int = 0,
        audited: float = AUDITED,
    ) -> None:
        self._store = store
        self._program = benchmark.uri
        self._names = environment.action_table.names
        self._keys = ProgramKeys(environment, benchmark, environment.action_table.name, "trace")
        self._salt = hashlib.blake2b(f"{seed} {benchmark.uri}".encode(), digest_size=16).digest()
        self._audited = audited
        self.answered = 0
        self.checked = 0
        self.wrong = 0

    def find(self, sequences: Iterable[Sequence]) -> dict[Sequence, OutcomeTrace]:
        # By one call; a row that cannot be read is removed.
        wanted = {actions: self._keys.key(actions) for actions in sequences}
        found: dict[Sequence, OutcomeTrace] = {}
        unreadable: list[bytes] = []
        for (actions, key), row in zip(wanted.items(), self._store.find(list(wanted.values())), strict=True):
            trace = None if row is None else OutcomeTrace.of_row(row)
            if trace is not None and trace.ends(actions):
                found[actions] = trace
            elif row is not None:
                unreadable.append(key)
        if unreadable:
            self.wrong += len(unreadable)
            self._store.warn(f"{len(unreadable)} rows of {self._program} cannot be read; they are removed.")
            self._store.remove(unreadable)
        self.answered += len(found)
        return found

    def is_drawn(self, actions: Sequence) -> bool:
        drawn = hashlib.blake2b(self._keys.key(actions), digest_size=8, key=self._salt).digest()
        return int.from_bytes(drawn, "big") < self._audited * _RANGE

    def compare(self, actions: Sequence, kept: OutcomeTrace, ran: OutcomeTrace) -> None:
        # A row that differs is removed.
        self.checked += 1
        if not kept.contradicts(ran):
            return
        self.wrong += 1
        self._store.warn(
            f"A row of {self._program} is wrong and is removed. {self._difference(actions, kept, ran)}"
        )
        self._store.remove([self._keys.key(actions)])

    def keep(self, traces: Mapping[Sequence, OutcomeTrace]) -> None:
        self._store.keep({self._keys.key(actions): trace.to_row() for actions, trace in traces.items()})

    def _difference(self, actions: Sequence, kept: OutcomeTrace, ran: OutcomeTrace) -> str:
        shared = zip(
            zip(kept.costs, (True, *kept.effects), strict=True),
            zip(ran.costs, (True, *ran.effects), strict=True),
            strict=False,
        )
        for length, (theirs, ours) in enumerate(shared):
            if theirs != ours:
                last = f"{self._names[actions[length - 1]]}, action {length}" if length else "no action"
                return f"After {last}, it has {_words(*theirs)}; the compiler gives {_words(*ours)}."
        for name in sorted(kept.measured.keys() & ran.measured.keys()):
            if kept.measured[name] != ran.measured[name]:
                return f"It has {name} {kept.measured[name]:g}; the compiler gives {ran.measured[name]:g}."
        return f"It ends after {_end(kept)}; the compiler ends after {_end(ran)}."


def _words(cost: float, had_effect: bool) -> str:  # noqa: FBT001 # a pair of a trace
    return f"cost {cost:g} {'with' if had_effect else 'without'} effect"


def _end(trace: OutcomeTrace) -> str:
    return f"{len(trace.effects)} actions" + (f" by {trace.error!r:.100}" if trace.error else "")


def cpu_seconds() -> float:
    # Of this process, its live descendants, and those that have ended. Sessions are children of their zygote,
    # whose time getrusage reports only once it has ended. Where there is no /proc, the own process alone is
    # counted.
    total, waiting = 0, _children(os.getpid())
    while waiting:
        pid = waiting.pop()
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has just ended, and its parent counts it
            continue
        total += sum(map(int, fields.rpartition(")")[2].split()[11:15]))  # its own, and of ended children
        waiting += _children(pid)
    below = total / os.sysconf("SC_CLK_TCK")
    ended = os.times()  # of children that this process has waited for, and their own
    return time.process_time() + ended.children_user + ended.children_system + below


def _children(pid: int) -> list[int]:
    # Whichever thread of the process started them.
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text(encoding="ascii").split())
        except OSError:  # the thread has just ended
            continue
    return found


# The part of a budget that the agent gets; what it leaves is spent on leaving actions out.
_SEARCH_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    benchmark: Benchmark
    start: float | None = None
    best: float | None = None
    evaluations: int = 0
    seconds: float = 0.0
    is_finished: bool = False


class Search:
    def __init__(
        self,
        plan: SearchPlan,
        files: SearchFiles,
        on_progress: Callable[[SearchProgress], None] = lambda _: None,
    ) -> None:
        self._plan = plan
        self._files = files
        self._tell = on_progress
        self._before = files.report
        self._began = time.monotonic()
        self._cpu = cpu_seconds()
        self._found: dict[str, Sequence] = {}

    def run(self) -> None:
        """Search on all programs that are not finished; the files of a run that has ended stay as they are.

        Raises:
            KeyboardInterrupt: It was interrupted; what was found until then is in the files.
            InvalidInput: The budget allows nothing.
            ServiceError: The compiler cannot be used; what was found until then is in the files.
            OSError: The files cannot be written.
        """
        finished = self._files.report.finished()
        left = len(self._plan.benchmarks) - len(finished)
        for benchmark in self._plan.benchmarks:
            done = finished.get(benchmark.uri)
            if done is None:
                self._search(benchmark, self._plan.budget(left, time.monotonic() - self._began))
                left -= 1
            else:
                self._tell(
                    SearchProgress(
                        benchmark=benchmark,
                        start=dict(done.improvements).get(0),
                        best=done.value,
                        evaluations=done.evaluations,
                        seconds=done.seconds,
                        is_finished=True,
                    )
                )
            _, actions = self._plan.environment.parse(self._files.states[benchmark.uri].commandline)
            self._found[benchmark.uri] = tuple(action for action in actions if not isinstance(action, tuple))
        ended = self._before.is_finished and len(finished) == len(self._plan.benchmarks)
        if not ended:  # files of a run that has ended stay as they are
            self._save_report(is_finished=not self.not_searched)

    @property
    def not_searched(self) -> list[str]:
        # Programs for which no time was left; the same run goes on with them.
        finished = self._files.report.finished()
        return [one.uri for one in self._plan.benchmarks if one.uri not in finished]

    def _agent(self, benchmark: Benchmark) -> Agent:
        plan = self._plan
        own = plan.given.get(benchmark.uri)
        given = (() if own is None else (own,)) + tuple(plan.given.values())
        found = tuple(reversed(self._found.values())) if plan.agent.learns else ()
        return plan.agent.make(sources_of(plan.known, given=given, found=found), plan.settings)

    def _search(self, benchmark: Benchmark, budget: Budget) -> None:
        plan = self._plan
        self._tell(SearchProgress(benchmark=benchmark))
        trial = _ProgramSearch(plan, benchmark, budget, self._agent(benchmark), self._tell)
        is_finished = False
        with closing(trial):
            try:
                trial.run()
                # The time of a run may be up before the last programs have had a share.
                is_finished = trial.evaluations > 0
            finally:  # after KeyboardInterrupt too: before anything else, keep what was found
                self._keep(trial, is_finished=is_finished)
        if is_finished:
            trial.show(is_finished=True)

    def _keep(self, trial: _ProgramSearch, *, is_finished: bool) -> None:
        result = trial.result(is_finished=is_finished)
        if result is None:
            return
        state, found = result
        before = self._files.begun(state.benchmark)
        # A whole search that can be repeated has found again what it had found when it was interrupted.
        if before is not None and not (is_finished and self._plan.minutes is None):
            state, found = self._continue_report(before, state, found)
        self._files.add(state, found)
        self._save_report()

    def _continue_report(
        self, before: ProgramReport, state: EnvState, found: ProgramReport
    ) -> tuple[EnvState, ProgramReport]:
        # What was found for a program, or found before if that is better; with the effort of both.
        objective = self._plan.objective
        later = ((before.evaluations + count, value) for count, value in found.improvements)
        better = (one for one in later if objective.loss(one[1]) < objective.loss(before.value))
        found = replace(
            found,
            improvements=(*before.improvements, *better),
            evaluations=before.evaluations + found.evaluations,
            actions_run=before.actions_run + found.actions_run,
            from_store=before.from_store + found.from_store,
            seconds=round(before.seconds + found.seconds, 3),
        )
        if objective.loss(found.value) <= objective.loss(before.value):
            return state, found
        kept = self._files.states[found.benchmark]
        return kept, replace(found, value=before.value, actions=before.actions)

    def _save_report(self, *, is_finished: bool = False) -> None:
        self._files.report = replace(
            self._files.report,
            cpu_seconds=self._before.cpu_seconds + cpu_seconds() - self._cpu,
            wall_seconds=self._before.wall_seconds + time.monotonic() - self._began,
            is_finished=is_finished,
        )
        self._files.save()


class _ProgramSearch:
    def __init__(
        self,
        plan: SearchPlan,
        benchmark: Benchmark,
        budget: Budget,
        agent: Agent,
        tell: Callable[[SearchProgress], None],
    ) -> None:
        self._plan = plan
        self._benchmark = benchmark
        self._budget = budget
        self._agent = agent
        self._tell = tell
        self._began = time.monotonic()
        self._evaluator: Evaluator | None = None
        self._known: KnownOutcomes | None = None
        self._spent = 0
        self._best: SearchOutcome | None = None
        self._sequence: Sequence = ()
        self._value: float | None = None
        self._improvements: dict[int, float] = {}  # The value by the evaluations until then

    def run(self) -> None:
        # Leaves actions out, too, and measures the result once more from the start.
        plan = self._plan
        if plan.store is not None:
            self._known = KnownOutcomes(plan.store, plan.environment, self._benchmark, seed=plan.seed)
        self._evaluator = evaluator = Evaluator(
            plan.environment,
            self._benchmark,
            self._budget,
            objective=plan.objective,
            nproc=plan.nproc,
            known=self._known,
        )
        self._budget = plan.affordable(self._budget, evaluator.start.costs[0])
        evaluator.budget = first = self._budget.part(_SEARCH_SHARE)
        self._take_outcome(evaluator.start)
        for outcome in self._agent(evaluator, first, generator(plan.seed, self._benchmark.uri)):
            self._take_outcome(outcome)
        rest = self._rest(first)
        if rest is not None and self._best is not None:
            self._spent, evaluator.budget = first.spent, rest
            self._take_outcome(minimise(evaluator, self._best))
        self._confirm(evaluator)

    def result(self, *, is_finished: bool) -> tuple[EnvState, ProgramReport] | None:
        if self._value is None:
            return None
        metric = self._plan.objective.metric.name
        value = _plain(self._value)
        state = EnvState(
            benchmark=self._benchmark.uri,
            commandline=self._plan.environment.commandline(self._sequence),
            claims={metric: value},
        )
        found = ProgramReport(
            benchmark=self._benchmark.uri,
            value=value,
            actions=len(self._sequence),
            evaluations=self.evaluations,
            actions_run=0 if self._evaluator is None else self._evaluator.actions_run,
            from_store=0 if self._known is None else self._known.answered,
            seconds=round(time.monotonic() - self._began, 2),
            is_finished=is_finished,
            improvements=tuple(self._improvements.items()),
            levels=dict(self._benchmark.baselines.get(metric, {})),
        )
        return state, found

    def close(self) -> None:
        if self._evaluator is not None:
            self._evaluator.close()

    @property
    def evaluations(self) -> int:
        budget = None if self._evaluator is None else self._evaluator.budget
        return self._spent + (0 if budget is None else budget.spent)

    def _rest(self, first: Budget) -> Budget | None:
        whole = self._budget
        if whole.evaluations is None:
            return None if whole.is_late else whole
        left = whole.evaluations - first.spent
        return Budget(left) if left > 0 else None

    def _take_outcome(self, outcome: SearchOutcome) -> None:
        # An outcome that is as good as the best is taken over, too.
        if self._best is not None and outcome.loss > self._best.loss:
            return
        is_better = self._best is None or outcome.loss < self._best.loss
        self._best = outcome
        self._sequence = outcome.prefix
        self._value = self._plan.objective.value(outcome.loss)
        if is_better and self._value is not None:
            # One value for each number of evaluations: several are made at a time.
            self._improvements[self.evaluations] = _plain(self._value)
        self.show()

    def _confirm(self, evaluator: Evaluator) -> None:
        # As a runner will measure it; without the actions that had no effect, if it is as good.
        objective, best = self._plan.objective, self._best
        if best is None:
            return
        for sequence in dict.fromkeys((best.effective, best.prefix)):
            value = evaluator.replayed(sequence)
            if sequence == best.prefix or objective.loss(value) <= best.loss:
                self._sequence, self._value = sequence, value
                return

    def show(self, *, is_finished: bool = False) -> None:
        evaluator, objective = self._evaluator, self._plan.objective
        self._tell(
            SearchProgress(
                benchmark=self._benchmark,
                start=None if evaluator is None else objective.value(evaluator.start.loss),
                best=self._value,
                evaluations=self.evaluations,
                seconds=time.monotonic() - self._began,
                is_finished=is_finished,
            )
        )


def _plain(value: float) -> float:
    # As JSON has it: the values of most metrics are whole.
    return int(value) if value.is_integer() else value


def generator(seed: int, uri: str) -> np.random.Generator:
    # It does not depend on which programs were searched before.
    number = int.from_bytes(hashlib.sha256(uri.encode()).digest()[:8], "big")
    return np.random.default_rng([seed, number])
