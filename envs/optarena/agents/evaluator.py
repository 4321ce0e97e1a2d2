"""Evaluates sequences of actions on one program: in parallel, from live copies of prefixes."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Self, TypeVar

from optarena.actions import check_actions
from optarena.agents.outcomes import Budget, Objective, SearchOutcome, Sequence
from optarena.agents.trials import Chooser, PrefixNode, Trials, Walk, WalkSoFar
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.agents.searching import KnownOutcomes
    from optarena.datasets import Benchmark
    from optarena.outcome_store import OutcomeTrace
    from optarena.specs import EnvironmentSpec

MOST_COPIES: Final = 24
MOST_BYTES: Final = 1024**3
# Until a fork has been timed.
_FIRST_FORK_SECONDS: Final = 0.004
_WEIGHT: Final = 0.1


@dataclass(slots=True, eq=False)
class LiveCopy:
    """A session in the state of a prefix; hold the lock while you use the environment."""

    env: CompilerEnv
    bytes: int
    lock: threading.Lock = field(default_factory=threading.Lock)


class CopyPool:
    """The live copies of one evaluator; those that were not used for longest give way. Thread-safe."""

    def __init__(self, most: int = MOST_COPIES, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._nodes: OrderedDict[PrefixNode, LiveCopy] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._fork_seconds = _FIRST_FORK_SECONDS

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def bytes(self) -> int:
        """The memory that the copies can have to themselves."""
        return self._bytes

    def worth(self, path_seconds: float) -> float:
        """Return the seconds of repeated actions that a new copy must have been able to save.

        A copy costs a fork, so one pays once it could have saved as much. And it takes the place of another:
        the copies along two sequences of this duration should find room.
        """
        fitting = max(1, self._most_bytes * len(self._nodes) // self._bytes) if self._bytes else self._most
        room = max(1, min(self._most, fitting) // 2)
        return max(self._fork_seconds, path_seconds / room)

    def timed(self, seconds: float) -> None:
        """Count how long a fork took."""
        self._fork_seconds += _WEIGHT * (seconds - self._fork_seconds)

    def deepest(self, path: list[PrefixNode]) -> tuple[PrefixNode, LiveCopy] | None:
        """The longest of some prefixes that has a live copy, and the copy; None if none has one."""
        with self._lock:
            for node in reversed(path):
                copy = self._nodes.get(node)
                if copy is not None:
                    self._nodes.move_to_end(node)
                    return node, copy
        return None

    def keep(self, node: PrefixNode, env: CompilerEnv) -> None:
        """Keep an environment in the state of a prefix; it is closed when it gives way."""
        copy = LiveCopy(env, env.memory_bytes or 0)
        with self._lock:
            leaving = [] if node not in self._nodes else [self._remove(node)]
            self._nodes[node] = copy
            self._bytes += copy.bytes
            while len(self._nodes) > 1 and (len(self._nodes) > self._most or self._bytes > self._most_bytes):
                leaving.append(self._remove(next(iter(self._nodes))))
        _close(leaving)

    def drop(self, node: PrefixNode, copy: LiveCopy) -> None:
        """Give up a copy that can no longer be used."""
        with self._lock:
            leaving = [self._remove(node)] if self._nodes.get(node) is copy else []
        _close(leaving)

    def clear(self) -> None:
        """Close all copies, even those that are in use: whoever uses one gets an error."""
        with self._lock:
            leaving = [self._remove(node) for node in list(self._nodes)]
        for copy in leaving:
            copy.env.close()

    def _remove(self, node: PrefixNode) -> LiveCopy:
        copy = self._nodes.pop(node)
        self._bytes -= copy.bytes
        return copy


def _close(copies: list[LiveCopy]) -> None:
    for copy in copies:
        with copy.lock:  # somebody may be copying it
            copy.env.close()


T = TypeVar("T")
R = TypeVar("R")
# Sessions that may work at a time for one evaluator.
MAX_PROCESSES: Final = 64
# From so many sequences on that differ in their last action alone, these are tried by one call.
_LOOKED_AHEAD: Final = 4
# Sequences that one call tries.
_AT_ONCE: Final = 16
# How long a call may take if the budget is a time, which is looked at between two calls.
_CALL_SECONDS: Final = 1.0
# A prefix takes 280 to 380 bytes; then all are forgotten.
_MOST_PREFIXES: Final = 400_000


class Evaluator:
    """What an agent evaluates sequences with.

    What a sequence gives depends on nothing but the program and the sequence: neither on what was evaluated
    before, nor on the number of processes. One exception is an objective other than the cost: whether it is
    measured depends on the best sequence of the calls before.

    Args:
        environment: The environment, whose first action space the sequences are of.
        benchmark: The program.
        budget: What may be spent, a time from now on; the search may set another one.
        objective: What to minimise; the environment's cost if None.
        nproc: How many sessions work at a time.
        env: An environment to use instead of one with sessions on this machine; it is closed with this.
        most_copies: How many live copies of prefixes there may be.
        most_bytes: How much memory these may have to themselves.
        known: What a store knows of the program; it gets what is found out. Outcomes are the same without it.

    Attributes:
        budget: As the argument.
        objective: As the argument.
        names: The names of the actions, by index.
        start: The outcome of the empty sequence.

    Raises:
        InvalidInput: The number of processes is out of range, or the objective cannot be searched, or the
            program has other actions than the environment.
        ServiceError: The compiler cannot be started on the program.
    """

    def __init__(  # noqa: PLR0913 # all but the first three by keyword
        self,
        environment: EnvironmentSpec,
        benchmark: Benchmark,
        budget: Budget,
        *,
        objective: Objective | None = None,
        nproc: int = 1,
        env: CompilerEnv | None = None,
        most_copies: int = MOST_COPIES,
        most_bytes: int = MOST_BYTES,
        known: KnownOutcomes | None = None,
    ) -> None:
        if not 1 <= nproc <= MAX_PROCESSES:
            message, remedy = f"nproc is {nproc}.", f"Give a number from 1 to {MAX_PROCESSES}."
            raise InvalidInput(message, field="nproc", value=nproc, remedy=remedy)
        self.environment = environment
        self.benchmark = benchmark
        self.budget = budget
        self.objective = objective or Objective.of(environment)
        self.names = tuple(environment.action_table.names)
        self._nproc = nproc
        self._bar = math.inf
        self._best = math.inf
        self._threads: ThreadPoolExecutor | None = None
        self._known = known
        self._audit: Trials | None = None
        self._begun_ahead: set[Sequence] = set()  # a store does not have them yet
        self._actions_a_second = 0.0  # until some were timed
        env = env or CompilerEnv(environment)
        try:
            env.reset(options={"benchmark": benchmark, "observation_space": None, "reward_space": None})
            _check_actions(env, len(self.names))
            self.copies = CopyPool(most_copies, most_bytes)
            self._trials = Trials(env, self.objective, self.copies)
            self._trials.know((), math.inf)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            env.close()
            raise
        self.start = self._outcome(())
        self.budget.start()  # a large program takes seconds until here

    @property
    def actions_run(self) -> int:
        """How many actions the sessions have taken, those that only lead back to a prefix included.

        Actions that were tried by looking ahead are not counted.
        """
        return self._trials.actions + (0 if self._audit is None else self._audit.actions)

    def evaluate(
        self, sequences: Iterable[Iterable[int]], *, expected: Iterable[Sequence] = ()
    ) -> list[SearchOutcome]:
        """The outcomes of sequences, in their order.

        Each outcome counts as one evaluation of the budget. There are fewer outcomes than sequences where the
        budget is used up; each outcome names its ``actions``.

        Args:
            sequences: What is evaluated.
            expected: What will probably be asked next. Processes that have nothing else to do begin with it;
                it counts when it is asked.

        Raises:
            InvalidAction: An action is not in the action space.
            ServiceError: The compiler cannot be used, whatever the actions.
        """
        asked = self._charge_budget(self._check_sequence(actions) for actions in sequences)
        kept = self._recall_outcomes(asked)
        if 0 < len(asked) < self._nproc and all(self._trials.lacks(one, self._bar) for one in asked):
            ahead = list(itertools.islice(expected, self._nproc - len(asked)))
            if self._known is not None:
                self._begun_ahead.update(ahead)
            self._trials.try_together([*asked, *ahead], self._map_threads)
        done = self._run(self._trials, asked, lambda _: self._bar)
        self._store_outcomes(kept)
        self.budget.spent -= done.count(False)
        return self._outcomes([actions for actions, is_known in zip(asked, done, strict=True) if is_known])

    def walk(self, choosers: Iterable[Chooser], *, observation: str, most: int) -> list[Walk]:
        """Walks from the program as given, each action of which is chosen by what there is then.

        Each walk counts as one evaluation of the budget; there are fewer walks than choosers where it is used
        up.

        Args:
            choosers: Each chooses the actions of one walk.
            observation: The observation space that they look at.
            most: The most actions of a walk.

        Raises:
            UnknownName: There is no such observation space.
            ServiceError: The compiler cannot be used, whatever the actions.
        """

        def walked(choose: Chooser) -> tuple[WalkSoFar, ...]:
            if self.budget.is_late:
                return ()
            steps = self._trials.walk(choose, observation, most)
            self._trials.know(steps[-1].actions, self._bar)
            return steps

        paid = self._charge_budget(choosers)
        found = [steps for steps in self._map_threads(walked, paid) if steps]
        self.budget.spent -= len(paid) - len(found)
        outcomes = self._outcomes([steps[-1].actions for steps in found])
        return [Walk(*pair) for pair in zip(outcomes, found, strict=True)]

    def replayed(self, actions: Iterable[int]) -> float:
        """The metric's value after some actions in a session that starts anew, as a runner would find it.

        Raises:
            ServiceError: The compiler failed.
        """
        return self._trials.value(self._check_sequence(actions))

    def close(self) -> None:
        """End all sessions, at once. May be called again, and from another thread during an evaluation."""
        for trials in self._all_trials():
            trials.stop()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_sequence(self, actions: Iterable[int]) -> Sequence:
        checked = check_actions(self.environment.action_table, actions)
        return tuple(int(action) for action in checked if not isinstance(action, tuple))

    def _all_trials(self) -> list[Trials]:
        return [self._trials] if self._audit is None else [self._trials, self._audit]

    def _recall_outcomes(self, asked: list[Sequence]) -> dict[Sequence, OutcomeTrace | None]:
        if self._known is None or self.budget.is_late:
            return {}
        begun, self._begun_ahead = self._begun_ahead, self._begun_ahead.difference(asked)
        lacking = [
            actions
            for actions in dict.fromkeys(asked)
            if actions in begun or self._trials.lacks(actions, self._bar)
        ]
        found = self._known.find(lacking)
        doubted: dict[Sequence, OutcomeTrace] = {}
        for actions, trace in found.items():
            if self._known.is_drawn(actions) or not self._trials.agrees(actions, trace):
                doubted[actions] = trace
            else:
                self._trials.learn(actions, trace, self._bar)
        if doubted:
            self._check(self._known, doubted)
        return {actions: found.get(actions) for actions in lacking}

    def _check(self, known: KnownOutcomes, doubted: dict[Sequence, OutcomeTrace]) -> None:
        # Apart from all that the store told.
        self._audit = self._audit or self._trials.start_again()
        metric = self.objective.metric.name
        self._run(
            self._audit,
            list(doubted),
            lambda actions: math.inf if metric in doubted[actions].measured else -math.inf,
        )
        for actions, kept in doubted.items():
            ran = self._audit.trace(actions)
            if ran is not None:
                known.compare(actions, kept, ran)
                self._trials.learn(actions, ran, self._bar)

    def _store_outcomes(self, kept: dict[Sequence, OutcomeTrace | None]) -> None:
        if self._known is None:
            return
        new: dict[Sequence, OutcomeTrace] = {}
        for actions, before in kept.items():
            made = self._trials.trace(actions)
            if made is None:
                continue
            if before is None or made.contradicts(before):
                new[actions] = made
            elif made.measured.keys() - before.measured.keys():
                new[actions] = replace(made, measured={**before.measured, **made.measured})
        self._known.keep(new)

    def _run(self, trials: Trials, asked: list[Sequence], most: Callable[[Sequence], float]) -> list[bool]:
        def know(actions: Sequence) -> bool:
            if self.budget.is_late and trials.lacks(actions, most(actions)):
                return False
            trials.know(actions, most(actions))
            return True

        self._look_ahead(trials, asked)
        lacking = [actions for actions in asked if trials.lacks(actions, -math.inf)]
        for several in self._portions(trials, lacking, max(map(len, lacking), default=0) or 1, _AT_ONCE):
            trials.try_together(several, self._map_threads)
        return self._map_threads(know, asked)

    def _portions(self, trials: Trials, asked: list[T], length: int, most: int) -> Iterator[list[T]]:
        # What one call tries of what has this many actions, until the time is up.
        number = most
        while asked and not self.budget.is_late:
            if math.isfinite(self.budget.seconds):
                quick = int(self._actions_a_second * _CALL_SECONDS / length)
                number = max(self._nproc, min(quick, most))
            several, asked = asked[:number], asked[number:]
            before, began = trials.actions, time.monotonic()
            yield several
            ran = trials.actions - before or len(several)  # those of a look ahead are not counted
            self._actions_a_second = ran / (time.monotonic() - began)

    def _look_ahead(self, trials: Trials, asked: list[Sequence]) -> None:
        families: dict[Sequence, list[int]] = defaultdict(list)
        for actions in asked:
            if actions:
                families[actions[:-1]].append(actions[-1])
        for prefix, last in families.items():
            if len(last) >= _LOOKED_AHEAD:
                for several in self._portions(trials, last, 1, len(last)):
                    trials.look_ahead(prefix, several)

    def _charge_budget(self, asked: Iterable[T]) -> list[T]:
        # The caller takes back what the time does not suffice for.
        paid = list(itertools.islice(asked, self.budget.left))
        self.budget.spent += len(paid)
        for trials in self._all_trials():
            if trials.size > _MOST_PREFIXES:
                trials.forget()
        return paid

    def _map_threads(self, work: Callable[[T], R], asked: list[T]) -> list[R]:
        if self._nproc == 1 or len(asked) == 1:
            return [work(one) for one in asked]
        self._threads = self._threads or ThreadPoolExecutor(self._nproc, "evaluator")
        return list(self._threads.map(work, asked))

    def _outcomes(self, known: list[Sequence]) -> list[SearchOutcome]:
        # The best so far decides what is measured later.
        outcomes = [self._outcome(actions) for actions in known]
        for outcome in outcomes:
            if outcome.loss < self._best:
                self._best = outcome.loss
                self._bar = self.objective.still_near(outcome.costs[-1])
        return outcomes

    def _outcome(self, actions: Sequence) -> SearchOutcome:
        path = self._trials.root.known(actions)
        ran = [node for node in path if not node.error]
        costs = tuple(node.cost for node in ran)
        effects = tuple(node.had_effect for node in ran[1:])
        loss, length = math.inf, len(effects)
        if path[-1].error:
            return SearchOutcome(actions, costs, effects, loss, length, path[-1].error)
        if self.objective.is_cost:
            losses = [self.objective.cost_loss(cost) for cost in costs]
            loss = min(losses)
            length = losses.index(loss)
        elif path[-1].measured is not None:
            loss = self.objective.loss(path[-1].measured)
        return SearchOutcome(actions, costs, effects, loss, length)


def _check_actions(env: CompilerEnv, count: int) -> None:
    # Agents draw from all actions of the environment.
    own = getattr(env.action_space, "n", count)
    if own != count:
        message = (
            f"{env.environment.slug} has {count} actions, of which {env.benchmark.uri} takes {own} alone."
        )
        remedy = "Act on it by its environment: agents choose among all actions that an environment has."
        raise InvalidInput(message, field="env", value=env.environment.slug, remedy=remedy)
