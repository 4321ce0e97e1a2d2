"""What an environment *is*, as plain data: its metrics, its action table, its version digest.

Pages, API, CLI, runner and environment all read the same specs. Nothing here loads a compiler or starts
a process, so every spec can be listed on any platform.
"""

from __future__ import annotations

import hashlib
import json
import operator
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from optarena.actions import Action, ActionTable, NamedActions, check_action, check_actions
from optarena.errors import InvalidCommandline, UnknownName
from optarena.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optarena.env import CompilerEnv
    from optarena.env.workloads import Execution
    from optarena.specs.benchmark import Benchmark, Workload
    from optarena.specs.results import Measurement
    from optarena.specs.rewards import RewardSpec

    RunWorkload = Callable[[CompilerEnv, Workload, bool], Execution]
    Measure = Callable[[Benchmark, Sequence[Action], Callable[[int, int], None]], Measurement]

__all__ = [
    "LEVEL_NAME",
    "METRIC_NAME",
    "Action",
    "ActionTable",
    "BoardSpec",
    "EnvironmentSpec",
    "Metric",
    "NamedActions",
    "actions_digest",
    "board_specs",
    "canonical_actions",
    "canonical_json",
    "check_action",
    "environment_spec",
    "environment_specs",
    "unknown_name",
]

