"""What an environment *is*, as plain data: its metrics, its action table, its version digest.

Pages, API, CLI, runner and environment all read the same specs. Nothing here loads a compiler or starts
a process, so every spec can be listed on any platform.
"""

from __future__ import annotations

import hashlib
import json
import operator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from optarena.errors import InvalidAction, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optarena.reward import RewardSpec

NAMESPACE: Final = "optarena"
ACTIONS_FORMAT_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One quantity that a runner measures on the final state of a replay.

    Attributes:
        name: Stable name, also the name of a claim: ``ir_instructions``.
        title: For people.
        unit: ``instructions``, ``bytes``, …
        exact: True if every machine measures the same value, so that a claim must equal it.
        lower_is_better: Direction of improvement.
        observation: The observation space that gives the value.
    """

    name: str
    title: str
    unit: str
    exact: bool
    lower_is_better: bool
    observation: str


class ActionTable(Protocol):
    """The named, ordered actions of an environment and their text form."""

    @property
    def name(self) -> str:
        """Stable name of the table, with its version: ``llvm-passes-v0``."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each action, by index."""

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions that a command line stands for."""

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line that stands for the actions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EnvironmentSpec:
    """One environment, as plain data.

    Attributes:
        slug: Short name: ``llvm-ic-v0``; the gymnasium id is ``optarena/`` before it.
        title: One line for people.
        description: A paragraph for people.
        entry_point: ``module:callable`` that makes the gymnasium environment.
        service: What runs the sessions: see ``optarena.service.target.ServiceTarget``.
        action_table: The actions.
        metrics: What a replay measures.
        rewards: The reward spaces, by name.
        observation_space: Default observation space.
        reward_space: Default reward space.
        dataset: Name of the dataset whose first benchmark is the default.
        boardable: Whether a board may rank this environment.
        version: Gives everything the environment's results depend on, as JSON data.
    """

    slug: str
    title: str
    description: str
    entry_point: str
    service: str
    action_table: ActionTable
    metrics: tuple[Metric, ...]
    rewards: Mapping[str, RewardSpec]
    observation_space: str
    reward_space: str
    dataset: str
    boardable: bool
    version: Callable[[], dict[str, Any]] = field(repr=False)

    @property
    def id(self) -> str:
        """The gymnasium id."""
        return f"{NAMESPACE}/{self.slug}"

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on; its digest is the environment version."""
        return self.version()

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of ``version_spec()``."""
        return hashlib.sha256(canonical_json(self.version_spec()).encode()).hexdigest()

    def metric(self, name: str) -> Metric:
        """The metric of this name.

        Raises:
            UnknownName: The environment does not measure it.
        """
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise unknown_name("metric", name, [metric.name for metric in self.metrics])

    def reward(self, name: str) -> RewardSpec:
        """The reward space of this name.

        Raises:
            UnknownName: There is none.
        """
        if name not in self.rewards:
            raise unknown_name("reward_space", name, list(self.rewards))
        return self.rewards[name]

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The names of all metrics: what a claim may be about."""
        return tuple(metric.name for metric in self.metrics)

    def parse_commandline(self, text: str) -> tuple[int, ...]:
        """The actions of a command line.

        Raises:
            InvalidCommandline: The text is not one of this environment's command lines.
        """
        return self.action_table.parse(text)

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line of a list of actions; ``parse_commandline`` gives them back."""
        return self.action_table.commandline(self.check_actions(actions))

    def check_actions(self, actions: Sequence[int]) -> tuple[int, ...]:
        """The actions as plain integers.

        Raises:
            InvalidAction: Names the first action that is not in the table, and its position.
        """
        size = len(self.action_table.names)
        return tuple(check_action(action, size, position) for position, action in enumerate(actions))


def check_action(action: object, size: int, position: int | None = None) -> int:
    """``action`` as a plain integer in ``[0, size)``.

    Raises:
        InvalidAction: It is not an integer, or out of range.
    """
    where = "" if position is None else f" at position {position}"
    remedy = f"Allowed are the integers 0 to {size - 1}."
    try:
        index = None if isinstance(action, bool) else operator.index(action)  # type: ignore[arg-type] # any object
    except TypeError:
        index = None
    if index is None:
        message = f"Action {action!r}{where} is no integer ({type(action).__name__})."
        raise InvalidAction(message, field="action", value=action, remedy=remedy)
    if not 0 <= index < size:
        message = f"Action {index}{where} is not in the action space."
        raise InvalidAction(message, field="action", value=index, remedy=remedy)
    return index


@lru_cache(maxsize=1)
def _specs() -> dict[str, EnvironmentSpec]:
    # Imported late: each compiler's room describes its environments with the classes above.
    from optarena.llvm.environments import ENVIRONMENTS  # noqa: PLC0415 - it is built on this module

    return {spec.slug: spec for spec in ENVIRONMENTS}


def environment_specs() -> tuple[EnvironmentSpec, ...]:
    """All environments of this installation."""
    return tuple(_specs().values())


def environment_spec(id_or_slug: str) -> EnvironmentSpec:
    """The environment with this id (``optarena/llvm-ic-v0``) or slug (``llvm-ic-v0``).

    Raises:
        UnknownName: No such environment; the message names near matches.
    """
    slug = id_or_slug.removeprefix(f"{NAMESPACE}/")
    spec = _specs().get(slug)
    if spec is None:
        raise unknown_name("environment", id_or_slug, list(_specs()))
    return spec


def unknown_name(kind: str, name: object, known: Sequence[str]) -> UnknownName:
    """The error for a ``kind`` called ``name`` that is none of ``known``; names near matches."""
    near = get_close_matches(str(name), known, n=3, cutoff=0.5)
    if near:
        remedy = f"Did you mean {' or '.join(repr(match) for match in near)}?"
    elif known:
        remedy = f"Known are: {', '.join(known[:20])}{', …' if len(known) > 20 else ''}."  # noqa: PLR2004 # enough to recognise
    else:
        remedy = "There is none."
    return UnknownName(f"There is no {kind} {str(name)[:200]!r}.", field=kind, value=name, remedy=remedy)


def canonical_json(value: object) -> str:
    """``value`` as JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_actions(actions: Sequence[int]) -> str:
    """The canonical, versioned JSON of an action sequence; its hash is the sequence's identity."""
    indices = [operator.index(action) for action in actions]
    return canonical_json({"actions": indices, "version": ACTIONS_FORMAT_VERSION})


def actions_digest(actions: Sequence[int]) -> str:
    """SHA-256 (hex) of ``canonical_actions``."""
    return hashlib.sha256(canonical_actions(actions).encode()).hexdigest()
