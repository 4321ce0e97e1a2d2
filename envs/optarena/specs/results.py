"""What a replay found, as data that travels as JSON; and why a replay or an item ended as it did.

Reason ids are ``family:name``, each with its remedy text. They are part of the API: an id is never renamed
or reused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from optarena.actions import Action

FORMAT_VERSION: Final = 4
_ONE_SPACE_VERSION: Final = 3  # without names of action spaces and of what actions are about
_UNMEASURED_VERSION: Final = 2  # and without measurements
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
        refused: What the sandbox refused to it, each as ``open the file 'a.txt'``; only where that was asked.
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
    refused: tuple[str, ...] = ()


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
    """The measurement of metrics that differ between machines, by name.

    ``details`` is how it was measured, as JSON data: the machine, the interval, each block.
    """

    metrics: Mapping[str, float]
    details: Mapping[str, Any]


def _nothing(*_: object) -> None:  # a lambda could not be pickled
    pass


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
            ``optarena.specs.environment``; where None, this machine makes the measurement.
    """

    blocks: int | None = None
    kept: Sequence[Mapping[str, Any]] = ()
    between: Callable[[int, int], None] = _nothing
    keep: Callable[[Mapping[str, Any]], None] = _nothing
    hand_over: Callable[[Mapping[str, Any]], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadResult:
    """One run of the optimised program: whether it did what the original does.

    If not, ``reason`` is the reason's id and ``detail`` what differs. ``seconds`` is the wall time of a run
    to completion.
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
        reason: Reason id (see ``optarena.specs.results``) if not ok.
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
            if version not in range(_UNMEASURED_VERSION, FORMAT_VERSION + 1):
                readable = f"{_UNMEASURED_VERSION} to {FORMAT_VERSION}"
                raise ValueError(f"The replay result has version {version}; this program reads {readable}.")
            raw.pop("pruned", None)  # a server's note where it has deleted the steps to save space
            initial = raw.pop("initial")
            return cls(
                actions=tuple(_action(one) for one in raw.pop("actions")),
                initial=StateTrace(**initial) if initial else None,
                steps=tuple(
                    StepTrace(**{**one, "action": _action(one["action"])}) for one in raw.pop("steps")
                ),
                workloads=tuple(WorkloadResult(**workload) for workload in raw.pop("workloads")),
                **raw,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"This is not a replay result: {error}.") from error


def _action(read: Any) -> Action:  # noqa: ANN401 # JSON data
    # A structured action is a list in JSON.
    return tuple(read) if isinstance(read, list) else read


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place at which two replays differ.

    ``step`` is the index of the action after which they differ, None if it is not about a step. ``field`` is
    such as ``digest`` or ``metrics.ir_instructions``; ``left`` and ``right`` are its values.
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
    for name, one, other, where, step in _compared(left, right):
        if one != other:
            message = f"{name} differs{where}: {str(one)[:100]} and {str(other)[:100]}."
            return Difference(step=step, field=name, left=one, right=other, message=message)
    return None


def _compared(
    left: ReplayResult, right: ReplayResult
) -> Iterator[tuple[str, object, object, str, int | None]]:
    for name in _IDENTITY:
        yield name, getattr(left, name), getattr(right, name), "", None
    if left.initial and right.initial:
        for name in ("cost", "digest"):
            yield name, getattr(left.initial, name), getattr(right.initial, name), " before step 0", None
    for one, other in zip(left.steps, right.steps, strict=False):
        for name in _STEP_FIELDS:
            where = f" after step {one.index} ({one.name})"
            yield name, getattr(one, name), getattr(other, name), where, one.index
    for name in ("failed_step", "reason"):
        yield name, getattr(left, name), getattr(right, name), "", None
    noisy = {*left.measurement.get("metrics", ()), *right.measurement.get("metrics", ())}
    for name in sorted((left.metrics.keys() & right.metrics.keys()) - noisy):
        yield f"metrics.{name}", left.metrics[name], right.metrics[name], "", None


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable id (``family:name``), what it means and what the submitter (or operator) can do.

    ``timed``: a limit on time is the cause, so a busy machine can make the difference.
    """

    id: str
    meaning: str
    remedy: str
    timed: bool = False

    @property
    def family(self) -> str:
        """The part before the colon: user, claim, env, semantics, benchmark, infra or policy."""
        return self.id.partition(":")[0]


BROKEN: Final = "benchmark:broken"  # The original program is to blame, and no sequence
MISMATCH: Final = "claim:mismatch"  # A replay that succeeded contradicts what was claimed
UNSTEADY: Final = "infra:unsteady-machine"  # Too few blocks or readings agree: it begins anew

_AGAIN: Final = "Try again on the item's page; if it happens again, report the submission."
_MISCOMPILED: Final = "The sequence miscompiles the program: remove the action that changed its behaviour."
_NOT_YOURS: Final = "Nothing is wrong with the sequence. Report the benchmark to the authors of its dataset."
_ALL: Final = (
    Reason(
        "user:invalid-action",
        "An action is not in the environment's action space.",
        "Compare the command line with the environment's action table and submit again.",
    ),
    Reason(
        "user:withdrawn",
        "The submitter withdrew the submission.",
        "Submit again if it should be ranked after all.",
    ),
    Reason(
        MISMATCH,
        "The measured value differs from the claim.",
        "Correct the claim or leave it out; the measured value is on the item's page. If your machine "
        "measures a different value, `optarena replay` names the first step that differs.",
    ),
    Reason(
        "env:crash",
        "The compiler crashed while it ran the sequence.",
        "Remove the action named in the detail, or the one before it. "
        "`optarena replay` reproduces the crash.",
    ),
    Reason(
        "env:timeout",
        "An action, or one block of a measurement, exceeded its time limit.",
        "Remove the action named in the detail; the limits are listed at /api/v1/limits/.",
        timed=True,
    ),
    Reason(
        "env:replay-timeout",
        "The whole replay exceeded its time limit.",
        "Use fewer or faster actions; the limits are listed at /api/v1/limits/.",
        timed=True,
    ),
    Reason(
        "env:out-of-memory",
        "The compiler reached its memory limit.",
        "Remove the action named in the detail, or use fewer inlining and unrolling actions.",
    ),
    Reason(
        "env:ir-growth",
        "The program exceeded the limit on its number of instructions.",
        "Use fewer inlining and unrolling actions; the limits are listed at /api/v1/limits/.",
    ),
    Reason(
        "env:service",
        "The compiler service failed.",
        "Run `optarena replay` on the item; if it succeeds there, report the submission.",
    ),
    Reason(
        "semantics:verifier",
        "The resulting program is not valid.",
        "Remove the action that broke the program; `optarena replay` repeats it.",
    ),
    Reason(
        "semantics:output-differs",
        "The output differs from the original program's.",
        "The sequence miscompiles the program: remove the action that changed its output.",
    ),
    Reason("semantics:exit-code", "The exit code differs from the original program's.", _MISCOMPILED),
    Reason("semantics:crash", "The optimised program crashed on a workload.", _MISCOMPILED),
    Reason(
        "semantics:timeout",
        "The optimised program did not finish a workload in time.",
        "The sequence miscompiles the program or makes it far slower: remove the action responsible.",
        timed=True,
    ),
    Reason(
        BROKEN,
        "The benchmark's original program does not do what its workload specifies, or cannot be checked.",
        _NOT_YOURS,
    ),
    Reason(
        "benchmark:flaky",
        "The benchmark's original program does not behave the same way in every run.",
        _NOT_YOURS,
    ),
    Reason(
        "infra:retries-exhausted",
        "Workers were lost several times while they replayed this sequence.",
        _AGAIN,
    ),
    Reason(
        "infra:killed",
        "A process of the replay was killed from outside, or lost, so nothing is known about the sequence.",
        _AGAIN,
    ),
    Reason("infra:memory-pressure", "The runner's machine ran short of memory during the replay.", _AGAIN),
    Reason(
        "infra:memory-limit",
        "The compiler and the program together needed more memory than the runner allows for one replay.",
        "Use fewer actions that make the program grow, such as inlining, or report the submission.",
    ),
    Reason(
        "infra:compile-timeout",
        "The runner did not compile the program for its run in time.",
        "Try again on the item's page, or use fewer inlining and unrolling actions.",
    ),
    Reason(
        UNSTEADY,
        "The runner's machine was too unsteady to time anything: readings of the same code differ.",
        "Try again later on the item's page; if it happens again, report the submission.",
    ),
    Reason("infra:core-lost", "The runner lost the processor that it timed the program on.", _AGAIN),
    Reason(
        "infra:machine-busy",
        "The machine was busy with other work for too long, and no idle one was found.",
        "Try again later on the item's page.",
    ),
    Reason(
        "infra:unrepeatable",
        "The replay ended in different ways when it was repeated, so it could not be verified.",
        "Run `optarena replay` on the item a few times, or try again on the item's page.",
    ),
    Reason(
        "infra:worker-unhealthy",
        "The worker failed its own check, so it returned the work.",
        "Try again later on the item's page. The operator finds the worker's problem on the page of runners.",
    ),
    Reason(
        "infra:runner-drifted",
        "The runner's machine was found to have changed its speed, so the work was given back.",
        "Wait: another runner takes the work, or this one when its machine is as before.",
    ),
    Reason(
        "infra:sandbox-unavailable",
        "The runner's kernel lacks the sandbox that untrusted work needs.",
        "The operator must run the worker on a kernel with seccomp and Landlock.",
    ),
    Reason(
        "infra:environment-changed",
        "The environment's version changed while the replay waited.",
        "Submit again to have it replayed in the new version.",
    ),
    Reason(
        "infra:toolchain-missing",
        "The runner's machine does not have the compiler that the environment needs.",
        "Wait: a runner that has it takes the work. The operator must install the compiler, or add such a "
        "runner.",
    ),
    Reason(
        "infra:device-unavailable",
        "The runner's machine has no usable device of the kind that the benchmark needs.",
        "Try again later on the item's page. The operator must give the worker the device, its driver and "
        "the packages that use it, or stop the worker.",
    ),
    Reason(
        "infra:emulated-device",
        "The runner only imitates the device, so nothing was measured.",
        "Try again later on the item's page. The operator must unset the variable that turns on the "
        "imitation, which is for tests only, and restart the worker.",
    ),
    Reason("infra:internal", "The runner failed because of an internal error.", _AGAIN),
    Reason(
        "policy:withdrawn",
        "The operator of this server withdrew the submission.",
        "Ask the operator for the cause before you submit it again.",
    ),
    Reason(
        "policy:implausible",
        "The result is far beyond what this board's history makes plausible.",
        "A reviewer will look at it. You do not need to do anything.",
    ),
)

REASONS: Final[dict[str, Reason]] = {reason.id: reason for reason in _ALL}


def reason(reason_id: str) -> Reason:
    """The reason with this id.

    Raises:
        KeyError: No such reason exists; ids are written in this module only.
    """
    return REASONS[reason_id]


def refutes(reason_id: str) -> bool:
    """Whether a failure with this reason shows that a result is wrong; otherwise it only shows nothing."""
    return reason_id.startswith(("semantics:", "claim:"))