NAMESPACE: Final = "optarena"
ACTIONS_FORMAT_VERSION: Final = 1
_LISTED: Final = 60
"""Names that are listed where none is near to what was given."""
_LONGEST: Final = 200
"""Characters of a name that are compared and repeated."""
METRIC_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""How metrics are called, in environments and in manifests."""
LEVEL_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}")
"""How levels of baselines are called, in boards and in manifests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One quantity that a runner measures on the final state of a replay.

    Attributes:
        name: Stable name, also the name of a claim: ``ir_instructions``.
        title: For people.
        unit: ``instructions``, ``bytes``, …
        observation: The observation space that gives the value, an integer or a float.
        exact: True if every machine measures the same value, so that a claim must equal it.
        lower_is_better: Direction of improvement.
        version: To be raised when the same program gets another value; part of the environment's version.
    """

    name: str
    title: str
    unit: str
    observation: str
    exact: bool = True
    lower_is_better: bool = True
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpec:
    """What a leaderboard compares, as plain data.

    Attributes:
        slug: Short name, part of the board's address: ``llvm-ic``.
        title: One line for people.
        description: A paragraph for people.
        dataset: Name of the dataset with its version: ``kernels-v0``.
        environment: Slug of the environment.
        metric: Name of the metric of the environment that is compared.
        baseline_level: The level in the dataset's manifest that a ratio of 1 stands for.
        plausible_ratio: Ratios up to this are published at once; those beyond it and beyond the board's
            history wait for a reviewer. Optimisers that leave the baseline far behind need a larger one.
        reference_metric: The metric of the same replay that a ratio of 1 stands for, in place of a recorded
            baseline: for what no two machines measure the same. Empty where the manifest has baselines.
        benchmarks: URIs of what is compared, needed where the dataset is a range; all of it where empty.
        device: The kind of machine that replays are made on: ``cpu``, ``cuda``; names the runners' queue.
    """

    slug: str
    title: str
    description: str
    dataset: str
    environment: str
    metric: str
    baseline_level: str = ""
    plausible_ratio: float = 1.5
    reference_metric: str = ""
    benchmarks: tuple[str, ...] = ()
    device: str = "cpu"


@dataclass(frozen=True, kw_only=True, eq=False)
class EnvironmentSpec:
    """One environment, as plain data.

    Attributes:
        slug: Short name: ``llvm-ic-v0``; the gymnasium id is ``optarena/`` before it.
        title: One line for people.
        service: What runs the sessions: see ``optarena.service.client.target.ServiceTarget``.
        action_table: The actions, which are those of the service's first action space.
        further_tables: The actions of its other spaces; each table is called as its space. No board ranks
            them, so they are no part of the environment's version.
        metrics: What a replay measures; the first exact one is the cost that its trace shows after each step.
        digest_observation: The text observation that identifies a state: equal states, equal texts.
        dataset: Name of the dataset whose first benchmark is the default.
        benchmark: URI of another default.
        further_datasets: Names of other stored datasets whose benchmarks it is for.
        compiler: Name and version of the compiler, a part of the environment's version.
        description: A paragraph for people.
        entry_point: ``module:callable`` that makes the gymnasium environment.
        rewards: The reward spaces, by name; see ``optarena.specs.rewards.cost_rewards``.
        observation_space: Default observation space; empty for none.
        reward_space: Default reward space; empty for none.
        boardable: Whether a board may rank this environment.
        version: Gives everything the environment's results depend on, as JSON data; where None, that is the
            compiler, the action table and the metrics.
        derived: ``module:NAME`` of a tuple of :class:`optarena.env.derived.DerivedObservation`, what can be
            observed beside what the service offers; empty for nothing.
        run_workload: Runs a program in its present state on a workload, confined or not; where None, the
            session does, by ``CompilationSession.run_program``.
        measure: Measures the metrics that are not exact, in processes of its own, once a replay has passed
            all checks; where None, they are observed like the exact ones.
    """

    slug: str
    title: str
    service: str
    action_table: ActionTable
    metrics: tuple[Metric, ...]
    digest_observation: str
    dataset: str
    compiler: str = ""
    description: str = ""
    entry_point: str = "optarena.env:CompilerEnv"
    rewards: Mapping[str, RewardSpec] = field(default_factory=dict)
    observation_space: str = ""
    reward_space: str = ""
    boardable: bool = True
    version: Callable[[], dict[str, Any]] | None = field(default=None, repr=False)
    run_workload: RunWorkload | None = field(default=None, repr=False)
    measure: Measure | None = field(default=None, repr=False)
    further_tables: tuple[ActionTable, ...] = ()
    derived: str = ""
    benchmark: str = ""
    further_datasets: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The gymnasium id."""
        return f"{NAMESPACE}/{self.slug}"

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on; its digest is the environment version."""
        if self.version is not None:
            return self.version()
        return {
            "compiler": self.compiler,
            "action_table": self.action_table.name,
            "actions": list(self.action_table.names),
            "metrics": [[metric.name, metric.observation, metric.version] for metric in self.metrics],
        }

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of ``version_spec()``."""
        return hashlib.sha256(canonical_json(self.version_spec()).encode()).hexdigest()

    @property
    def cost_metric(self) -> Metric | None:
        """The metric that traces show after each step: the first exact one, None where there is none."""
        return next((metric for metric in self.metrics if metric.exact), None)

    @property
    def cost(self) -> str:
        """The observation space of the cost that traces show after each step; empty where there is none."""
        return self.cost_metric.observation if self.cost_metric else ""

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
        if not isinstance(name, str) or name not in self.rewards:
            raise unknown_name("reward_space", name, list(self.rewards))
        return self.rewards[name]

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The names of all metrics: what a claim may be about."""
        return tuple(metric.name for metric in self.metrics)

    def table(self, name: str) -> ActionTable:
        """The actions of the action space of this name; those of the first space where it is unknown."""
        return next((one for one in self.further_tables if one.name == name), self.action_table)

    def parse(self, commandline: str) -> tuple[ActionTable, tuple[Action, ...]]:
        """The actions of a command line of any of the action spaces, and their table.

        Raises:
            InvalidCommandline: The text is not one of this environment's command lines.
        """
        if not isinstance(commandline, str):
            message = f"The command line is {commandline!r:.100} ({type(commandline).__name__})."
            raise InvalidCommandline(message, field="commandline", value=commandline, remedy="Give a text.")
        word = commandline.split(maxsplit=1)[:1]
        for table in self.further_tables:
            if table.commandline(()).split()[:1] == word != self.action_table.commandline(()).split()[:1]:
                return table, table.parse(commandline)
        return self.action_table, self.action_table.parse(commandline)

    def parse_commandline(self, text: str) -> tuple[int, ...]:
        """The actions of a command line of the first action space, the one that boards know.

        Raises:
            InvalidCommandline: The text is not one of its command lines.
        """
        return self.check_actions(self.action_table.parse(text))

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line of actions of the first action space; ``parse_commandline`` gives them back."""
        return self.action_table.commandline(self.check_actions(actions))

    def check_actions(self, actions: Sequence[object]) -> tuple[Any, ...]:
        """Actions of the first action space in their canonical form: plain integers where it is discrete.

        Raises:
            InvalidAction: Names the first action that is not in the table, and its position.
        """
        return check_actions(self.action_table, actions)


