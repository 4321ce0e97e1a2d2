"""Searches on many machines: Ray actors hold environments, and this driver hands out programs and candidates.

    python examples/distributed/search.py --dataset kernels-v0 --actors 2 --evaluations 40 --output found.csv

In the first round every program is searched from what the package knows. In each further round it is searched
again from the best sequences of all programs. A round ends when all its programs are finished, so what is
found depends neither on the number of actors nor on their speed. An actor that is killed is started again,
and its program is searched again; with a store, outcomes that were known by then are not computed twice.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from optarena.agents import Budget, Evaluator, minimise
from optarena.agents.catalogue import agent_named, sources_of
from optarena.agents.searching import KnownOutcomes, generator
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.outcome_store import open_store
from optarena.specs import environment_spec
from optarena.state import EnvState, write_states

Sequence = tuple[int, ...]
SEARCH_SHARE = 0.8  # the part of the evaluations that the agent gets; the rest is for leaving actions out
BEHIND = 8  # how many of the other programs' sequences a program begins with


@dataclass(frozen=True)
class Found:
    """What a search found: the best sequence, its cost in a session that starts anew, and who found it."""

    actions: Sequence
    cost: float
    answered: int
    pid: int


class Searcher:
    """Searches on one program at a time; as an actor, in a process or on a machine of its own."""

    def __init__(self, environment: str, agent: str, store: str, service: str) -> None:
        self.spec = environment_spec(environment)
        self.agent = agent_named(agent)
        self.store = open_store(store) if store else None
        self.service = service or None

    def search(self, uri: str, candidates: list[Sequence], evaluations: int, seed: int) -> Found:
        """Search on a program, beginning with candidates from other programs."""
        benchmark = datasets().benchmark(uri)
        known = None if self.store is None else KnownOutcomes(self.store, self.spec, benchmark, seed=seed)
        sources = sources_of(self.agent.known(self.spec.action_table), given=(), found=tuple(candidates))
        search = self.agent.make(sources, self.agent.settings({}))
        budget = Budget(max(1, round(evaluations * SEARCH_SHARE)))
        env = CompilerEnv(self.spec, service=self.service)
        with Evaluator(self.spec, benchmark, budget, env=env, known=known) as evaluator:
            best = evaluator.start
            for best in search(evaluator, budget, generator(seed, uri)):  # noqa: B007 # each is better
                pass
            if evaluations > budget.spent:
                evaluator.budget = Budget(evaluations - budget.spent)
                best = minimise(evaluator, best)
            cost = evaluator.replayed(best.prefix)
        return Found(best.prefix, cost, 0 if known is None else known.answered, os.getpid())


def main() -> None:
    arguments = parsed()
    spec = environment_spec(arguments.env)
    named = [datasets().benchmark(uri).uri for uri in arguments.benchmark or ()]
    uris = list(dict.fromkeys(named)) or [one.uri for one in datasets()[arguments.dataset]]
    ray.init(address=arguments.address, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(Searcher)
    actors = [
        remote.remote(arguments.env, arguments.agent, arguments.store, arguments.service)
        for _ in range(arguments.actors)
    ]
    best: dict[str, Found] = {}
    for number in range(arguments.rounds):
        began = time.monotonic()
        for uri, found in searched(actors, uris, best, arguments.evaluations, arguments.seed + number):
            print(
                f"{uri}: {found.cost:g} by process {found.pid}, {found.answered} from the store", flush=True
            )
            if uri not in best or found.cost < best[uri].cost:
                best = {**best, uri: found}
        mean = math.exp(math.fsum(math.log(ratio(uri, best)) for uri in uris) / len(uris))
        print(f"round {number + 1}: {mean:.4f} in {time.monotonic() - began:.1f} s", flush=True)
    ray.shutdown()
    states = [
        EnvState(
            benchmark=uri,
            commandline=spec.commandline(best[uri].actions),
            claims={spec.metrics[0].name: int(best[uri].cost)},
        )
        for uri in uris
    ]
    arguments.output.write_text(write_states(states, format="csv"))


def searched(
    actors: list[Any], uris: list[str], best: dict[str, Found], evaluations: int, seed: int
) -> list[tuple[str, Found]]:
    """One round: the programs go to whichever actor is free; the results are in the programs' order."""
    waiting, free = list(uris), list(actors)
    running: dict[Any, tuple[str, Any]] = {}
    found: dict[str, Found] = {}
    while waiting or running:
        while waiting and free:
            uri, actor = waiting.pop(0), free.pop()
            task = actor.search.remote(uri, candidates_for(uri, uris, best), evaluations, seed)
            running[task] = uri, actor
        [done], _ = ray.wait(list(running), num_returns=1)
        uri, actor = running.pop(done)
        found[uri] = ray.get(done)
        free.append(actor)
    return [(uri, found[uri]) for uri in uris]


def candidates_for(uri: str, uris: list[str], best: dict[str, Found]) -> list[Sequence]:
    """What a program begins with: its own best sequence, and those of the programs that gained most."""
    others = sorted((one for one in uris if one in best and one != uri), key=lambda one: -ratio(one, best))
    own = [best[uri].actions] if uri in best else []
    return own + [best[one].actions for one in others[:BEHIND]]


def ratio(uri: str, best: dict[str, Found]) -> float:
    baseline = datasets().benchmark(uri).baseline("ir_instructions", "Oz") or math.nan
    return float(baseline / best[uri].cost)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--env", default="llvm-ic-v0")
    parser.add_argument("--agent", default="local")
    parser.add_argument("--dataset", default="kernels-v0")
    parser.add_argument("--benchmark", action="append", metavar="URI", help="a program; repeatable")
    parser.add_argument("--actors", type=at_least_one, default=2)
    parser.add_argument(
        "--evaluations", type=at_least_one, default=40, help="of each program and round (%(default)s)"
    )
    parser.add_argument("--rounds", type=at_least_one, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--store", default="", help="sqlite:FILE on one machine, valkey://HOST:PORT/0 on several"
    )
    parser.add_argument("--service", default="", help="host:port; the token is in $OPTARENA_SERVICE_TOKEN")
    parser.add_argument("--address", help="of a Ray cluster; without it Ray starts on this machine")
    parser.add_argument("--output", type=Path, default=Path("found.csv"))
    return parser.parse_args()


def at_least_one(text: str) -> int:
    if text.isdecimal() and int(text) >= 1:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")


if __name__ == "__main__":
    main()
