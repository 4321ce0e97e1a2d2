"""What a compiler registers, as plain data: its environments, devices, formats and calibrations.

An ``EnvironmentSpec`` names the session type, action tables, metrics and rewards of one environment.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from optarena import limits
from optarena.actions import Action, ActionTable, check_actions
from optarena.errors import InvalidCommandline, InvalidInput, ToolMissing
from optarena.specs.benchmark import Benchmark, Workload, canonical_json
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from optarena.specs.board import BoardSpec, PortableBoardSpec
    from optarena.specs.results import Execution, Measurement, MeasurementPlan
    from optarena.specs.rewards import RewardSpec

    RunWorkload: TypeAlias = "Callable[[LiveEnv, Workload, bool], Execution]"
    OwnWorkloads = Callable[[Benchmark], tuple[Workload, ...]]
    Measure: TypeAlias = "Callable[[LiveEnv, Sequence[Action], MeasurementPlan], Measurement]"
    Job = Mapping[str, Any]


class LiveEnv(Protocol):
    """An environment with a running episode, such as ``optarena.env.CompilerEnv``."""

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of the episode."""

    @property
    def is_sandboxed(self) -> bool:
        """Whether the compiler's processes are confined, so that the program must be, too."""

    def observe(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name in the present state, as plain Python or an array.

        It may use ``cpu_seconds`` of CPU time; as much as an action if None.
        """

    def parameter(self, key: str, value: str = "") -> str:
        """Send a parameter to the compiler's session and return its reply."""


METADATA: Final[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}
"""What ``gymnasium.make`` knows of every environment before it makes one."""

_Make = TypeVar("_Make", bound=Callable[..., Any])


def with_metadata(make: _Make) -> _Make:
    """A function that makes environments, with their metadata, where ``gymnasium.make`` looks for it."""
    vars(make)["metadata"] = METADATA
    return make


def load(path: str) -> Any:  # noqa: ANN401 # any object of the module
    """The object that ``module:name`` stands for."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


NAMESPACE: Final = "optarena"
_SHOWN: Final = 200
# The form of metrics' names, in environments and in manifests.
METRIC_NAME: Final = re.compile(rf"[a-z][a-z0-9_]{{0,{limits.METRIC_NAME_LENGTH - 1}}}")
# The form of the names of levels, in boards and in manifests.
LEVEL_NAME: Final = re.compile(rf"[A-Za-z][A-Za-z0-9]{{0,{limits.LEVEL_NAME_LENGTH - 1}}}")


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
        version: Raise it when the same program gets a different value; part of the environment's version.
        cpu_seconds: CPU time that its observation may use in a replay; not part of the version.
        claimed_as: The metric to claim instead, where a value of this one means nothing on another machine;
            empty if it can be claimed.
        level: The compiler's own level whose value it is, such as ``O3``, if it is a board's reference; empty
            if that has no such name.
    """

    name: str
    title: str
    unit: str
    observation: str
    exact: bool = True
    lower_is_better: bool = True
    version: int = 1
    cpu_seconds: float = limits.ACTION_CPU_SECONDS
    claimed_as: str = ""
    level: str = ""

    @property
    def unit_beside_title(self) -> str:
        """The unit; empty where the title names it already."""
        return "" if self.unit.casefold() in self.title.casefold() else self.unit


def timed_metrics(runtime: Metric) -> tuple[Metric, Metric, Metric]:
    """A running time, that of the program at the compiler's ``-O3``, and the speed relative to it.

    The speed is what is claimed: a time means nothing on another machine.
    """
    runtime = replace(runtime, exact=False, lower_is_better=True, claimed_as="speedup")
    reference = replace(runtime, name="reference_seconds", title="Running time at -O3", level="O3")
    speedup = replace(runtime, name="speedup", title="Speed relative to -O3", unit="times")
    return runtime, reference, replace(speedup, lower_is_better=False, claimed_as="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A tiny episode whose outcome is recorded: workers play it before they take work.

    Attributes:
        benchmark: URI of a shipped benchmark; its first workload is run at the end.
        actions: Names of actions of the first action space.
        observed: What each observation then is.
        commandline: The actions as a command line instead, for action spaces whose actions have no names.
    """

    benchmark: str
    actions: tuple[str, ...]
    observed: Mapping[str, int | str]
    commandline: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How fast a device copies, and multiplies and adds in registers, as measured."""

    bytes_per_second: float
    flops_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The work of one launch of a benchmark, the speeds of devices by name, and what was measured on one.

    A launch can take no less than to move its bytes, nor than to do its operations (Williams et al., 2009).

    Attributes:
        moved_bytes: What a launch must move at least.
        flops: The operations of floats that it must do.
        speeds: By the device's name; of other devices nothing is known.
        device: The device on which ``seconds`` were measured; empty if there are none.
        seconds: Of a launch, by what was launched.
        note: How these were measured.
    """

    moved_bytes: int
    flops: int
    speeds: Mapping[str, Speeds]
    device: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def shares(self, device: str, seconds: float) -> tuple[float, float]:
        """The shares that a launch reaches of the device's speeds of copying and of computing."""
        known = self.speeds[device]
        return (
            self.moved_bytes / known.bytes_per_second / seconds,
            self.flops / known.flops_per_second / seconds,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class EnvironmentSpec:
    """One environment, as plain data.

    Attributes:
        slug: Short name: ``stack-v0``; the gymnasium id is ``optarena/`` before it.
        title: One line for people.
        service: What runs the sessions: see ``optarena.service.client.target.ServiceTarget``.
        action_table: The actions, which are those of the service's first action space.
        further_tables: The actions of its other spaces; each table has the name of its space.
        ranks_further_tables: Whether boards take actions of the further tables too; ``version`` then covers
            all tables. Where False, boards take those of the first alone, and the further tables are not part
            of the environment's version.
        metrics: What a replay measures; the first exact one is the cost that its trace shows after each step.
        digest_observation: The text observation that identifies a state: equal states, equal texts.
        dataset: Name of the dataset whose first benchmark is the default.
        benchmark: URI of another default.
        further_datasets: Names of other stored datasets whose benchmarks it supports.
        compiler: Name and version of the compiler, a part of the environment's version.
        description: A paragraph for people.
        entry_point: ``module:callable`` that makes the gymnasium environment.
        rewards: The reward spaces, by name; see ``optarena.specs.rewards.cost_rewards``.
        observation_space: Default observation space; empty for none.
        reward_space: Default reward space; empty for none.
        boardable: Whether a board may rank this environment.
        version: Returns everything the environment's results depend on, as JSON data; where None, that is the
            compiler, the action table and the metrics.
        derived: ``module:NAME`` of a tuple of :class:`optarena.env.derived.DerivedObservation`, what can be
            observed in addition to what the service offers; empty for nothing.
        run_workload: Runs a program in its present state on a workload, confined or not; where None, the
            session does, by ``CompilationSession.run_program``.
        own_workloads: The runs of a program without recorded workloads, as the program itself describes them:
            a replay expects what it does as given. None where programs do not describe them.
        packages: Distributions whose versions are recorded with results, in addition to the compiler's own.
        variables: Environment variables that the compiler's processes inherit; no secrets.
        roofline: The work of a benchmark, by its URI, with what devices were measured to do; pages draw it.
        measure: Measures the metrics that are not exact, in processes of its own, once a replay has passed
            all checks; where None, they are observed like the exact ones. A ``PreparedMeasure`` needs a
            device only for its second part.
        probe: Played by workers before they take work; environments of one version share it.
        state_text: The text observation that shows a program's state to people, line by line; empty where
            there is none. It is not part of the version.
        state_numbers: A regular expression of what tells two lines of that text apart and means nothing, such
            as numbers that the compiler gives its values anew after each action.
        state_parts: A regular expression of a part of that text that people look at by itself, such as a
            function; its group ``name`` is the part's name. Empty where the text has no parts.
        state_language: The language of that text, as Pygments calls it, whose lines are coloured one by one;
            empty for plain text.
        state_summary: The text observation that says in a line what a state is beside its cost, such as what
            the next action decides on; empty where there is none. It is not part of the version.
        traces_costs: Whether a trace shows the cost after each step. False where a cost takes a compilation:
            a replay then compiles once, at the end, and not once a step.
        requires: ``module:function`` that raises ``ToolMissing`` on a machine without what the environment
            needs. A worker there takes none of its work. Empty if the package itself has everything.
        predecessor: Slug of the environment of an earlier release of the compiler; empty if there is none.
        translate: Turns a command line of the predecessor into one of this environment; it raises
            ``InvalidCommandline`` if an action does not exist here.
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
    own_workloads: OwnWorkloads | None = field(default=None, repr=False)
    roofline: Callable[[str], Roofline] | None = field(default=None, repr=False)
    measure: Measure | None = field(default=None, repr=False)
    further_tables: tuple[ActionTable, ...] = ()
    ranks_further_tables: bool = False
    derived: str = ""
    benchmark: str = ""
    further_datasets: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    probe: Probe | None = None
    state_text: str = ""
    state_numbers: str = ""
    state_parts: str = ""
    state_language: str = ""
    state_summary: str = ""
    traces_costs: bool = True
    requires: str = ""
    predecessor: str = ""
    translate: Callable[[str], str] | None = field(default=None, repr=False)

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

    @property
    def release(self) -> tuple[str, str] | None:
        """Name and version of the compiler; None if it is made of packages with versions of their own."""
        name, _, version = self.compiler.rpartition(" ")
        return None if not name or ", " in name else (name, version)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of ``version_spec()``."""
        return hashlib.sha256(canonical_json(self.version_spec()).encode()).hexdigest()

    @cached_property
    def probe_actions(self) -> tuple[Action, ...]:
        """The actions of the probe; none if there is no probe."""
        if self.probe is None:
            return ()
        if self.probe.commandline:
            return self.action_table.parse(self.probe.commandline)
        return tuple(self.action_table.names.index(name) for name in self.probe.actions)

    def why_unavailable(self) -> str:
        """What this machine lacks for the environment; empty if nothing."""
        if not self.requires:
            return ""
        try:
            load(self.requires)()
        except ToolMissing as error:
            return str(error)
        return ""

    @property
    def exact_metric(self) -> Metric | None:
        """The first metric that every machine measures alike; None where there is none."""
        return next((metric for metric in self.metrics if metric.exact), None)

    @property
    def cost_metric(self) -> Metric | None:
        """The metric that traces show after each step: the first exact one, None where they show none."""
        return self.exact_metric if self.traces_costs else None

    @property
    def reference_level(self) -> str:
        """The level of the default reward, or of one with the same cost, or of the exact metric; or Oz."""
        own, exact = self.rewards.get(self.reward_space), self.exact_metric
        costs = (own and own.cost, exact and exact.observation)
        alike = [one for cost in costs for one in self.rewards.values() if one.cost == cost]
        return next((one.level for one in (own, *alike) if one and one.level), "Oz")

    @property
    def measures_at_once(self) -> bool:
        """Whether the machine that replays also measures what is not exact."""
        return self.measure is not None and not isinstance(self.measure, PreparedMeasure)

    @property
    def cost(self) -> str:
        """The observation space of the cost that traces show after each step; empty where there is none."""
        return self.cost_metric.observation if self.cost_metric else ""

    def metric(self, name: str) -> Metric:
        """The metric of this name; raises UnknownName where the environment does not measure it."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise unknown_name("metric", name, [metric.name for metric in self.metrics])

    def metrics_named(self, names: Collection[str] | None) -> tuple[Metric, ...]:
        """The metrics of these names in the environment's order; all of them if None.

        Raises:
            InvalidInput: The names are not a list.
            UnknownName: The environment does not measure one of them.
        """
        if names is None:
            return self.metrics
        if isinstance(names, str) or not isinstance(names, Collection):
            message = f"metrics is {names!r:.100} ({type(names).__name__})."
            raise InvalidInput(message, field="metrics", value=names, remedy="Give a list of names, or None.")
        wanted = {self.metric(name).name for name in names}
        return tuple(metric for metric in self.metrics if metric.name in wanted)

    def reward(self, name: str) -> RewardSpec:
        """The reward space of this name; raises UnknownName where there is no such reward space."""
        if not isinstance(name, str) or name not in self.rewards:
            raise unknown_name("reward_space", name, list(self.rewards))
        return self.rewards[name]

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The names of all metrics."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def claimable_names(self) -> tuple[str, ...]:
        """The names of the metrics whose value on one machine says something about another."""
        return tuple(metric.name for metric in self.metrics if not metric.claimed_as)

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
        table = self._readers.get(_first_word(commandline), self.action_table)
        return table, table.parse(commandline)

    @cached_property
    def _readers(self) -> dict[str, ActionTable]:
        # The table that reads command lines with this first word: the first of those that write it.
        readers: dict[str, ActionTable] = {}
        for table in (self.action_table, *self.further_tables) if self.further_tables else ():
            readers.setdefault(_first_word(table.commandline(())), table)
        return readers

    def parse_commandline(self, text: str) -> tuple[int, ...]:
        """The actions of a command line of the first action space.

        Raises:
            InvalidCommandline: The text is not one of its command lines.
        """
        return self.check_actions(self.action_table.parse(text))

    @property
    def ranked_tables(self) -> tuple[ActionTable, ...]:
        """The tables whose actions boards take, the first one first."""
        return (self.action_table, *(self.further_tables if self.ranks_further_tables else ()))

    def ranked_table(self, action_space: str) -> ActionTable:
        """The table of an action space that boards take; an empty name stands for the first.

        Raises:
            UnknownName: The environment has no such space, or boards do not take its actions.
        """
        for table in self.ranked_tables:
            if action_space in ("", table.name):
                return table
        raise unknown_name("action_space", action_space, [table.name for table in self.ranked_tables])

    def ranked_commandline(self, text: str) -> tuple[str, tuple[Action, ...]]:
        """What a command line stands for on a board: ``ranked_actions`` of it.

        Raises:
            InvalidCommandline: The text is not a command line of this environment, or one of an action space
                that boards do not take.
        """
        table, actions = self.parse(text)
        if all(table is not ranked for ranked in self.ranked_tables):
            names = ", ".join(ranked.name for ranked in self.ranked_tables)
            message = f"Boards of {self.slug} do not take actions of the action space {table.name}."
            remedy = f"Give a command line of {names}, or choose another board."
            raise InvalidCommandline(message, field="commandline", value=text[:_SHOWN], remedy=remedy)
        return self.ranked_actions(actions, table.name)

    def ranked_actions(
        self, actions: Sequence[object], action_space: str = ""
    ) -> tuple[str, tuple[Action, ...]]:
        """Actions in the form by which results are identified: their action space, and its actions.

        The name of the first action space is left out. Two spaces may have the same command lines; then the
        space that reads them stands for both.

        Raises:
            UnknownName: The environment has no such action space, or boards do not take its actions.
            InvalidAction: Names the first action that is not in the space, and its position.
        """
        table = self.ranked_table(action_space)
        checked = check_actions(table, actions)
        if table is self.action_table:
            return "", checked
        text = table.commandline(checked)
        reader = self._readers[_first_word(text)]
        if reader is not table:
            checked = reader.parse(text)
        return "" if reader is self.action_table else reader.name, checked

    def commandline(self, actions: Sequence[Any], action_space: str = "") -> str:
        """The command line of actions of an action space that boards take; an empty name for the first.

        Raises:
            UnknownName: The environment has no such action space, or boards do not take its actions.
            InvalidAction: Names the first action that is not in the space, and its position.
        """
        table = self.ranked_table(action_space)
        return table.commandline(check_actions(table, actions))

    def check_actions(self, actions: Sequence[object]) -> tuple[Any, ...]:
        """Actions of the first action space in their canonical form: plain integers where it is discrete.

        Raises:
            InvalidAction: Names the first action that is not in the table, and its position.
        """
        return check_actions(self.action_table, actions)


def _first_word(commandline: str) -> str:
    return " ".join(commandline.split(maxsplit=1)[:1])


Reading = Callable[[int], float]  # Makes one reading on the processor of this number; returns seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSpec:
    """The workloads that one compiler contributes.

    Times of different versions are never compared: a change of a workload, or of the compiler that makes its
    program, is another version.

    Attributes:
        name: Short name: ``stack``.
        version: Everything that the times depend on apart from the machine: ``1-4.2``.
        prepare: ``module:function`` that makes everything ready and returns a :data:`Reading` for each entry,
            by names of lower-case letters, digits and underscores. It is called in a process of its own.
    """

    name: str
    version: str
    prepare: str


CPU: Final = "cpu"  # The device that every machine has; it needs no description


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSpec:
    """A kind of device that replays are made on.

    Attributes:
        name: Short name, also of the runners' queue: ``cuda``.
        title: For people: ``GPU``.
        check: ``module:function`` that raises ``DeviceUnavailable`` where the device cannot be used. It is
            called in a process of its own, since a process that has loaded a driver must not be forked.
        packages: Distributions whose versions are recorded with what is measured on it.
        stand_in_variable: Environment variable that names an imitation of the device, for tests. A runner
            with this variable set stores no results.
        variables: Further environment variables that a process needs to find the device.
    """

    name: str
    title: str
    check: str
    packages: tuple[str, ...] = ()
    stand_in_variable: str = ""
    variables: tuple[str, ...] = ()

    @property
    def is_imitated(self) -> bool:
        """Whether this process is set up to use an imitation of the device."""
        return bool(self.stand_in_variable and os.environ.get(self.stand_in_variable, "").strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSpec:
    """How pages show programs of a format.

    Attributes:
        environment: Slug of the environment that reads it.
        text: The observation that gives its text.
        language: Pygments' name for the text's language.
        features: What is counted, and the observation that counts it by name.
    """

    environment: str
    text: str
    language: str
    features: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFormat:
    """A format of program files.

    Attributes:
        suffix: The ending of a file's name: ``.bc``.
        title: For people: ``C source``.
        media_type: The media type in HTTP; empty for plain text.
        magics: The byte strings that such a program may begin with; empty if none identifies it.
        make_benchmark: ``module:function`` that makes a benchmark from a path, with ``copt``, a list of
            flags; empty where the file is the program.
        check_flags: ``module:function`` that checks such flags and raises ``InvalidInput``.
        preview: How pages show such programs; None if they do not.
    """

    suffix: str
    title: str
    media_type: str = ""
    magics: tuple[bytes, ...] = ()
    make_benchmark: str = ""
    check_flags: str = ""
    preview: PreviewSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedMeasure:
    """A ``measure`` of an ``EnvironmentSpec`` whose second part needs nothing of the episode.

    Runners without the device replay, check and prepare; one with the device gets the job alone, so it needs
    no compiler.

    Attributes:
        prepare: Makes the job, as JSON data, from an episode's present state and the actions that led to it.
        measure: Carries a job out.
    """

    prepare: Callable[[LiveEnv, Sequence[Action]], Job]
    measure: Callable[[Job, MeasurementPlan], Measurement]

    def __call__(self, env: LiveEnv, actions: Sequence[Action], plan: MeasurementPlan) -> Measurement:
        """Both parts on this machine."""
        return self.measure(self.prepare(env, actions), plan)


ENVIRONMENTS: Final[dict[str, EnvironmentSpec]] = {}
BOARDS: Final[dict[str, BoardSpec]] = {}
PORTABLE_BOARDS: Final[dict[str, PortableBoardSpec]] = {}
DEVICES: Final[dict[str, DeviceSpec]] = {}
FORMATS: Final[dict[str, ProgramFormat]] = {}
CALIBRATIONS: Final[dict[str, CalibrationSpec]] = {}
# Of compilers: for each name the ``module:attribute`` of a click command.
COMMANDS: Final[dict[str, str]] = {}


def environment_specs() -> tuple[EnvironmentSpec, ...]:
    """All environments of this installation: the package's own, then those of plug-ins."""
    return tuple(ENVIRONMENTS.values())


def environment_spec(id_or_slug: str) -> EnvironmentSpec:
    """The environment with this id (``optarena/stack-v0``) or slug (``stack-v0``).

    Raises:
        UnknownName: No such environment; the message names near matches.
    """
    spec = ENVIRONMENTS.get(str(id_or_slug).removeprefix(f"{NAMESPACE}/"))
    if spec is None:
        raise unknown_name("environment", id_or_slug, list(ENVIRONMENTS))
    return spec


def board_specs() -> tuple[BoardSpec, ...]:
    """All boards that take results: the package's own, then those of plug-ins."""
    return tuple(board for board in BOARDS.values() if not board.withdrawn)


def withdrawn_board_specs() -> tuple[BoardSpec, ...]:
    """The boards that were closed for good."""
    return tuple(board for board in BOARDS.values() if board.withdrawn)


def portable_board_specs() -> tuple[PortableBoardSpec, ...]:
    """All boards of portable entries: the package's own, then those of plug-ins."""
    return tuple(PORTABLE_BOARDS.values())


def device_spec(name: str) -> DeviceSpec | None:
    """The device of this name; None for the CPU, and for names that are not registered."""
    return DEVICES.get(name)


def device_specs() -> tuple[DeviceSpec, ...]:
    """All devices other than the CPU."""
    return tuple(DEVICES.values())


def program_formats() -> tuple[ProgramFormat, ...]:
    """The formats of program files that one of the compilers reads, or makes programs from."""
    return tuple(FORMATS.values())


def calibration_specs() -> tuple[CalibrationSpec, ...]:
    """The calibration sets of all compilers, by name."""
    return tuple(CALIBRATIONS[name] for name in sorted(CALIBRATIONS))


def calibration_version() -> str:
    """The versions of all calibration sets, such as ``stack 1-4.2``; empty where there is none."""
    return ", ".join(f"{spec.name} {spec.version}" for spec in calibration_specs())


def inherited_variables() -> tuple[str, ...]:
    """The environment variables that processes of compilers and devices need, each once."""
    lists = [*(one.variables for one in ENVIRONMENTS.values()), *(one.variables for one in DEVICES.values())]
    return tuple(dict.fromkeys(itertools.chain(*lists)))


def recorded_packages() -> tuple[str, ...]:
    """The distributions whose versions are recorded with results, each once."""
    lists = [*(one.packages for one in ENVIRONMENTS.values()), *(one.packages for one in DEVICES.values())]
    return tuple(dict.fromkeys(itertools.chain(*lists)))


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Take back what was made known in a block that ends in an error."""
    known: list[dict[str, Any]] = [ENVIRONMENTS, BOARDS, PORTABLE_BOARDS, DEVICES, FORMATS]
    known += [CALIBRATIONS, COMMANDS]
    before = [dict(one) for one in known]
    try:
        yield
    except BaseException:
        for one, former in zip(known, before, strict=True):
            one.clear()
            one.update(former)
        raise
