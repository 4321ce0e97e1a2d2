"""Runs what is not known of a sequence: a copy of the longest live prefix takes the actions that follow.

A failure of the compiler is what its action gives. A fault around the compiler, such as a process that was
killed from outside, says nothing about the sequence: it is run again from another copy, or from the start.
"""

from __future__ import annotations

import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from gymnasium.error import ResetNeeded

from optarena import errors
from optarena.outcome_store import OutcomeTrace

if TYPE_CHECKING:
    from optarena.agents.evaluator import CopyPool, LiveCopy
    from optarena.agents.outcomes import Objective, SearchOutcome
    from optarena.agents.outcomes import Sequence as Actions
    from optarena.env import CompilerEnv


@dataclass(slots=True, eq=False)
class PrefixNode:
    """A prefix: its last action, and what there was after it.

    Attributes:
        seconds: About how long the last action took; 0 until it ran here, if a store told of it.
        error: Why the last action failed; empty if it did not.
        is_lasting: Whether a failure is of the action itself, and not of the machine's load.
        measured: The objective's value, if it was measured here.
        regret: Seconds that a live copy here would have saved so far.
    """

    cost: float
    had_effect: bool = True
    parent: PrefixNode | None = None
    action: int = -1
    depth: int = 0
    seconds: float = 0.0
    error: str = ""
    is_lasting: bool = True
    is_final: bool = False
    measured: float | None = None
    regret: float = 0.0
    children: dict[int, PrefixNode] = field(default_factory=dict)

    @property
    def is_end(self) -> bool:
        # Nothing can follow.
        return self.is_final or bool(self.error)

    def known(self, actions: Sequence[int]) -> list[PrefixNode]:
        # This one first, the longest last.
        path = [self]
        for action in actions:
            following = path[-1].children.get(action)
            if following is None:
                break
            path.append(following)
        return path

    def follow(self, action: int, made: PrefixNode) -> PrefixNode:
        made.parent, made.action, made.depth = self, action, self.depth + 1
        return self.children.setdefault(action, made)

    def back_to(self, ancestor: PrefixNode) -> list[PrefixNode]:
        # Without the ancestor; this one is the last.
        path: list[PrefixNode] = []
        node: PrefixNode | None = self
        while node is not None and node is not ancestor:
            path.append(node)
            node = node.parent
        return path[::-1]

    def agrees(self, actions: Sequence[int], trace: OutcomeTrace) -> bool:
        # A trace must be whole, and contradict nothing that is known.
        if not trace.ends(actions):
            return False
        for node, cost, had_effect in zip(
            self.known(actions), trace.costs, (True, *trace.effects), strict=False
        ):
            if node.error or (node.cost, node.had_effect) != (cost, had_effect):
                return False
        return True

    def learn(self, actions: Sequence[int], trace: OutcomeTrace) -> tuple[PrefixNode, int]:
        # Replaces what was known. Returns the longest prefix that ran or failed, and how many were not known.
        node, before = self, len(self.known(actions))
        for action, cost, had_effect in zip(actions, trace.costs[1:], trace.effects, strict=False):
            node = node.follow(action, PrefixNode(cost))
            node.cost, node.had_effect, node.error = cost, had_effect, ""
        node.is_final = trace.is_final
        if trace.error:
            node = node.follow(actions[len(trace.effects)], PrefixNode(node.cost))
            node.error = trace.error
        return node, node.depth + 1 - before


@dataclass(frozen=True, slots=True)
class WalkSoFar:
    """What the next action of a walk is chosen by: the actions so far, their effects, and the observation."""

    actions: Actions
    effects: tuple[bool, ...]
    observation: Any

    @property
    def useless(self) -> frozenset[int]:
        """The actions that had no effect since the program changed: they would have none again."""
        found: set[int] = set()
        for action, had_effect in zip(reversed(self.actions), reversed(self.effects), strict=True):
            if had_effect:
                break
            found.add(action)
        return frozenset(found)


