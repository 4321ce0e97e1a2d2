"""The agents that search: lists, random walks, greedy, local, genetic, by nevergrad, and by a policy.

``local`` is a local search around the best known sequence. A candidate changes the present sequence by one
insertion, replacement, deletion or move, by an action at its end, or by a block of another good sequence.
What was found on other programs is a source of blocks and of how often actions are useful. The steps that
are not worse are taken, so that the search crosses plateaus. From time to time every action is tried at the
end of the best sequence, which takes less than a tenth of the time of as many other candidates: sessions
look ahead without being copied.
"""

from __future__ import annotations

import importlib
import itertools
import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.actions import Decisions
from optarena.errors import ToolMissing
from optarena.limits import MAX_ACTIONS_PER_ITEM

if TYPE_CHECKING:
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import Agent, Budget, Proposer, SearchOutcome, Sequence
    from optarena.agents.policies import Policy
    from optarena.agents.trials import Chooser, WalkSoFar

_SEQUENCES_AT_ONCE = 4


def best_of(sequences: Iterable[Sequence]) -> Agent:
    """Make the agent that tries these sequences in their order, as many as the budget allows."""
    known = tuple(dict.fromkeys(sequences))

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        del rng
        yield from improvements(evaluator, budget, known)

    return search


def improvements(
    evaluator: Evaluator, budget: Budget, sequences: Iterable[Sequence]
) -> Iterator[SearchOutcome]:
    """Evaluate sequences, some at a time; yields each outcome that is better than those before."""
    best, waiting = evaluator.start, list(sequences)
    while waiting and budget.left:
        for outcome in evaluator.evaluate(waiting[:_SEQUENCES_AT_ONCE]):
            if outcome.loss < best.loss:
                best = outcome
                yield best
        del waiting[:_SEQUENCES_AT_ONCE]


def minimise(evaluator: Evaluator, best: SearchOutcome, *, most: int | None = None) -> SearchOutcome:
    """Leave out actions one by one, the last first, as long as the result does not get worse.

    Takes at most one evaluation for each action and one more, and no more than the budget has or ``most``.
    Of results with equal losses boards put the earlier one first, and people read the shorter one.

    Returns:
        An outcome that is at least as good, all of whose actions had an effect or were not tried; ``best``
        itself if it is worth nothing, since every other sequence would be as good.
    """
    budget = evaluator.budget
    last = budget.spent + (budget.left if most is None else most)
    kept = best
    if budget.spent >= last or math.isinf(best.loss) or _decisions(evaluator):
        return kept
    for outcome in evaluator.evaluate([best.effective]):
        kept = outcome if outcome.loss <= best.loss else best
    position = kept.length - 1
    while position >= 0 and budget.left and budget.spent < last:
        actions = kept.prefix
        shorter = (actions[:place] + actions[place + 1 :] for place in range(position, -1, -1))
        for outcome in evaluator.evaluate([next(shorter)], expected=shorter):
            if outcome.loss <= kept.loss:
                kept = outcome
        position = min(position, kept.length) - 1
    return kept


# Of the budget, for known sequences.
_START_SHARE: Final = 0.4
# The probability of taking a step that changes nothing.
_SIDEWAYS: Final = 0.3
# The part of actions that are drawn with equal probabilities.
_UNIFORM: Final = 0.15
# What an action that was part of an improvement counts more, beside its occurrences in known sequences.
_SUCCESS: Final = 2.0
# The part of actions that are drawn as they are proposed, where there is a proposer.
_PROPOSED: Final = 0.5
# How many changes are drawn to find a candidate that was not tried lately.
_TRIES: Final = 20
# After so many candidates every action is tried at the end of the best sequence, if there is a new one.
_PATIENCE: Final = 64
_REMEMBERED: Final = 4_000
# So many actions that decide by default suffice for all further questions of any program.
_MOST_DEFAULTS: Final = 100
# So many questions are answered one by one. Each step of a walk has all actions before it.
_MOST_ASKED: Final = 3000
# Of the budget, for answers to all questions about the same thing.
_RULE_SHARE: Final = 0.75
# The lengths of blocks, the last one excluded.
_BLOCK: Final = (2, 6)


def local(
    starts: Iterable[Sequence],
    found: Iterable[Sequence] = (),
    *,
    batch: int = 4,
    tried: int | None = None,
    proposer: Proposer | None = None,
) -> Agent:
    """Make the agent that changes the best known sequence.

    Args:
        starts: Sequences to try first, the most promising first.
        found: Sequences that were found on other programs; they are tried after the others.
        batch: How many candidates are evaluated at a time, whatever the number of processes.
        tried: How many sequences are tried at most before the search; blocks are taken from all of them.
        proposer: Says which actions are promising at each place of the best sequence.
    """
    starts = tuple(starts)
    known = tuple(dict.fromkeys((*starts, *found)))
    own = known[: bool(starts)]  # decisions on another program's questions mean nothing
    return partial(_search, known=known, starts=known[:tried], own=own, batch=batch, proposer=proposer)


