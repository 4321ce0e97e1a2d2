"""What a replay found, as data that travels as JSON, and the comparison of two replays.

Pure data: nothing here starts a process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from optarena.actions import Action

FORMAT_VERSION: Final = 4
_ONE_SPACE_VERSION: Final = 3
_UNMEASURED_VERSION: Final = 2
_FORMER_NAMES: Final = (("digest", "ir_digest"), ("cost", "ir_instructions"))
"""Version 1 supported one compiler only, version 2 had no measurements, and version 3 only actions of
one space that name nothing of the program; databases still hold all of them."""
Phase = Literal["replaying", "checking", "measuring"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One run of a program.

    Attributes:
        stdout: What it printed, at most the output limit.
        exit_code: Its exit code; None if it was killed or never ran.
        signal: The signal that killed it; None if it ended by itself.
        seconds: Wall time of the run, without compilation, on the parent's clock.
        cpu_seconds: CPU time of its process, linking included; None if unknown.
        run_cpu_seconds: CPU time of the run alone, in user mode and in the kernel; None if unknown.
        instructions: Instructions that the run retired in user mode; None where they cannot be counted.
        timed_out: Whether it was killed because its time was up.
        output_truncated: Whether it was killed because it printed too much.
        stderr: The end of what it wrote to standard error.
        failure: Why it could not be run, or could not finish; None if it ran.
    """

    stdout: bytes = b""
    exit_code: int | None = None
    signal: int | None = None
    seconds: float = 0.0
    cpu_seconds: float | None = None
    run_cpu_seconds: float | None = None
    instructions: int | None = None
    timed_out: bool = False
    output_truncated: bool = False
    stderr: str = ""
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a replay has come: ``done`` of ``total`` actions, workloads or metrics."""

    phase: Phase
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTrace:
    """What identifies a program's state, and its cost by the first exact metric, if there is one."""

    digest: str
    cost: int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTrace:
    """The state after one action; ``index`` counts from 0.

    ``about`` is the name of what the action is about, such as a loop; empty if the program has no such thing,
    None if the action names nothing of the program.
    """

    index: int
    action: Action
    name: str
    had_no_effect: bool
    digest: str
    cost: int | float | None
    about: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The measurement of metrics that differ between machines.

    Attributes:
        metrics: Metric name -> value.
        details: How it was measured, as JSON data: the machine, the interval, each block.
    """

    metrics: Mapping[str, float]
    details: Mapping[str, Any]


def _nothing(*_: object) -> None:
    """Takes what nobody wants to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementPlan:
    """How much is measured, and who is told.

    Attributes:
        blocks: The number of blocks that must count; None for the usual number.
        kept: Whole blocks that an interrupted measurement of the same program left, as it told them.
        between: Called before each block and after the last with the number of blocks that count and of all;
            an exception from it ends the measurement.
        keep: Told each block once it is whole, as JSON data.
        hand_over: Takes the job of a measurement that was only prepared here, see
            ``optarena.specs.prepared``; where None, this machine makes the measurement.
    """

    blocks: int | None = None
    kept: Sequence[Mapping[str, Any]] = ()
    between: Callable[[int, int], None] = _nothing
    keep: Callable[[Mapping[str, Any]], None] = _nothing
    hand_over: Callable[[Mapping[str, Any]], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadResult:
    """One run of the optimised program.

    Attributes:
        name: The workload's.
        ok: Whether it did what the original does.
        reason: Reason id if not.
        seconds: Wall time, if it ran to completion.
        detail: What differs, for people.
    """

    name: str
    ok: bool
    reason: str | None = None
    seconds: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """Everything a replay measured.

    Attributes:
        environment: Slug of the environment.
        digest: Environment version digest.
        benchmark: URI.
        benchmark_sha256: SHA-256 of the program.
        actions: What was replayed.
        action_space: The name of their action space; empty for the environment's first.
        ok: Whether every check passed and every metric was measured.
        reason: Reason id (see ``optarena.specs.reasons``) if not ok.
        detail: One line for people.
        failed_step: Index of the action that failed, None if none did.
        initial: The state before the first action, None if it could not be read.
        steps: One for each action that was applied.
        metrics: Metric name -> value, complete only if ok.
        measurement: How the metrics that are not exact, which it names as ``metrics``, were measured; empty
            where all are exact.
        workloads: Runs up to and including the first that failed.
        walltime: Seconds of the whole replay.
        sandbox: How the compiler's process was confined.
        failed_unit: Where a check failed, the ``wall_seconds`` of the action, workload or metric, and the
            ``cpu_seconds`` that its process used in its life, if known. They are neither stored with the
            result nor compared.
    """

    environment: str
    digest: str
    benchmark: str
    benchmark_sha256: str
    actions: tuple[Action, ...]
    ok: bool
    reason: str | None = None
    detail: str = ""
    failed_step: int | None = None
    initial: StateTrace | None = None
    steps: tuple[StepTrace, ...] = ()
    metrics: Mapping[str, int | float] = field(default_factory=dict, hash=False)
    measurement: Mapping[str, Any] = field(default_factory=dict, hash=False)
    workloads: tuple[WorkloadResult, ...] = ()
    walltime: float = 0.0
    sandbox: Mapping[str, Any] = field(default_factory=dict, hash=False)
    failed_unit: Mapping[str, float] = field(default_factory=dict, hash=False, compare=False)
    action_space: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON data, in the oldest format that can hold it."""
        data = {"version": FORMAT_VERSION, **asdict(self), "actions": list(self.actions)}
        del data["failed_unit"]
        if self.action_space or any(step.about is not None for step in self.steps):
            return data
        data["version"] = _ONE_SPACE_VERSION
        del data["action_space"]
        for step in data["steps"]:
            del step["about"]
        if not self.measurement:
            data["version"] = _UNMEASURED_VERSION
            del data["measurement"]
        return data

    def to_json(self) -> str:
        """The result as JSON text; ``from_json`` gives it back."""
        return json.dumps(self.as_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, document: str | bytes | Mapping[str, Any]) -> ReplayResult:
        """The result from JSON text or data.

        Raises:
            ValueError: It is not a replay result of a supported version.
        """
        raw = dict(document) if isinstance(document, Mapping) else json.loads(document)
        try:
            version = raw.pop("version")
            if version not in range(1, FORMAT_VERSION + 1):
                raise ValueError(
                    f"The replay result has version {version}; this program reads 1 to {FORMAT_VERSION}."
                )
            read = _renamed if version == 1 else dict
            initial = raw.pop("initial")
            return cls(
                actions=tuple(_action(one) for one in raw.pop("actions")),
                initial=StateTrace(**read(initial)) if initial else None,
                steps=tuple(_step(read(step)) for step in raw.pop("steps")),
                workloads=tuple(WorkloadResult(**workload) for workload in raw.pop("workloads")),
                **raw,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"This is not a replay result: {error}.") from error


def _step(read: dict[str, Any]) -> StepTrace:
    return StepTrace(**{**read, "action": _action(read["action"])})


def _action(read: Any) -> Action:  # noqa: ANN401 # JSON data
    """An action read from JSON, where a structured one is a list."""
    return tuple(read) if isinstance(read, list) else read


def _renamed(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state of format version 1 under the present names."""
    read = dict(state)
    for name, former in _FORMER_NAMES:
        read[name] = read.pop(former)
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place at which two replays differ.

    Attributes:
        step: Index of the action after which they differ; None if it is not about a step.
        field: What differs: ``digest``, ``metrics.ir_instructions``, …
        left: The first replay's value.
        right: The second replay's value.
        message: One sentence for people.
    """

    step: int | None
    field: str
    left: Any
    right: Any
    message: str


_IDENTITY: Final = ("environment", "digest", "benchmark_sha256", "action_space", "actions")
_STEP_FIELDS: Final = ("cost", "digest", "had_no_effect")


def first_difference(left: ReplayResult, right: ReplayResult) -> Difference | None:
    """Where two replays of the same work first differ; None if they agree.

    Only metrics that both have measured are compared: a runner measures those that somebody needs. Times,
    metrics that are not exact, sandboxes and texts for people are not compared.
    """
    for name in _IDENTITY:
        found = _compare(name, getattr(left, name), getattr(right, name))
        if found:
            return found
    return _state_difference(left, right) or _outcome_difference(left, right)


def _state_difference(left: ReplayResult, right: ReplayResult) -> Difference | None:
    if left.initial and right.initial:
        for name in ("cost", "digest"):
            found = _compare(name, getattr(left.initial, name), getattr(right.initial, name), "before step 0")
            if found:
                return found
    for one, other in zip(left.steps, right.steps, strict=False):
        for name in _STEP_FIELDS:
            where = f"after step {one.index} ({one.name})"
            found = _compare(name, getattr(one, name), getattr(other, name), where, one.index)
            if found:
                return found
    return None


def _outcome_difference(left: ReplayResult, right: ReplayResult) -> Difference | None:
    for name in ("failed_step", "reason"):
        found = _compare(name, getattr(left, name), getattr(right, name))
        if found:
            return found
    noisy = {*left.measurement.get("metrics", ()), *right.measurement.get("metrics", ())}
    for name in sorted((left.metrics.keys() & right.metrics.keys()) - noisy):
        found = _compare(f"metrics.{name}", left.metrics[name], right.metrics[name])
        if found:
            return found
    return None


def _compare(
    name: str, left: object, right: object, where: str = "", step: int | None = None
) -> Difference | None:
    if left == right:
        return None
    place = f" {where}" if where else ""
    message = f"{name} differs{place}: {str(left)[:100]} and {str(right)[:100]}."
    return Difference(step=step, field=name, left=left, right=right, message=message)