_registered: Final[dict[str, EnvironmentSpec]] = {}
_registered_boards: Final[dict[str, BoardSpec]] = {}


@lru_cache(maxsize=1)
def _own() -> dict[str, EnvironmentSpec]:
    # Imported late: each compiler's room describes its environments with the classes above.
    from optarena.llvm.description import ENVIRONMENTS as LLVM  # noqa: PLC0415 - it is built on this module
    from optarena.loop_tool.description import LOOP_TOOL  # noqa: PLC0415 - as above

    return {spec.slug: spec for spec in (*LLVM, LOOP_TOOL)}


def environment_specs() -> tuple[EnvironmentSpec, ...]:
    """All environments of this installation: the package's own, then those of plug-ins."""
    return (*_own().values(), *_registered.values())


def environment_spec(id_or_slug: str) -> EnvironmentSpec:
    """The environment with this id (``optarena/llvm-ic-v0``) or slug (``llvm-ic-v0``).

    Raises:
        UnknownName: No such environment; the message names near matches.
    """
    slug = id_or_slug.removeprefix(f"{NAMESPACE}/")
    spec = _own().get(slug) or _registered.get(slug)
    if spec is None:
        raise unknown_name("environment", id_or_slug, [*_own(), *_registered])
    return spec


def board_specs() -> tuple[BoardSpec, ...]:
    """The boards that plug-ins have registered."""
    return tuple(_registered_boards.values())


def add_environment(spec: EnvironmentSpec) -> None:
    """Make an environment known under its slug, which must be free; ``optarena.register`` checks it."""
    _registered[spec.slug] = spec


def add_board(board: BoardSpec) -> None:
    """Make a board known under its slug, which must be free; ``optarena.register`` checks it."""
    _registered_boards[board.slug] = board


def unknown_name(kind: str, name: object, known: Sequence[str]) -> UnknownName:
    """The error for a ``kind`` called ``name`` that is none of ``known``; names near matches."""
    given = str(name)[:_LONGEST]
    paths = [one.partition("://")[2].partition("/")[2] or one for one in known[:_LISTED]]
    listed = f"Known are: {', '.join(paths)}{', …' if len(known) > _LISTED else ''}."
    remedy = did_you_mean(given, known, otherwise=listed if known else "There is none.")
    return UnknownName(f"There is no {kind} {given!r}.", field=kind, value=name, remedy=remedy)


def canonical_json(value: object) -> str:
    """``value`` as JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_actions(actions: Sequence[Action]) -> str:
    """The canonical, versioned JSON of an action sequence; its hash is the sequence's identity.

    An action is a number, or a list of numbers where it has several components.
    """
    plain = [
        [operator.index(part) for part in action] if isinstance(action, tuple) else operator.index(action)
        for action in actions
    ]
    return canonical_json({"actions": plain, "version": ACTIONS_FORMAT_VERSION})


def actions_digest(actions: Sequence[Action]) -> str:
    """SHA-256 (hex) of ``canonical_actions``."""
    return hashlib.sha256(canonical_actions(actions).encode()).hexdigest()