# Gives the next action, or None to end the walk. The same walk so far must give the same action: after a
# fault of the machine a walk is begun anew.
Chooser: TypeAlias = Callable[[WalkSoFar], int | None]


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that has ended; ``steps`` is what there was before each chosen action, and at the end."""

    outcome: SearchOutcome
    steps: tuple[WalkSoFar, ...]


T = TypeVar("T")
DoEach: TypeAlias = Callable[[Callable[[Any], None], list[Any]], object]
Step: TypeAlias = tuple[Any, Any, bool, bool, dict[str, Any]]
# So many times a sequence is run before a fault that repeats ends the search.
_ATTEMPTS: Final = 4
_FAULTS: Final = (errors.InfrastructureFault, errors.TransportError, errors.ServiceClosed)
# Failures that a busy machine can cause: they count if they repeat.
_LOAD: Final = (errors.SessionTimeout, errors.SessionOutOfMemory)
_TYPES_OF_LOAD: Final = frozenset(kind.error_type for kind in _LOAD)
# Stands for the objective's measurement where an action is named.
_MEASURING: Final = -1


def _is_load(error: errors.ServiceError | None) -> bool:
    if isinstance(error, errors.ValueUnavailable):
        return error.error_type in _TYPES_OF_LOAD
    return isinstance(error, _LOAD)


class Disturbed(Exception):
    """A trial ended in a way that says nothing about its sequence yet."""


class Trials:
    """Runs sequences on one program, and keeps what it saw in a tree of prefixes. Thread-safe.

    The environment, whose episode has just begun, belongs to this object from now on.
    """

    def __init__(self, env: CompilerEnv, objective: Objective, pool: CopyPool) -> None:
        self._env = env
        self._objective = objective
        self._pool = pool
        self._cost = env.environment.cost
        self._tree = threading.Lock()
        self._starting = threading.Lock()
        self._suspected: set[tuple[PrefixNode, int]] = set()
        self._running: set[CompilerEnv] = set()
        self._stopped = False
        self._singly = False
        self.root = PrefixNode(float(env.observation[self._cost]))
        self.actions = 0
        self.size = 1

    def know(self, actions: Sequence[int], most: float = math.inf) -> None:
        """Run what is not known about a sequence.

        The objective is measured at its end if the cost, as a loss, is at most ``most``.
        """
        self._retry_faults(lambda: self._try(actions, most))

    def walk(self, choose: Chooser, observation: str, most: int) -> tuple[WalkSoFar, ...]:
        # Returns what there was before each action and at the end; a last action that failed is named with
        # the observation before it.
        return self._retry_faults(lambda: self._walk(choose, observation, most))

    def look_ahead(self, prefix: Sequence[int], actions: Sequence[int]) -> None:
        # By one call; failures are left to `know`.
        self.know(prefix, -math.inf)
        with self._tree:
            path = self.root.known(prefix)
        if len(path) <= len(prefix) or path[-1].is_end:
            return
        node = path[-1]
        unknown = [action for action in dict.fromkeys(actions) if action not in node.children]
        if not unknown:
            return
        try:
            copy = self._live_copy(path)
            with copy.lock:
                began = time.monotonic()
                looked = copy.env.peek(unknown, observation_spaces=[self._cost])
        except (Disturbed, errors.ServiceError, ResetNeeded):
            return  # `know` finds out why
        seconds = (time.monotonic() - began) / len(looked)
        with self._tree:
            for action, step in zip(unknown, looked, strict=True):
                if "error_type" not in step[-1]:
                    self._add_node(node, action, step, seconds)

    def try_together(self, asked: Iterable[Sequence[int]], do_each: DoEach) -> None:
        # What is not known of some sequences, in children of the live copies' processes: that takes less time
        # than copies of their own. Failures are left to `know`. `do_each` does something for each of some.
        waiting = list(dict.fromkeys(asked))
        while waiting:
            waiting = self._try_round(waiting, do_each)

    def _try_round(self, asked: Iterable[Sequence[int]], do_each: DoEach) -> list[Sequence[int]]:
        # Returns those that begin as another one does: they wait until it is known.
        by_copy: dict[PrefixNode, list[Sequence[int]]] = defaultdict(list)
        begun: set[tuple[PrefixNode, int]] = set()
        waiting: list[Sequence[int]] = []
        for actions in asked:
            with self._tree:
                path = self.root.known(actions)
            node = path[-1]
            if node.is_end or node.depth == len(actions):
                continue
            if (node, actions[node.depth]) in begun:
                waiting.append(actions)
                continue
            begun.add((node, actions[node.depth]))
            by_copy[self._nearest_copy(path, by_copy)].append(actions)
        do_each(lambda one: self._try_walks(*one), list(by_copy.items()))
        return waiting

    def _try_walks(self, at: PrefixNode, several: list[Sequence[int]]) -> None:
        with suppress(Disturbed, errors.ServiceError, ResetNeeded):
            env, lock = self._env, self._starting
            if at is not self.root:
                copy = self._live_copy([self.root, *at.back_to(self.root)])
                env, lock = copy.env, copy.lock
            with lock:
                began = time.monotonic()
                walks = [actions[at.depth :] for actions in several]
                told = env.peek_walks(walks, observation_spaces=[self._cost], reward_spaces=[])
                seconds = (time.monotonic() - began) / sum(map(len, walks))
            for walk, steps in zip(walks, told, strict=True):
                self._learn_walk(at, walk, steps or [], seconds)

    def _nearest_copy(self, path: list[PrefixNode], planned: Container[PrefixNode]) -> PrefixNode:
        # The deepest prefix with a live copy, or one that is planned or pays now; the root has one.
        found = self._pool.deepest(path)
        known = (node for node in path if node in planned or (found and node is found[0]))
        at = max(known, key=lambda node: node.depth, default=path[0])
        return self._paying(path[-1].back_to(at)) or at

    def _paying(self, path: list[PrefixNode]) -> PrefixNode | None:
        # The deepest of these known prefixes at which a live copy would have paid by now.
        worth, saved, paying = self._pool.worth(sum(one.seconds for one in path)), 0.0, None
        for node in path:
            saved += node.seconds
            node.regret += saved
            if node.regret >= worth:
                paying, node.regret, saved = node, 0.0, 0.0
        return paying

    def _learn_walk(
        self, node: PrefixNode, walk: Sequence[int], steps: Sequence[Step], seconds: float
    ) -> None:
        with self._tree:
            self.actions += len(steps)
            for action, step in zip(walk, steps, strict=False):
                node = node.children.get(action) or self._add_node(node, action, step, seconds)
                if node.is_end:
                    break

    def lacks(self, actions: Sequence[int], most: float) -> bool:
        # Whether `know` would have to run something.
        with self._tree:
            node = self.root.known(actions)[-1]
        return not node.is_end and (node.depth < len(actions) or self._is_wanted(node, most))

    def trace(self, actions: Sequence[int]) -> OutcomeTrace | None:
        # The trace to store, or None if it is incomplete, or would differ elsewhere.
        with self._tree:  # `learn` may replace what a node says
            path = self.root.known(actions)
            last, ran = path[-1], [one for one in path if not one.error]
            if not (last.is_end or len(path) == len(actions) + 1) or not last.is_lasting:
                return None
            name, value = self._objective.metric.name, last.measured
            return OutcomeTrace(
                costs=tuple(one.cost for one in ran),
                effects=tuple(one.had_effect for one in ran[1:]),
                error=last.error,
                is_final=last.is_final,
                measured={} if value is None or not math.isfinite(value) else {name: value},
            )

    def agrees(self, actions: Sequence[int], trace: OutcomeTrace) -> bool:
        with self._tree:
            return self.root.agrees(actions, trace)

    def learn(self, actions: Sequence[int], trace: OutcomeTrace, most: float = math.inf) -> None:
        # The objective's value is taken over if `know` would measure it.
        with self._tree:
            node, added = self.root.learn(actions, trace)
            self.size += added
        if self._is_wanted(node, most):
            node.measured = trace.measured.get(self._objective.metric.name)

    def value(self, actions: Sequence[int]) -> float:
        # In a session that starts anew.
        suspected: list[errors.ServiceError] = []

        def measured() -> float:
            env = self._start_session()
            try:
                env.multistep(actions)
                if env.error is not None:
                    raise env.error
                metric = self._objective.metric
                return float(env.observe(metric.observation, cpu_seconds=metric.cpu_seconds))
            except errors.ServiceError as error:
                if suspected or not _is_load(error):
                    raise
                suspected.append(error)
                raise Disturbed from error
            finally:
                self._end_session(env)

        return self._retry_faults(measured)

    def start_again(self) -> Trials:
        # They begin with knowing nothing; live copies share their bounds.
        env = self._start_session()
        self._running.discard(env)
        return Trials(env, self._objective, self._pool)

    def forget(self) -> None:
        self._pool.clear()
        with self._tree:
            self.root = PrefixNode(self.root.cost)
            self._suspected.clear()
            self.size = 1

    def stop(self) -> None:
        # Even those that other threads wait for.
        self._stopped = True
        self._pool.clear()
        for env in list(self._running):
            env.close()
        self._env.close()

    def _retry_faults(self, run: Callable[[], T]) -> T:
        # Begun again after faults that say nothing about its actions.
        attempts = 0
        while True:
            attempts += 1
            try:
                return run()
            except (Disturbed, *_FAULTS, ResetNeeded) as error:
                if attempts == _ATTEMPTS or self._stopped:
                    why = error.__cause__ or error
                    raise errors.InfrastructureFault(f"A sequence could not be evaluated: {why}") from error

    def _walk(self, choose: Chooser, observation: str, most: int) -> tuple[WalkSoFar, ...]:
        env, node = self._start_session(), self.root
        try:
            walked = [WalkSoFar((), (), env.observe(observation))]
            while len(walked) <= most and (action := choose(walked[-1])) is not None:
                before, began = walked[-1], time.monotonic()
                spaces = [self._cost, observation]
                [step] = env.steps([action], observation_spaces=spaces)
                actions, seconds = (*before.actions, action), time.monotonic() - began
                with self._tree:
                    self.actions += 1
                    if "error_type" in step[-1]:
                        self._add_failure(node, action, env.error, str(step[-1]["error_details"]))
                        return (*walked, WalkSoFar(actions, (*before.effects, False), before.observation))
                    node = self._add_node(node, action, step, seconds)
                walked.append(WalkSoFar(actions, (*before.effects, node.had_effect), step[0][1]))
                if step[2]:  # the episode has ended
                    break
            return tuple(walked)
        finally:
            self._end_session(env)

    def _try(self, actions: Sequence[int], most: float) -> None:
        with self._tree:
            path = self.root.known(actions)
        node = path[-1]
        if node.is_end or (node.depth == len(actions) and not self._is_wanted(node, most)):
            return
        env, at = self._copy_deepest(path)
        try:
            self._repeat_known(env, node.back_to(at))
            if rest := actions[node.depth :]:
                node = self._run_unknown(env, node, rest)
            if self._is_wanted(node, most):
                self._measure(env, node)
        finally:
            self._end_session(env)

    def _run_unknown(self, env: CompilerEnv, node: PrefixNode, rest: Sequence[int]) -> PrefixNode:
        if self._singly and len(rest) > 1:
            for action in rest:
                node = self._run_unknown(env, node, [action])
                if node.is_end:
                    break
            return node
        began = time.monotonic()
        try:
            taken = env.steps(rest, observation_spaces=[self._cost])
        except errors.ValueUnavailable as error:
            self._singly = True
            if len(rest) > 1:  # it is not known after which of them there is no cost
                raise Disturbed from error
            with self._tree:
                return self._add_failure(node, rest[0], error, str(error))
        seconds = (time.monotonic() - began) / len(taken)
        with self._tree:
            self.actions += len(taken)
            for action, step in zip(rest, taken, strict=False):
                if "error_type" in step[-1]:
                    return self._add_failure(node, action, env.error, str(step[-1]["error_details"]))
                node = self._add_node(node, action, step, seconds)
        return node

    def _add_failure(
        self, node: PrefixNode, action: int, error: errors.ServiceError | None, details: str
    ) -> PrefixNode:
        if isinstance(error, _FAULTS):
            raise Disturbed from error
        if _is_load(error) and (node, action) not in self._suspected:
            self._suspected.add((node, action))
            raise Disturbed from error
        self.size += 1
        failed = PrefixNode(node.cost, error=details, is_lasting=not _is_load(error))
        return node.follow(action, failed)

    def _add_node(self, node: PrefixNode, action: int, step: Step, seconds: float) -> PrefixNode:
        observed, _, is_final, _, info = step
        self.size += 1
        had_effect = not info["action_had_no_effect"]
        made = PrefixNode(float(observed[0]), had_effect=had_effect, seconds=seconds, is_final=is_final)
        return node.follow(action, made)

    def _repeat_known(self, env: CompilerEnv, path: list[PrefixNode]) -> None:
        # Actions that are known; live copies are left where they would have paid.
        worth = self._pool.worth(sum(one.seconds for one in path))
        saved, begun = 0.0, 0
        for index, node in enumerate(path):
            saved += node.seconds
            node.regret += saved
            if node.regret < worth and index < len(path) - 1:
                continue
            self._take_again(env, path[begun : index + 1])
            begun = index + 1
            if node.regret >= worth:
                twin = self._fork(env)
                self._running.discard(twin)
                self._pool.keep(node, twin)
                node.regret = saved = 0.0

    def _take_again(self, env: CompilerEnv, path: list[PrefixNode]) -> None:
        began = time.monotonic()
        env.multistep([node.action for node in path])
        self.actions += len(path)
        if env.error is not None:
            raise Disturbed from env.error
        seconds = (time.monotonic() - began) / len(path)
        for node in path:
            node.seconds = node.seconds or seconds

    def _is_wanted(self, node: PrefixNode, most: float) -> bool:
        objective = self._objective
        is_open = not objective.is_cost and node.measured is None and not node.error
        return is_open and objective.cost_loss(node.cost) <= most

    def _measure(self, env: CompilerEnv, node: PrefixNode) -> None:
        metric = self._objective.metric
        try:
            node.measured = float(env.observe(metric.observation, cpu_seconds=metric.cpu_seconds))
        except _FAULTS as error:
            raise Disturbed from error
        except errors.ServiceError as error:
            if _is_load(error) and (node, _MEASURING) not in self._suspected:
                self._suspected.add((node, _MEASURING))
                raise Disturbed from error
            node.measured = math.inf if metric.lower_is_better else -math.inf

    def _live_copy(self, path: list[PrefixNode]) -> LiveCopy:
        found = self._pool.deepest(path)
        if found is None or found[0] is not path[-1]:
            env, at = self._copy_deepest(path)
            try:
                if known := path[-1].back_to(at):
                    self._take_again(env, known)
            except BaseException:
                self._end_session(env)
                raise
            self._running.discard(env)
            self._pool.keep(path[-1], env)
            found = self._pool.deepest(path)
        if found is None or found[0] is not path[-1]:
            raise Disturbed
        return found[1]

    def _copy_deepest(self, path: list[PrefixNode]) -> tuple[CompilerEnv, PrefixNode]:
        # A copy of the deepest live session of some prefixes, and its prefix; of the start if none lives.
        while (found := self._pool.deepest(path)) is not None:
            node, copy = found
            try:
                with copy.lock:
                    return self._fork(copy.env), node
            except (errors.ServiceError, ResetNeeded):  # it was killed, or has just given way
                self._pool.drop(node, copy)
        return self._start_session(), path[0]

    def _start_session(self) -> CompilerEnv:
        with self._starting:
            try:
                return self._fork(self._env)
            except (errors.ServiceError, ResetNeeded):
                if self._stopped:
                    raise
                self._env.reset()
                return self._fork(self._env)

    def _fork(self, env: CompilerEnv) -> CompilerEnv:
        began = time.monotonic()
        twin = env.fork()
        self._pool.timed(time.monotonic() - began)
        self._running.add(twin)
        return twin

    def _end_session(self, env: CompilerEnv) -> None:
        self._running.discard(env)
        env.close()