def _search(  # noqa: PLR0913 # what an agent gets, and what this one was made of
    evaluator: Evaluator,
    budget: Budget,
    rng: np.random.Generator,
    *,
    known: tuple[Sequence, ...],
    starts: tuple[Sequence, ...],
    own: tuple[Sequence, ...],
    batch: int,
    proposer: Proposer | None,
) -> Iterator[SearchOutcome]:
    if decisions := _decisions(evaluator):
        yield from _decide(evaluator, budget, decisions, own, batch)
        return
    best = evaluator.start
    most = max(1, int(_START_SHARE * min(budget.left, len(starts) / _START_SHARE)))
    first = budget.part(_START_SHARE) if budget.is_timed else budget
    for best in improvements(evaluator, first, starts[:most]):  # the last one counts
        yield best
    changes = Changes(rng, len(evaluator.names), known, proposer)
    present, quiet, ahead = best, _PATIENCE, math.inf
    while budget.left:
        is_ahead = quiet >= _PATIENCE and best.loss < ahead
        if is_ahead:
            present, ahead = best, best.loss
            tried = changes.continuations(best.effective)
        else:
            if quiet >= _PATIENCE:
                present = best = minimise(evaluator, best, most=budget.left // 3)
                quiet = 0
            changes.consult(evaluator, best.effective)
            tried = changes.candidates(present.effective, batch)
            quiet += batch
        before = present.effective
        for outcome in evaluator.evaluate(tried):
            if outcome.loss < best.loss:
                changes.succeeded(before, outcome.effective)
                present = best = outcome
                yield best
            elif not is_ahead and outcome.loss == present.loss and rng.random() < _SIDEWAYS:
                present = outcome


def _decisions(evaluator: Evaluator) -> Decisions | None:
    table = evaluator.environment.action_table
    return table if isinstance(table, Decisions) else None


def _decide(
    evaluator: Evaluator, budget: Budget, decisions: Decisions, own: tuple[Sequence, ...], batch: int
) -> Iterator[SearchOutcome]:
    # First all questions about the same thing are answered alike, and then one question after the other is
    # answered otherwise than in the best sequence. Nothing is left to chance.
    best = evaluator.start
    for best in improvements(evaluator, budget, [(decisions.defaults,) * _MOST_DEFAULTS, *own]):
        yield best  # the last one counts
    if set(best.prefix) <= {decisions.defaults}:
        for ruled in _rule(evaluator, budget, decisions, best, batch):
            best = ruled
            yield best
    yield from _answer(evaluator, budget, decisions, best, batch)


def _rule(
    evaluator: Evaluator, budget: Budget, decisions: Decisions, best: SearchOutcome, batch: int
) -> Iterator[SearchOutcome]:
    # A rule says yes or no to all questions about one thing: first those rules that answer most questions
    # otherwise than the compiler does.
    advice = _asked(evaluator, decisions, (), decisions.margin)
    topics = _asked(evaluator, decisions, (), decisions.topic)
    pairs = zip(topics, advice, strict=False)  # one is empty where the budget has ended
    changed = Counter((topic, int(margin > 0)) for topic, margin in pairs)
    waiting = deque(rule for rule, _ in changed.most_common())
    part = budget.part(_RULE_SHARE) if budget.is_timed else budget
    last, rules = budget.spent + int(budget.left * _RULE_SHARE), dict[int, int]()

    def chooser(topic: int, answer: int) -> Chooser:
        tried = {**rules, topic: answer}

        def choose(walk: WalkSoFar) -> int:
            if len(walk.actions) >= _MOST_ASKED:
                return decisions.defaults
            return tried.get(int(walk.observation), decisions.default)

        return choose

    while part.left and budget.spent < last and waiting:
        tried = [waiting.popleft() for _ in range(min(batch, len(waiting)))]
        walks = evaluator.walk(
            [chooser(*rule) for rule in tried], observation=decisions.topic, most=MAX_ACTIONS_PER_ITEM
        )
        good = [
            (walk.outcome, rule)
            for rule, walk in zip(tried, walks, strict=False)
            if walk.outcome.loss < best.loss
        ]
        if good:
            best, (topic, answer) = min(good, key=lambda pair: pair[0].loss)
            yield best
            rules[topic] = answer
            waiting.extendleft(rule for _, rule in reversed(good) if rule[0] != topic)


def _asked(evaluator: Evaluator, decisions: Decisions, answers: Sequence, observation: str) -> list[int]:
    # What is observed at each question if the first ones are answered so.
    def choose(walk: WalkSoFar) -> int:
        return answers[len(walk.actions)] if len(walk.actions) < len(answers) else decisions.default

    walks = evaluator.walk([choose], observation=observation, most=_MOST_ASKED)
    return [int(step.observation) for walk in walks for step in walk.steps[:-1]]


def _answer(
    evaluator: Evaluator, budget: Budget, decisions: Decisions, best: SearchOutcome, batch: int
) -> Iterator[SearchOutcome]:
    # One question after the other: first those that are least clear to the compiler.
    explicit = tuple(itertools.takewhile(lambda action: action != decisions.defaults, best.prefix))
    margins = _asked(evaluator, decisions, explicit, decisions.margin)
    chosen = {place: action for place, action in enumerate(explicit) if action != decisions.default}
    rest = (place for place in range(len(margins)) if place not in chosen)
    waiting = deque(sorted(rest, key=lambda place: abs(margins[place])))
    while budget.left and waiting:
        places = [waiting.popleft() for _ in range(min(batch, len(waiting)))]
        tried = [_sequence({**chosen, place: int(margins[place] > 0)}, decisions) for place in places]
        good = [
            (outcome, place)
            for place, outcome in zip(places, evaluator.evaluate(tried), strict=False)
            if outcome.loss < best.loss
        ]
        if good:
            best, kept = min(good, key=lambda pair: pair[0].loss)
            yield best
            chosen[kept] = int(margins[kept] > 0)
            waiting.extendleft(place for _, place in reversed(good) if place != kept)


def _sequence(chosen: Mapping[int, int], decisions: Decisions) -> Sequence:
    explicit = [chosen.get(place, decisions.default) for place in range(max(chosen) + 1)]
    return (*explicit, *(decisions.defaults,) * _MOST_DEFAULTS)


class Changes:
    """Makes candidates out of a sequence."""

    def __init__(
        self,
        rng: np.random.Generator,
        size: int,
        known: tuple[Sequence, ...],
        proposer: Proposer | None = None,
    ) -> None:
        self._rng = rng
        self._proposer = proposer
        self._proposed: list[np.ndarray[Any, np.dtype[np.float64]]] = []
        self._consulted: Sequence | None = None
        self._size = size
        self._known = [one for one in known if len(one) >= _BLOCK[0]]
        self._counts = np.ones(size)
        for sequence in known:
            np.add.at(self._counts, list(sequence), 1.0)
        self._lately: deque[Sequence] = deque(maxlen=_REMEMBERED)
        self._kinds: tuple[tuple[Callable[[list[int]], None], float], ...] = (
            (self._insert, 0.28),
            (self._append, 0.18),
            (self._replace, 0.2),
            (self._take_block, 0.2),
            (self._move, 0.09),
            (self._delete, 0.05),
        )
        self._shares = np.array([share for _, share in self._kinds])

    def consult(self, evaluator: Evaluator, sequence: Sequence) -> None:
        """Have the proposer look at a sequence, unless it did: it spends one evaluation."""
        if self._proposer is not None and sequence != self._consulted and evaluator.budget.left > 1:
            self._consulted = sequence
            self._proposed = self._proposer(evaluator, sequence) or self._proposed

    def continuations(self, sequence: Sequence) -> list[Sequence]:
        """A sequence with each action at its end, in a random order."""
        return [(*sequence, action) for action in self._rng.permutation(self._size).tolist()]

    def candidates(self, sequence: Sequence, count: int) -> list[Sequence]:
        """Some sequences that differ from one by a change, and were not made lately."""
        made: list[Sequence] = []
        for _ in range(count):
            for _ in range(_TRIES):
                actions = list(sequence)
                kind = int(self._rng.choice(len(self._kinds), p=self._shares))
                self._kinds[kind][0](actions)
                changed = tuple(actions)
                if changed not in self._lately:
                    break
            self._lately.append(changed)
            made.append(changed)
        return made

    def succeeded(self, before: Sequence, after: Sequence) -> None:
        """Have the actions that an improvement added drawn more often."""
        added = np.bincount(after, minlength=self._size) - np.bincount(before, minlength=self._size)
        self._counts += _SUCCESS * np.maximum(added, 0)
        self._known.append(after)

    def _place(self, actions: list[int], more: int = 0) -> int:
        return int(self._rng.integers(len(actions) + more))

    def _draw(self, place: int) -> int:
        if self._proposed and self._rng.random() < _PROPOSED:
            odds = self._proposed[min(place, len(self._proposed) - 1)]
            return int(self._rng.choice(self._size, p=odds))
        if self._rng.random() < _UNIFORM:
            return int(self._rng.integers(self._size))
        return int(self._rng.choice(self._size, p=self._counts / self._counts.sum()))

    def _insert(self, actions: list[int]) -> None:
        place = self._place(actions, 1)
        actions.insert(place, self._draw(place))

    def _append(self, actions: list[int]) -> None:
        actions.append(self._draw(len(actions)))

    def _replace(self, actions: list[int]) -> None:
        if actions:
            place = self._place(actions)
            actions[place] = self._draw(place)
        else:
            self._append(actions)

    def _delete(self, actions: list[int]) -> None:
        if actions:
            del actions[self._place(actions)]

    def _move(self, actions: list[int]) -> None:
        if actions:
            action = actions.pop(self._place(actions))
            actions.insert(self._place(actions, 1), action)

    def _take_block(self, actions: list[int]) -> None:
        if not self._known:
            self._insert(actions)
            return
        source = self._known[int(self._rng.integers(len(self._known)))]
        length = min(int(self._rng.integers(*_BLOCK)), len(source))
        begin = int(self._rng.integers(len(source) - length + 1))
        place = self._place(actions, 1)
        actions[place:place] = source[begin : begin + length]


_WALKS_AT_ONCE = 8


def random_walks(*, length: int = 80) -> Agent:
    """Make the agent that takes random walks of this length."""

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        while budget.left:
            walks = [rng.integers(len(evaluator.names), size=length).tolist() for _ in range(_WALKS_AT_ONCE)]
            for outcome in evaluator.evaluate(walks):
                if outcome.loss < best.loss:
                    best = outcome
                    yield best

    return search


def greedy(starts: Iterable[Sequence], *, width: int = 1) -> Agent:
    """Make the agent that appends the best action to each of the ``width`` best sequences.

    Of those that are equally good one is kept, since they mostly lead to the same program.
    """
    known = tuple(starts)

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        for best in improvements(evaluator, budget, known):  # the last one counts
            yield best
        order = rng.permutation(len(evaluator.names)).tolist()
        beam = [best]
        while beam and budget.left:
            tried = [(*kept.prefix, action) for kept in beam for action in order]
            worst, members = max(kept.loss for kept in beam), {kept.prefix for kept in beam}
            # A member with a useless action is the member again, whose continuations have been tried.
            new = [one for one in evaluator.evaluate(tried) if one.prefix not in members]
            found = {one.loss: one for one in reversed(new) if one.loss < worst}
            beam = [found[loss] for loss in sorted(found)[:width]]
            if beam and beam[0].loss < best.loss:
                best = beam[0]
                yield best

    return search


_CHILDREN_AT_ONCE: Final = 4
# The probability of a child of two sequences.
_JOINED: Final = 0.6
# The probability that both are cut at the same place, so that the child is no longer than its parents.
_SAME_PLACE: Final = 0.3
# The probability that a child of two sequences is changed; another one always is.
_CHANGED: Final = 0.7


def genetic(starts: Iterable[Sequence], found: Iterable[Sequence] = (), *, size: int = 16) -> Agent:
    """Make the agent that keeps a pool of ``size`` sequences, and joins them."""
    known = tuple(dict.fromkeys((*starts, *found)))

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        changes = Changes(rng, len(evaluator.names), known)
        pool, best = _Pool(rng, size, evaluator.start), evaluator.start
        first = budget.part(_START_SHARE) if budget.is_timed else budget
        waiting = list(known[: max(1, int(_START_SHARE * min(budget.left, len(known) / _START_SHARE)))])
        while budget.left:
            if waiting and first.left:
                tried, waiting = waiting[:_CHILDREN_AT_ONCE], waiting[_CHILDREN_AT_ONCE:]
            else:
                tried = [pool.child(changes) for _ in range(_CHILDREN_AT_ONCE)]
            for outcome in evaluator.evaluate(tried):
                pool.add(outcome)
                if outcome.loss < best.loss:
                    changes.succeeded(best.effective, outcome.effective)
                    best = outcome
                    yield best

    return search


class _Pool:
    # The best sequences so far, by their effective actions.

    def __init__(self, rng: np.random.Generator, size: int, start: SearchOutcome) -> None:
        self._rng = rng
        self._size = size
        self._kept: dict[Sequence, SearchOutcome] = {start.effective: start}

    def add(self, outcome: SearchOutcome) -> None:
        # Of equally good ones, the shorter is kept.
        if math.isfinite(outcome.loss):
            self._kept.setdefault(outcome.effective, outcome)
        if len(self._kept) > self._size:
            del self._kept[max(self._kept, key=lambda one: (self._kept[one].loss, len(one)))]

    def child(self, changes: Changes) -> Sequence:
        first, second = self._parent(), self._parent()
        made = first
        if self._rng.random() < _JOINED:
            end = int(self._rng.integers(len(first) + 1))
            begin = int(self._rng.integers(len(second) + 1))
            if self._rng.random() < _SAME_PLACE:
                begin = min(end, len(second))
            made = first[:end] + second[begin:]
        if made == first or self._rng.random() < _CHANGED:
            [made] = changes.candidates(made, 1)
        return made

    def _parent(self) -> Sequence:
        drawn = self._rng.integers(len(self._kept), size=2).tolist()
        sequences = list(self._kept)
        return min((sequences[one] for one in drawn), key=lambda one: self._kept[one].loss)


# Those that do well on rows of numbers without an order, the default first.
OPTIMISERS: Final = ("PortfolioDiscreteOnePlusOne", "DiscreteOnePlusOne", "NGOpt")
_CANDIDATES_AT_ONCE: Final = 4
# What an optimiser plans for where the budget is a time.
_MOST: Final = 10_000
# A sequence that failed counts as so many times the program as given.
_WORST: Final = 10.0


def optimised(starts: Iterable[Sequence], *, optimiser: str, length: int) -> Agent:
    """Make the agent that has one of ``OPTIMISERS`` change the best of some sequences.

    Raises:
        ToolMissing: Nevergrad is not installed.
    """
    nevergrad, known = _installed(), tuple(starts)

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        for best in improvements(evaluator, budget, known):  # the last one counts
            yield best
        if not budget.left:
            return
        start, none = evaluator.start.loss, len(evaluator.names)
        worst = start + _WORST * abs(start)
        row = np.full(length, float(none))
        actions = best.effective[:length]
        row[: len(actions)] = actions
        numbers = nevergrad.p.Array(init=row, lower=0, upper=none).set_integer_casting()
        numbers.random_state = np.random.RandomState(int(rng.integers(2**31)))
        asked = nevergrad.optimizers.registry[optimiser](
            numbers, min(budget.left, _MOST), num_workers=_CANDIDATES_AT_ONCE
        )
        while budget.left:
            candidates = [asked.ask() for _ in range(min(_CANDIDATES_AT_ONCE, budget.left))]
            sequences = [[int(one) for one in each.value if one < none] for each in candidates]
            for candidate, outcome in zip(candidates, evaluator.evaluate(sequences), strict=False):
                asked.tell(candidate, worst if math.isinf(outcome.loss) else outcome.loss)
                if outcome.loss < best.loss:
                    best = outcome
                    yield best

    return search


def _installed() -> Any:  # noqa: ANN401 # Nevergrad is optional
    try:
        return importlib.import_module("nevergrad")
    except ImportError as error:
        message, remedy = "Nevergrad is not installed.", "Install it: pip install 'optarena[nevergrad]'."
        raise ToolMissing(message, field="nevergrad", value="nevergrad", remedy=remedy) from error


_EPISODES_AT_ONCE: Final = 4


def ppo(policy: Policy) -> Agent:
    """Make the agent that follows a policy."""

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        choosers: list[Chooser] = [lambda walk: int(policy.probabilities([walk])[0].argmax())]
        while budget.left:
            for walk in evaluator.walk(choosers, observation=policy.observation, most=policy.length):
                if walk.outcome.loss < best.loss:
                    best = walk.outcome
                    yield best
            choosers = [drawn(policy, rng.random(policy.length)) for _ in range(_EPISODES_AT_ONCE)]

    return search


def drawn(policy: Policy, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> Chooser:
    """Draw actions from the policy by numbers from 0 to 1, one for each action, drawn beforehand."""

    def choose(walk: WalkSoFar) -> int:
        sums = policy.probabilities([walk])[0].cumsum()
        return int(np.searchsorted(sums, numbers[len(walk.actions)] * sums[-1], side="right"))

    return choose


def proposer(policy: Policy) -> Proposer:
    """Proposes actions for the places of a sequence, by what the policy sees there."""

    def propose(evaluator: Evaluator, sequence: Sequence) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
        def choose(walk: WalkSoFar) -> int:
            return sequence[len(walk.actions)]

        walks = evaluator.walk([choose], observation=policy.observation, most=len(sequence))
        return [row for walk in walks for row in policy.probabilities(walk.steps)]

    return propose
