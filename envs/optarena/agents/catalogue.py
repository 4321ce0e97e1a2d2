"""The agents of this package by name, with their parameters and what they begin with."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from optarena.agents.greedy import greedy
from optarena.agents.known_sequences import builtin_portfolio, needed_portfolio
from optarena.agents.lists import best_of
from optarena.agents.local import local
from optarena.agents.random_walks import random_walks
from optarena.errors import InvalidInput
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optarena.actions import ActionTable
    from optarena.agents.known_sequences import Portfolio
    from optarena.agents.outcomes import Sequence
    from optarena.agents.protocol import Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSources:
    """The sequences that an agent may begin with.

    Attributes:
        given: Those of a file that the user named.
        listed: A compiler's own level as a flat list.
        portfolio: Those that were learned from other programs.
        found: Those that this run has found on other programs, the latest first.
    """

    given: tuple[Sequence, ...] = ()
    listed: tuple[Sequence, ...] = ()
    portfolio: tuple[Sequence, ...] = ()
    found: tuple[Sequence, ...] = ()

    @property
    def starts(self) -> tuple[Sequence, ...]:
        """What does not depend on this run, the most promising first."""
        return (*self.given, *self.portfolio[:1], *self.listed, *self.portfolio[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParameter:
    """A whole number that changes what an agent does.

    Attributes:
        default: Its value if none is given.
        low: The smallest value.
        high: The largest value.
        description: For people.
    """

    default: int
    low: int
    high: int
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """An agent of this package.

    Attributes:
        name: Its name in commands and reports.
        version: Raised when the same seed and budget find something else.
        summary: A sentence for people.
        make: Makes the agent out of its sources and parameters.
        parameters: Its parameters by name.
        needs: The kind of known sequences without which it cannot work: ``list`` or ``portfolio``.
        may_use: The kinds that it uses where there are any.
        learns: Whether it uses what the run found on other programs.
    """

    name: str
    version: int
    summary: str
    make: Callable[[AgentSources, Mapping[str, int]], Agent]
    parameters: Mapping[str, AgentParameter] = field(default_factory=dict)
    needs: str = ""
    may_use: tuple[str, ...] = ()
    learns: bool = False

    def settings(self, given: Mapping[str, int]) -> dict[str, int]:
        """All parameters, with the given values.

        Raises:
            UnknownName: There is no such parameter.
            InvalidInput: A value is out of range.
        """
        for name, value in given.items():
            if name not in self.parameters:
                raise unknown_name(f"parameter of {self.name}", name, list(self.parameters))
            one = self.parameters[name]
            if not one.low <= value <= one.high:
                message, remedy = f"{name} is {value}.", f"Give a number from {one.low} to {one.high}."
                raise InvalidInput(message, field=name, value=value, remedy=remedy)
        return {name: given.get(name, one.default) for name, one in self.parameters.items()}

    def known(self, table: ActionTable, portfolio: Portfolio | None = None) -> dict[str, Portfolio]:
        """The known sequences that it uses on an action table, by kind.

        Args:
            table: The action table.
            portfolio: A portfolio to use instead of the package's own.

        Raises:
            InvalidInput: It cannot work without sequences of a kind, of which there are none.
        """
        found: dict[str, Portfolio] = {}
        for kind in (*filter(None, (self.needs,)), *self.may_use):
            if kind == "portfolio" and portfolio is not None:
                one: Portfolio | None = portfolio
            elif kind == self.needs:
                one = needed_portfolio(table, kind)
            else:
                one = builtin_portfolio(table, kind)
            if one is not None:
                found[kind] = one
        return found


def _portfolio(sources: AgentSources, settings: Mapping[str, int]) -> Agent:
    listed = sources.listed if settings["size"] > 1 else ()
    return best_of((*sources.portfolio[: settings["size"]], *listed))


AGENTS: Final = (
    AgentSpec(
        name="random",
        version=1,
        summary="Takes random walks, and keeps the best prefix of all.",
        make=lambda _, settings: random_walks(length=settings["length"]),
        parameters={"length": AgentParameter(default=80, low=1, high=1000, description="actions of a walk")},
    ),
    AgentSpec(
        name="oz-list",
        version=1,
        summary="Tries the passes of the compiler's own -Oz, once and in order, and keeps the best prefix.",
        make=lambda sources, _: best_of(sources.listed),
        needs="list",
    ),
    AgentSpec(
        name="portfolio",
        version=1,
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
        version=1,
        summary="Appends the action that gains most, beginning behind the best known sequence.",
        make=lambda sources, settings: greedy((*sources.given, *sources.listed), width=settings["width"]),
        parameters={"width": AgentParameter(default=1, low=1, high=50, description="sequences of the beam")},
        may_use=("list",),
    ),
    AgentSpec(
        name="local",
        version=1,
        summary="Changes the best known sequence step by step, with parts of what other programs gained by.",
        make=lambda sources, settings: local(sources.starts, sources.found, batch=settings["batch"]),
        parameters={
            "batch": AgentParameter(default=4, low=1, high=64, description="candidates evaluated at a time")
        },
        may_use=("list", "portfolio"),
        learns=True,
    ),
)


def agent_named(name: str) -> AgentSpec:
    """The agent of this name: one of the package, or a function that is named by ``module:function``.

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
    """The agent that somebody else's function is."""
    module, _, function = name.partition(":")
    try:
        found = importlib.import_module(module)
    except (ImportError, SyntaxError, ValueError) as error:
        message = f"The agent {name!r:.200} cannot be imported: {error}."
        remedy = "Name it as module:function, and the folder of the module in PYTHONPATH."
        raise InvalidInput(message, field="agent", value=name, remedy=remedy) from error
    if not callable(agent := getattr(found, function, None)):
        functions = [one for one, value in vars(found).items() if callable(value)]
        raise unknown_name(f"function of {module}", function, functions)
    return AgentSpec(name=name, version=0, summary=_first_line(agent), make=lambda _sources, _settings: agent)


def _first_line(described: object) -> str:
    return (getattr(described, "__doc__", None) or "").strip().partition("\n")[0]


def sources_of(known: Mapping[str, Portfolio], **further: Any) -> AgentSources:  # noqa: ANN401 # fields of AgentSources
    """The sources of an agent: known sequences by kind, and further ones."""
    sequences = {kind: tuple(one.actions for one in portfolio.sequences) for kind, portfolio in known.items()}
    return AgentSources(listed=sequences.get("list", ()), portfolio=sequences.get("portfolio", ()), **further)
