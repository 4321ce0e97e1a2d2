"""Validating states: replaying them and comparing their rewards and claims with the replay's.

Each state is replayed in a process of its own. A program that fails a workload is run again as it was
given: if that fails too, even once, the state is not to blame, and the reason says so (``benchmark:flaky``,
``benchmark:broken``).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any, Final, Literal

from optarena import limits
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.env.confined import run_workloads
from optarena.errors import InfrastructureFault, InvalidInput, ServiceError
from optarena.measuring.estimates import of_measurement
from optarena.replay import Progress, replay
from optarena.specs import BoardSpec, EnvironmentSpec, environment_spec, environment_specs
from optarena.specs.benchmark import Benchmark, BenchmarkUri
from optarena.specs.board import ratio
from optarena.specs.results import BROKEN, MISMATCH, ReplayResult, WorkloadResult, refutes
from optarena.specs.rewards import UNOPTIMISED, RewardSpec
from optarena.state import EnvState
from optarena.tables import TextTable

__all__ = [
    "TOLERANCE", "CarriedState", "Comparison", "Drift", "ValidationProblem", "ValidationResult",
    "carry_state", "drift", "validate_state",
]  # fmt: skip

FORMAT_VERSION: Final = 1
# How a reward was compared: for equality, up to rounding errors; not at all, as its cost varies or cannot be
# observed here; or there was no reward to compare.
Comparison = Literal["exact", "not-compared", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationProblem:
    """One thing that does not hold: its reason id, what it is about, and a sentence for people."""

    reason: str
    field: str
    message: str
    claimed: float | str | None = None
    measured: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """What validating a state found.

    Attributes:
        state: The state.
        problems: Everything that does not hold; empty if the state is valid.
        reward: The episode's reward by the replay; None if that failed, or if replays differ in it.
        comparison: How the state's reward was compared.
        remark: Why the reward was not compared, if it was not.
        replay: The replay; None if the state could not be replayed at all.
        walltime: Seconds that validating took.
        validations: How many validations this is the joined result of.
    """

    state: EnvState
    problems: tuple[ValidationProblem, ...] = ()
    reward: float | None = None
    comparison: Comparison = "none"
    remark: str = ""
    replay: ReplayResult | None = None
    walltime: float = 0.0
    validations: int = 1

    @property
    def ok(self) -> bool:
        """Whether all that the state claims holds."""
        return not self.problems

    def okay(self) -> bool:
        """The same as ``ok``, under CompilerGym's name."""
        return self.ok

    @property
    def errors(self) -> dict[str, tuple[ValidationProblem, ...]]:
        """The problems by reason id, in the order in which each was first found."""
        found: dict[str, list[ValidationProblem]] = {}
        for problem in self.problems:
            found.setdefault(problem.reason, []).append(problem)
        return {reason: tuple(problems) for reason, problems in found.items()}

    @classmethod
    def join(cls, results: Iterable[ValidationResult]) -> ValidationResult:
        """The result of several validations of one state: the problems of all, and the sum of their times.

        Reward and replay are those of the first validation that failed, or of the first one.

        Raises:
            InvalidInput: There are no validations, or they are of different states.
        """
        every = list(results)
        remedy = "Join validations of one state."
        if not every:
            raise InvalidInput("There are no results to join.", field="results", remedy=remedy)
        first = every[0]
        for one in every:
            if one.state != first.state:
                uris = f"{first.state.benchmark} and {one.state.benchmark}"
                message = f"The results are of different states: {uris}."
                value = one.state.commandline[:100]
                raise InvalidInput(message, field="results", value=value, remedy=remedy)
        shown = next((one for one in every if not one.ok), first)
        return cls(
            state=first.state,
            problems=tuple(problem for one in every for problem in one.problems),
            reward=shown.reward,
            comparison=shown.comparison,
            remark=shown.remark,
            replay=shown.replay,
            walltime=sum(one.walltime for one in every),
            validations=sum(one.validations for one in every),
        )

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON data."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        state, problems = self.state.as_dict(), [asdict(problem) for problem in self.problems]
        replay = None if self.replay is None else self.replay.as_dict()
        head = {"version": FORMAT_VERSION, "ok": self.ok}
        return {**head, **plain, "state": state, "problems": problems, "replay": replay}

    def to_json(self) -> str:
        """The result as JSON text; ``from_json`` gives it back."""
        return json.dumps(self.as_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, document: str | bytes | Mapping[str, Any]) -> ValidationResult:
        """The result from JSON text or data.

        Raises:
            ValueError: It is not a validation result of this version.
        """
        try:
            raw = dict(document) if isinstance(document, Mapping) else json.loads(document)
            version = raw.pop("version")
            if version != FORMAT_VERSION:
                raise ValueError(
                    f"The validation result has version {version}; this program reads {FORMAT_VERSION}."
                )
            del raw["ok"]
            replay = raw.pop("replay")
            return cls(
                state=EnvState(**raw.pop("state")),
                problems=tuple(ValidationProblem(**problem) for problem in raw.pop("problems")),
                replay=ReplayResult.from_json(replay) if replay else None,
                **raw,
            )
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"This is not a validation result: {error}.") from error

    def __str__(self) -> str:
        verdict = "valid" if self.ok else "; ".join(problem.message for problem in self.problems)
        return f"{self.state.benchmark}: {verdict}"

    def _repr_html_(self) -> str:
        metrics = {} if self.replay is None else self.replay.metrics
        fields = (
            ("benchmark", self.state.benchmark),
            ("state", "valid" if self.ok else "invalid"),
            *((problem.reason, problem.message) for problem in self.problems),
            *((name, f"{value:.6g}") for name, value in metrics.items()),
            ("reward", "" if self.reward is None else f"{self.reward:.4f}"),
            ("remark", self.remark),
            ("walltime", f"{self.walltime:.1f} s"),
            ("commandline", self.state.commandline),
        )
        return TextTable.of_fields(fields)._repr_html_()  # the name that notebooks ask for


