"""The agents of this package by name, with their parameters and what they begin with."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from optarena.actions import ActionTable, Decisions
from optarena.agents import searches
from optarena.agents.known_sequences import Portfolio, builtin_portfolio
from optarena.agents.policies import Policy, builtin_policy
from optarena.errors import InvalidInput, OptArenaError
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    import numpy as np

    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import Agent, Budget, SearchOutcome, Sequence

_PACKAGE: Final = Path(__file__).parents[1]
Known: TypeAlias = Portfolio | Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSources:
    """What an agent may begin with: sequences and a policy.

    Attributes:
        given: Those of a file that the user named.
        listed: A compiler's own level as a flat list.
        portfolio: Those that were learned from other programs.
        found: Those that this run has found on other programs, the latest first.
        policy: A policy that was trained before; None if the agent uses none.
    """

    given: tuple[Sequence, ...] = ()
    listed: tuple[Sequence, ...] = ()
    portfolio: tuple[Sequence, ...] = ()
    found: tuple[Sequence, ...] = ()
    policy: Policy | None = None

    @property
    def starts(self) -> tuple[Sequence, ...]:
        # What does not depend on this run, the most promising first.
        return (*self.given, *self.portfolio[:1], *self.listed, *self.portfolio[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParameter:
    default: int
    low: int
    high: int
    description: str

    def read(self, name: str, value: int | str) -> int:
        if not isinstance(value, int) or not self.low <= value <= self.high:
            message, remedy = f"{name} is {value}.", f"Give a number from {self.low} to {self.high}."
            raise InvalidInput(message, field=name, value=value, remedy=remedy)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChoice:
    default: str
    names: tuple[str, ...]
    description: str

    def read(self, name: str, value: int | str) -> str:
        if str(value) not in self.names:
            raise unknown_name(name, value, self.names)
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """An agent of this package.

    Attributes:
        version: Raised when the same seed and budget find something else.
        decisions_version: The same where actions are decisions, if it searches those in a way of its own.
        needs: The kind of known things without which it cannot work: ``list``, ``portfolio`` or ``policy``.
        may_use: The kinds that it uses where there are any.
        learns: Whether it uses what the run found on other programs.
        takes_starts: Whether it begins with the sequences of a file that the user names.
    """

    name: str
    version: int = 1
    decisions_version: int = 0
    summary: str
    make: Callable[[AgentSources, Mapping[str, Any]], Agent]
    parameters: Mapping[str, AgentParameter | AgentChoice] = field(default_factory=dict)
    needs: str = ""
    may_use: tuple[str, ...] = ()
    learns: bool = False
    takes_starts: bool = False

    def settings(self, given: Mapping[str, int | str]) -> dict[str, int | str]:
        for name in given:
            if name not in self.parameters:
                raise unknown_name(f"parameter of {self.name}", name, list(self.parameters))
        return {name: one.read(name, given.get(name, one.default)) for name, one in self.parameters.items()}

    def version_for(self, table: ActionTable) -> int:
        return (isinstance(table, Decisions) and self.decisions_version) or self.version

    def known(self, table: ActionTable, given: Mapping[str, Known] | None = None) -> dict[str, Known]:
        # By kind; `given` replaces the package's own.
        found: dict[str, Known] = {}
        for kind in (*filter(None, (self.needs,)), *self.may_use):
            one = (given or {}).get(kind) or _builtin(table, kind)
            if one is not None:
                found[kind] = one
            elif kind == self.needs:
                what = "policy" if kind == "policy" else f"{kind} of sequences"
                option = "policy" if kind == "policy" else "portfolio"
                message = f"There is no {what} for the actions of {table.name}."
                remedy = f"Choose another agent, or name a file with --{option}."
                raise InvalidInput(message, field=kind, value=table.name, remedy=remedy)
        return found


def _builtin(table: ActionTable, kind: str) -> Known | None:
    return builtin_policy(table) if kind == "policy" else builtin_portfolio(table, kind)


def _portfolio(sources: AgentSources, settings: Mapping[str, Any]) -> Agent:
    listed = sources.listed if settings["size"] > 1 else ()
    return searches.best_of((*sources.portfolio[: settings["size"]], *listed))


def _local(sources: AgentSources, settings: Mapping[str, Any]) -> Agent:
    proposes = None if sources.policy is None else searches.proposer(sources.policy)
    chosen = {"batch": settings["batch"], "tried": settings["tried"]}
    found = sources.found if settings["transfer"] else ()
    return searches.local(sources.starts, found, **chosen, proposer=proposes)


def _policy(sources: AgentSources) -> Policy:
    if sources.policy is None:
        raise InvalidInput("There is no policy.", field="policy", remedy="Name one with --policy.")
    return sources.policy


_LOCAL: Final = {
    "batch": AgentParameter(default=4, low=1, high=64, description="candidates evaluated at a time"),
    "tried": AgentParameter(
        default=1000, low=1, high=1000, description="most known sequences that are tried as they are"
    ),
    "transfer": AgentParameter(
        default=1, low=0, high=1, description="whether it uses what the run finds on other programs"
    ),
}
AGENTS: Final = (
    AgentSpec(
        name="random",
        summary="Takes random walks, and keeps the best prefix of all.",
        make=lambda _, settings: searches.random_walks(length=settings["length"]),
        parameters={"length": AgentParameter(default=80, low=1, high=1000, description="actions of a walk")},
    ),
    AgentSpec(
        name="oz-list",
        summary="Tries the passes of the compiler's own -Oz, once and in order, and keeps the best prefix.",
        make=lambda sources, _: searches.best_of(sources.listed),
        needs="list",
    ),
    AgentSpec(
        name="portfolio",
        summary="Tries sequences that were learned from other programs, and keeps the best.",
        make=_portfolio,
        parameters={
            "size": AgentParameter(default=50, low=1, high=50, description="most sequences of the portfolio")
        },
        needs="portfolio",
        may_use=("list",),
    ),
    AgentSpec(
        name="greedy",
        version=2,
        summary="Appends the action that gains most, beginning behind the best known sequence.",
        make=lambda sources, settings: searches.greedy(
            (*sources.given, *sources.listed), width=settings["width"]
        ),
        parameters={"width": AgentParameter(default=1, low=1, high=50, description="sequences of the beam")},
        may_use=("list",),
        takes_starts=True,
    ),
    AgentSpec(
        name="local",
        decisions_version=2,
        summary="Changes the best known sequence step by step, with parts of what other programs gained by.",
        make=_local,
        parameters=_LOCAL,
        may_use=("list", "portfolio"),
        learns=True,
        takes_starts=True,
    ),
    AgentSpec(
        name="genetic",
        summary="Joins good sequences with each other, and changes what comes of it.",
        make=lambda sources, settings: searches.genetic(sources.starts, sources.found, size=settings["size"]),
        parameters={
            "size": AgentParameter(default=16, low=2, high=1000, description="sequences of the pool")
        },
        may_use=("list", "portfolio"),
        learns=True,
        takes_starts=True,
    ),
    AgentSpec(
        name="nevergrad",
        summary="Has an optimiser of Nevergrad change the compiler's list; needs the extra nevergrad.",
        make=lambda sources, settings: searches.optimised(
            (*sources.given, *sources.listed), optimiser=settings["optimiser"], length=settings["length"]
        ),
        parameters={
            "optimiser": AgentChoice(
                default=searches.OPTIMISERS[0],
                names=searches.OPTIMISERS,
                description="one of " + ", ".join(searches.OPTIMISERS),
            ),
            "length": AgentParameter(default=60, low=1, high=1000, description="most actions of a sequence"),
        },
        may_use=("list",),
        takes_starts=True,
    ),
    AgentSpec(
        name="ppo",
        summary="Follows a policy that was trained by PPO: first its most probable actions, then samples.",
        make=lambda sources, _: searches.ppo(_policy(sources)),
        needs="policy",
    ),
    AgentSpec(
        name="local-ppo",
        summary="Does what local does; half of the actions that it tries are proposed by the policy of ppo.",
        make=_local,
        parameters=_LOCAL,
        needs="policy",
        may_use=("list", "portfolio"),
        learns=True,
        takes_starts=True,
    ),
)


def agent_named(name: str) -> AgentSpec:
    """Return the agent of this name: one of the package, or a function that is named by ``module:function``.

    Raises:
        UnknownName: There is no such agent; the message names near matches.
        InvalidInput: The module cannot be imported.
    """
    if ":" in name:
        return _own(name)
    for agent in AGENTS:
        if agent.name == name:
            return agent
    raise unknown_name("agent", name, [agent.name for agent in AGENTS])


def _own(name: str) -> AgentSpec:
    module, _, function = name.partition(":")
    try:
        found = importlib.import_module(module)
    except (ImportError, SyntaxError, TypeError, ValueError) as error:  # TypeError: it begins with a dot
        message = f"The agent {name!r:.200} cannot be imported: {error}."
        remedy = "Name it as module:function, and the folder of the module in PYTHONPATH."
        raise InvalidInput(message, field="agent", value=name, remedy=remedy) from error
    if not callable(agent := getattr(found, function, None)):
        functions = [one for one, value in vars(found).items() if callable(value)]
        raise unknown_name(f"function of {module}", function, functions)
    named = _blamed(agent, name)
    summary = (getattr(agent, "__doc__", None) or "").strip().partition("\n")[0]
    return AgentSpec(name=name, version=0, summary=summary, make=lambda _sources, _settings: named)


def _blamed(agent: Agent, name: str) -> Agent:
    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        try:
            yield from agent(evaluator, budget, rng)
        except OptArenaError:
            raise
        except Exception as error:  # whatever somebody else's code raises
            message = f"The agent {name} failed: {type(error).__name__}: {error}"
            frames = traceback.extract_tb(error.__traceback__)
            own = [one for one in frames if not Path(one.filename).is_relative_to(_PACKAGE)]
            line = f"See line {own[-1].lineno} of {own[-1].filename}; " if own else ""
            remedy = f"{line}OPTARENA_DEBUG=1 shows the traceback."
            raise InvalidInput(message, field="agent", value=name, remedy=remedy) from error

    return search


def sources_of(known: Mapping[str, Known], **further: Any) -> AgentSources:  # noqa: ANN401 # fields of AgentSources
    sequences = {
        kind: tuple(one.actions for one in portfolio.sequences)
        for kind, portfolio in known.items()
        if isinstance(portfolio, Portfolio)
    }
    policy = known.get("policy")
    return AgentSources(
        listed=sequences.get("list", ()),
        portfolio=sequences.get("portfolio", ()),
        policy=policy if isinstance(policy, Policy) else None,
        **further,
    )