# Relative and absolute: a sum of rewards differs from the exact total by rounding only.
TOLERANCE: Final = 1e-9
_SUSPECT_RUNS: Final = 3  # How many times the unoptimised program is run on a failed workload
_NOTHING: Final = {"observation_space": None, "reward_space": None}


def validate_state(  # noqa: PLR0913 # all but the state by keyword
    state: EnvState,
    *,
    environment: str | EnvironmentSpec,
    reward_space: str | None = None,
    benchmark: Benchmark | None = None,
    sandbox: bool = True,
    reward_sandbox: bool | None = None,
    repeats: int = 1,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> ValidationResult:
    """Replay a state and compare its reward and claims.

    Args:
        state: What to validate; its command line may be of any of the environment's action spaces.
        environment: Id, slug or spec of the state's environment.
        reward_space: The reward space of ``state.reward``; the environment's default if None. One whose cost
            varies is not compared.
        benchmark: The benchmark, if the caller has it; else it is looked up.
        sandbox: As for ``replay``.
        reward_sandbox: The same for observing a reward that the replay does not measure; ``sandbox`` if None.
            A reward that needs a linker is not compared in a confined session.
        repeats: How many times each workload is run; a runner's replay does so once.
        on_progress: As for ``replay``.

    Raises:
        InvalidInput: ``repeats`` is not a positive integer.
        UnknownName: The environment, the reward space or the benchmark does not exist.
        SandboxUnavailable: The sandbox was requested, and this kernel does not support it.
        ServiceError: The service could not be started, or the reward could not be observed again.
    """
    started = time.monotonic()
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        message = f"repeats is {repeats!r:.100}."
        raise InvalidInput(message, field="repeats", value=repeats, remedy="Give an integer of at least 1.")
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    reward = spec.reward(wanted) if (wanted := reward_space or spec.reward_space) else None
    program = benchmark or datasets().benchmark(state.benchmark)
    replayed: ReplayResult | None = None
    total: float | None = None
    remark = ""
    try:
        table, actions = spec.parse(state.commandline)
    except InvalidInput as error:
        problems = [ValidationProblem(reason="user:invalid-action", field=error.field, message=str(error))]
        remark = "There was no replay."
    else:
        action_space = None if table is spec.action_table else table.name
        programs = _Programs(spec, program, action_space, actions, sandbox=sandbox)
        replayed = replay(
            environment=spec,
            benchmark=program,
            actions=actions,
            action_space=action_space,
            sandbox=sandbox,
            on_progress=on_progress,
            when_passed=lambda env: programs.run_again(env, repeats - 1),
        )
        if replayed.ok:
            others = replace(programs, sandbox=sandbox if reward_sandbox is None else reward_sandbox)
            total, remark = _rewarded(others, reward, replayed)
            problems = [*_mismatches(state, replayed, spec), *_other_reward(state, reward, total)]
            problems += programs.blamed()
        else:
            problems, remark = [_failure(replayed, programs)], "The replay failed."
    return ValidationResult(
        state=state,
        problems=tuple(problems),
        reward=total,
        comparison="none" if state.reward is None else "not-compared" if total is None else "exact",
        remark=remark,
        replay=replayed,
        walltime=time.monotonic() - started,
    )


@dataclass
class _Programs:
    spec: EnvironmentSpec
    benchmark: Benchmark
    action_space: str | None
    actions: Sequence[Any]
    sandbox: bool
    failed: list[WorkloadResult] = field(default_factory=list)
    fault: ServiceError | None = None

    def reward(self, reward: RewardSpec, result: ReplayResult) -> float:
        measured = {metric.observation: result.metrics.get(metric.name) for metric in self.spec.metrics}
        costs = {level: self.benchmark.baseline(reward.metric, level) for level in reward.levels}
        if reward.cost == self.spec.cost and costs.get(UNOPTIMISED, 0) is None and result.initial is not None:
            costs[UNOPTIMISED] = result.initial.cost
        known = {level: float(value) for level, value in costs.items() if value is not None}
        last = measured.get(reward.cost)
        if last is not None and len(known) == len(costs):
            return reward.at(known).total(last)
        with self._env() as env:
            env.reset(options={"observation_space": None, "reward_space": reward.name})
            env.multistep(self.actions)
            error, total = env.error, env.episode_reward
        if error is not None:
            raise error
        return float(total or 0.0)

    def run_again(self, env: CompilerEnv, times: int) -> None:
        try:
            runs = run_workloads(env, self.benchmark.workloads * times, sandbox=self.sandbox)
            self.failed += [run for run in runs if not run.ok]
        except ServiceError as error:  # a fault of the machinery is this state's alone
            self.fault = error

    def blamed(self) -> list[ValidationProblem]:
        # What was wrong when the workloads ran again.
        what = "which passed before, failed when run again"
        try:
            if self.fault is not None:
                raise self.fault
            return [
                self.blame(run, f"Workload {run.name}, {what}: {run.detail}", passed=True)
                for run in self.failed
            ]
        except ServiceError as error:
            reason = error.reason if isinstance(error, InfrastructureFault) else f"env:{error.error_type}"
            message = f"Its replay passed, but its workloads could not be run again: {error}"
            return [ValidationProblem(reason=reason, field="commandline", message=message)]

    def blame(self, failed: WorkloadResult, detail: str, *, passed: bool = False) -> ValidationProblem:
        # The benchmark is to blame if its original program fails; `passed`: another run, in any state, has
        # passed.
        workload = next(one for one in self.benchmark.workloads if one.name == failed.name)
        found: list[WorkloadResult] = []
        for _ in range(_SUSPECT_RUNS):
            with self._env() as env:
                env.reset(options=_NOTHING)
                found.extend(run_workloads(env, [workload], sandbox=self.sandbox))
        faults = [run.detail for run in found if not run.ok]
        if not faults:
            return ValidationProblem(reason=failed.reason or "", field="commandline", message=detail)
        steady = not passed and len(faults) == len(found) and len(set(faults)) == 1
        message = (
            f"The benchmark is {'broken' if steady else 'flaky'}: its original program fails workload "
            f"{failed.name}, too, {len(faults)} of {len(found)} times. {faults[0]}"
        )
        reason = BROKEN if steady else "benchmark:flaky"
        return ValidationProblem(reason=reason, field="benchmark", message=message)

    def _env(self) -> CompilerEnv:
        return CompilerEnv(
            self.spec, benchmark=self.benchmark, action_space=self.action_space, sandbox=self.sandbox
        )


def _failure(result: ReplayResult, programs: _Programs) -> ValidationProblem:
    last = result.workloads[-1] if result.workloads else None
    if last is not None and not last.ok and programs.benchmark.workloads:
        return programs.blame(last, result.detail)
    field = "benchmark" if result.reason == BROKEN else "commandline"
    return ValidationProblem(reason=result.reason or "", field=field, message=result.detail)


def _rewarded(
    programs: _Programs, reward: RewardSpec | None, result: ReplayResult
) -> tuple[float | None, str]:
    if reward is None:
        return None, "The environment has no reward space to compare it in."
    if not reward.deterministic:
        return None, f"{reward.name} varies from run to run."
    try:
        return programs.reward(reward, result), ""
    except InvalidInput as error:  # no linker, or none that is allowed
        return None, str(error)


def _mismatches(state: EnvState, result: ReplayResult, spec: EnvironmentSpec) -> list[ValidationProblem]:
    problems = []
    for name, claimed in state.claims.items():
        measured = result.metrics.get(name)
        if measured is None:
            problems.append(_mismatch(name, claimed, None))
        elif spec.metric(name).exact and claimed != measured:
            problems.append(_mismatch(name, claimed, measured))
    return problems


def _other_reward(state: EnvState, reward: RewardSpec | None, total: float | None) -> list[ValidationProblem]:
    close = partial(math.isclose, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if reward is None or total is None or state.reward is None or close(state.reward, total):
        return []
    return [_mismatch("reward", state.reward, total, f" in {reward.name}")]


def _mismatch(name: str, claimed: float, measured: float | None, where: str = "") -> ValidationProblem:
    found = "the environment does not measure it" if measured is None else f"the replay gives {measured}"
    return ValidationProblem(
        reason=MISMATCH,
        field=name,
        message=f"{name} is claimed to be {claimed}, but {found}{where}.",
        claimed=claimed,
        measured=measured,
    )


Drift = Literal["same", "better", "worse", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedState:
    """A state of an environment's predecessor, and what it gives in the environment.

    Attributes:
        state: As the environment writes it, with the value of its metric as a claim; None if it is refused.
        before: The metric's value in the predecessor; None if the state does not hold there.
        after: The value in the environment; None if the state is refused.
        reason: Why it is refused.
    """

    state: EnvState | None = None
    before: float | None = None
    after: float | None = None
    reason: str = ""


def carry_state(
    state: EnvState, environment: EnvironmentSpec, metric: str, *, sandbox: bool = True
) -> CarriedState:
    """Translate a state of the environment's predecessor, and replay it in both, with all workloads.

    Raises:
        InvalidInput: The environment has no predecessor, or the benchmark does not exist.
        ServiceError, SandboxUnavailable: As for ``replay``.
    """
    if environment.translate is None:
        raise InvalidInput(
            f"{environment.slug} has no predecessor whose states could be carried to it.",
            field="environment",
            value=environment.slug,
            remedy="Name one of: "
            + ", ".join(one.slug for one in environment_specs() if one.predecessor)
            + ".",
        )
    benchmark = datasets().benchmark(state.benchmark)
    how: dict[str, Any] = {"benchmark": benchmark, "metrics": [metric], "sandbox": sandbox}
    former = environment_spec(environment.predecessor)
    try:
        text = environment.translate(state.commandline)
        actions = environment.parse_commandline(text)
        given = former.parse_commandline(state.commandline)
    except InvalidInput as error:
        return CarriedState(reason=error.message)
    earlier = replay(environment=former, actions=given, **how)
    if not earlier.ok:
        return CarriedState(reason=f"It does not hold in {former.slug}: {earlier.detail or earlier.reason}")
    before = earlier.metrics[metric]
    now = replay(environment=environment, actions=actions, **how)
    if not now.ok:
        return CarriedState(before=before, reason=now.detail or now.reason or "")
    after = now.metrics[metric]
    made = EnvState(benchmark=state.benchmark, commandline=text, claims={metric: after})
    return CarriedState(state=made, before=before, after=after)


def drift(before: float | None, after: float | None, *, lower_is_better: bool) -> Drift:
    """What became of a value in another release."""
    if before is None or after is None:
        return "refused"
    if before == after:
        return "same"
    return "better" if (after < before) == lower_is_better else "worse"


NOT_ACCEPTED: Final = "not accepted"  # Of a state that a submission may not have at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a board would say of a state.

    ``ratio`` is None without a board, or without both values; ``interval`` is that of a measured ratio.
    ``remark`` says why the board does not accept the state, if the environment itself can replay it; or that
    the board compares other programs unless its server has chosen these.
    """

    verdict: str
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    remark: str = ""


def expected(
    result: ValidationResult, spec: EnvironmentSpec, benchmark: Benchmark, board: BoardSpec | None
) -> Expected:
    """The verdict of a state on a board.

    Rewards are not judged, since no board compares them. Without a board, and without the results of others
    that a server has, an implausible ratio cannot be told: a board publishes more than its plausible ratio if
    others have come near.
    """
    replayed = result.replay
    if replayed is None:
        return Expected(verdict=NOT_ACCEPTED)
    if board is not None and (refusal := _refusal(result, spec)):
        return Expected(verdict=NOT_ACCEPTED, remark=refusal)
    if not replayed.ok:
        return Expected(verdict="refuted" if refutes(replayed.reason or "") else "failed")
    wrong = [
        name
        for name, claimed in result.state.claims.items()
        if name in replayed.metrics and spec.metric(name).exact and claimed != replayed.metrics[name]
    ]
    if wrong:
        return Expected(verdict="refuted")
    found, interval = (None, None) if board is None else _ratio(replayed, spec, benchmark, board)
    implausible = board is not None and found is not None and found > board.plausible_ratio
    verdict = "quarantined" if implausible else "verified"
    return Expected(verdict=verdict, ratio=found, interval=interval, remark=_elsewhere(benchmark, board))


def _elsewhere(benchmark: Benchmark, board: BoardSpec | None) -> str:
    if board is None:
        return ""
    uri = BenchmarkUri.parse(benchmark.uri)
    is_compared = str(uri) in board.benchmarks if board.benchmarks else uri.dataset == board.dataset
    if is_compared:
        return ""
    which = f"{len(board.benchmarks)}" if board.benchmarks else "those"
    return f"Board {board.slug} does not compare this program, but {which} of {board.dataset}."


def _refusal(result: ValidationResult, spec: EnvironmentSpec) -> str:
    try:
        _, actions = spec.ranked_commandline(result.state.commandline)
    except InvalidInput as error:
        return str(error)
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        allowed = f"A submission may have {limits.MAX_ACTIONS_PER_ITEM:,} for a benchmark"
        return f"There are {len(actions):,} actions. {allowed}: drop those that have no effect."
    return ""


def _ratio(
    replayed: ReplayResult, spec: EnvironmentSpec, benchmark: Benchmark, board: BoardSpec
) -> tuple[float | None, tuple[float, float] | None]:
    estimate = of_measurement(replayed.measurement) if board.reference_metric else None
    if estimate:
        return estimate.ratio, estimate.interval
    recorded = benchmark.baseline(board.metric, board.baseline_level) if board.baseline_level else None
    baseline = replayed.metrics.get(board.reference_metric) if board.reference_metric else recorded
    achieved = replayed.metrics.get(board.metric)
    if not baseline or not achieved:
        return None, None
    lower = spec.metric(board.metric).lower_is_better
    return ratio(baseline=baseline, achieved=achieved, lower_is_better=lower), None
