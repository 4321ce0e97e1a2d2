"""What every wrapper keeps: gymnasium's contract, forks, multisteps and all else that environments have."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import gymnasium
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

from optarena import wrappers
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, ServiceClosed, UnknownName
from optarena.llvm.actions import CURATED
from optarena.wrappers import (
    ActionWrapper,
    CommandlineWithTerminalAction,
    CompilerEnvWrapper,
    ConstrainedCommandline,
    Counter,
    CycleOverBenchmarks,
    CycleOverBenchmarksIterator,
    ForkOnStep,
    IterateOverBenchmarks,
    LogAutophase,
    NamedObservations,
    NormalisedAutophase,
    ObservationWrapper,
    RandomOrderBenchmarks,
    RewardWrapper,
    RuntimePointEstimateReward,
    StoredEnv,
    SynchronousSqliteLogger,
    TimeLimit,
    ValidateBenchmarkAfterEveryStep,
)

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from optarena.env import CompilerEnv

DIGITS: Final = Path(__file__).parents[1] / "data/digits.ll"
COST: Final = "IrInstructionCount"
FLAGS: Final = ("instcombine", "mem2reg", "simplifycfg", "gvn")


class Reversed(ActionWrapper):
    def action(self, action: Any) -> int:
        if action not in self.action_space:
            raise InvalidAction(f"There is no action {action!r}.")
        return len(CURATED) - 1 - int(action)

    reverse_action = action


class Doubled(RewardWrapper):
    def convert_reward(self, reward: float) -> float:
        return 2 * reward


class Shifted(ObservationWrapper):
    def convert_observation(self, observation: Any) -> Any:
        return observation + 1


@dataclass
class Again:
    """Makes iterators over the same benchmarks; unlike a local function it can be pickled and compared."""

    benchmarks: list[Benchmark]

    def __call__(self) -> list[Benchmark]:
        return self.benchmarks


MAKERS: Final[dict[str, Callable[[Any, list[Benchmark], Path], CompilerEnvWrapper]]] = {
    "CompilerEnvWrapper": lambda env, _, __: CompilerEnvWrapper(env),
    "ActionWrapper": lambda env, _, __: Reversed(env),
    "ObservationWrapper": lambda env, _, __: Shifted(env),
    "RewardWrapper": lambda env, _, __: Doubled(env),
    "TimeLimit": lambda env, _, __: TimeLimit(env, max_episode_steps=20),
    "CommandlineWithTerminalAction": lambda env, _, __: CommandlineWithTerminalAction(env),
    "ConstrainedCommandline": lambda env, _, __: ConstrainedCommandline(env, FLAGS, name="few"),
    "IterateOverBenchmarks": lambda env, programs, _: IterateOverBenchmarks(env, programs * 9),
    "CycleOverBenchmarks": lambda env, programs, _: CycleOverBenchmarks(env, programs),
    "CycleOverBenchmarksIterator": lambda env, programs, _: CycleOverBenchmarksIterator(env, Again(programs)),
    "RandomOrderBenchmarks": lambda env, programs, _: RandomOrderBenchmarks(env, programs),
    "Counter": lambda env, _, __: Counter(env),
    "ForkOnStep": lambda env, _, __: ForkOnStep(env, max_depth=2),
    "ValidateBenchmarkAfterEveryStep": lambda env, _, __: ValidateBenchmarkAfterEveryStep(env),
    "RuntimePointEstimateReward": lambda env, _, __: RuntimePointEstimateReward(env, observation=COST),
    "SynchronousSqliteLogger": lambda env, _, path: SynchronousSqliteLogger(
        env, path / "log.db", ["Autophase"]
    ),
    "StoredEnv": lambda env, _, path: StoredEnv(env, str(path / "store.sqlite")),
    "NormalisedAutophase": lambda env, _, __: NormalisedAutophase(env),
    "NamedObservations": lambda env, _, __: NamedObservations(env, ["Autophase", COST]),
    "LogAutophase": lambda env, _, __: LogAutophase(env),
    "all": lambda env, programs, path: LogAutophase(
        TimeLimit(
            SynchronousSqliteLogger(
                ForkOnStep(
                    CommandlineWithTerminalAction(
                        ConstrainedCommandline(CycleOverBenchmarks(env, programs), FLAGS)
                    )
                ),
                path / "log.db",
            ),
            max_episode_steps=20,
        )
    ),
}


@pytest.fixture(params=MAKERS)
def wrapped(
    request: pytest.FixtureRequest, env: CompilerEnv, plain: Benchmark, tmp_path: Path
) -> Iterator[CompilerEnvWrapper]:
    with MAKERS[request.param](env, [plain], tmp_path) as made:
        yield made


def number(env: CompilerEnvWrapper, name: str) -> int:
    if isinstance(env, Reversed):
        return len(CURATED) - 1 - CURATED.index(name)
    return cast("Any", env.action_space).names.index(name)


def test_every_wrapper_is_tried_here() -> None:
    assert {*MAKERS} - {"all"} == {*wrappers.__all__}


def test_steps_are_gymnasiums_and_spaces_can_be_named(wrapped: CompilerEnvWrapper, plain: Benchmark) -> None:
    with pytest.raises(ResetNeeded):
        wrapped.step(0)
    observation, info = wrapped.reset(seed=3)
    assert observation in wrapped.observation_space
    assert info == {"benchmark": plain.uri}
    assert isinstance(wrapped, gymnasium.Wrapper)
    assert wrapped.unwrapped.spec is not None
    before = wrapped.observation[COST]
    observation, reward, terminated, truncated, info = wrapped.step(number(wrapped, "mem2reg"))
    assert observation in wrapped.observation_space
    won = before - wrapped.observation[COST]
    assert reward == (2 * won if isinstance(wrapped, Doubled) else won) > 0
    assert (terminated, truncated, info["action_had_no_effect"]) == (False, False, False)
    assert wrapped.episode_reward == reward
    names = ["IrSha1", COST]
    listed = wrapped.step(number(wrapped, "gvn"), observation_spaces=names, reward_spaces=[COST])
    assert listed[0] == [wrapped.observation[name] for name in names]
    assert isinstance(listed[1], list)
    with pytest.raises(UnknownName):
        wrapped.multistep([number(wrapped, "gvn")], observation_spaces=["Autophas"])
    assert wrapped.actions == [number(wrapped, "mem2reg"), number(wrapped, "gvn")]
    assert wrapped.commandline() == CURATED.commandline([CURATED.index("mem2reg"), CURATED.index("gvn")])
    assert wrapped.reset(seed=3)[0] in wrapped.observation_space
    assert wrapped.actions == []
    assert not wrapped.episode_reward
    with wrapped as same:
        assert same is wrapped
    wrapped.close()
    for call in (wrapped.reset, lambda: wrapped.step(0), wrapped.fork):
        with pytest.raises(ServiceClosed):
            call()


def test_an_invalid_action_changes_nothing(wrapped: CompilerEnvWrapper) -> None:
    wrapped.reset()
    wrapped.step(number(wrapped, "mem2reg"))
    digest, reward = wrapped.observation["IrSha1"], wrapped.episode_reward
    for action in (-1, 10**6, 2.5, "mem2reg", None):
        with pytest.raises(InvalidAction):
            wrapped.step(action)
    with pytest.raises(InvalidAction):
        wrapped.multistep([number(wrapped, "gvn"), 10**6])
    with pytest.raises(InvalidAction):
        wrapped.steps([number(wrapped, "gvn"), 10**6])
    for given in (0, "ab"):
        with pytest.raises(InvalidAction, match="is not a list of actions"):
            wrapped.multistep(given)  # type: ignore[arg-type] # that is what is tested
    assert wrapped.actions == [number(wrapped, "mem2reg")]
    assert (wrapped.observation["IrSha1"], wrapped.episode_reward) == (digest, reward)
    with pytest.raises(InvalidInput):
        wrapped.reset(options={"benchmark": 5})
    wrapped.step(number(wrapped, "gvn"))


def test_a_fork_is_wrapped_alike_and_independent(wrapped: CompilerEnvWrapper) -> None:
    wrapped.reset(seed=4)
    wrapped.step(number(wrapped, "mem2reg"))
    with wrapped.fork() as fork:
        assert type(fork) is type(wrapped)
        assert fork.unwrapped is not wrapped.unwrapped
        assert fork.action_space is not wrapped.action_space
        assert (fork.actions, fork.episode_reward) == (wrapped.actions, wrapped.episode_reward)
        digest = wrapped.observation["IrSha1"]
        more = [number(wrapped, "simplifycfg"), number(wrapped, "gvn")]
        there = fork.multistep(more)
        assert wrapped.observation["IrSha1"] == digest
        assert len(wrapped.actions) == 1
        here = wrapped.multistep(more)
        assert data_equivalence(there, here)
        assert fork.observation["IrSha1"] == wrapped.observation["IrSha1"] != digest
    wrapped.step(number(wrapped, "instcombine"))


def test_a_pickle_goes_on_where_the_original_is(wrapped: CompilerEnvWrapper) -> None:
    wrapped.reset(seed=4)
    wrapped.step(number(wrapped, "mem2reg"))
    with pickle.loads(pickle.dumps(wrapped)) as loaded:  # noqa: S301 # made here
        assert type(loaded) is type(wrapped)
        assert (loaded.actions, loaded.episode_reward) == (wrapped.actions, wrapped.episode_reward)
        action = number(wrapped, "instcombine")
        assert data_equivalence(loaded.step(action), wrapped.step(action))
        assert loaded.observation["IrSha1"] == wrapped.observation["IrSha1"]


@pytest.mark.parametrize("wrapped", ["CompilerEnvWrapper", "all"], indirect=True)
def test_the_extended_interface_is_kept(wrapped: CompilerEnvWrapper, plain: Benchmark) -> None:
    env = wrapped.unwrapped
    wrapped.reset()
    actions = [number(wrapped, name) for name in ("mem2reg", "instcombine")]
    wrapped.multistep(actions)
    for name in ("environment", "service", "observations", "datasets", "backend", "action_table"):
        assert getattr(wrapped, name) is getattr(env, name), name
    for name in ("action_space_name", "observation_space_name", "reward_space_name", "sandbox", "error"):
        assert getattr(wrapped, name) == getattr(env, name), name
    assert wrapped.is_sandboxed is False
    assert wrapped.memory_bytes == env.memory_bytes
    assert wrapped.episode_walltime > 0
    assert wrapped.observe(COST, cpu_seconds=5) == wrapped.observation[COST]
    assert wrapped.reward[COST] == env.episode_reward
    assert wrapped.read_reward(COST) == 0
    assert wrapped.parameter("verify") == ""
    state, digest = wrapped.state, wrapped.observation["IrSha1"]
    assert state.commandline == wrapped.commandline()
    assert state.reward == env.episode_reward
    wrapped.benchmark = plain
    assert wrapped.reset()[1] == {"benchmark": plain.uri}
    assert wrapped.apply(replace(state, benchmark=plain.uri))[0] in wrapped.observation_space
    applied = wrapped.apply(replace(state, benchmark=f"file://{DIGITS}"))
    assert applied[0] in wrapped.observation_space
    assert wrapped.actions == actions
    assert wrapped.observation["IrSha1"] == digest
    before = wrapped.state
    with pytest.raises(InvalidCommandline):
        wrapped.apply(replace(state, commandline="opt -O3"))
    with pytest.raises(InvalidInput, match="The state is"):
        wrapped.apply(cast("Any", before.commandline))
    assert wrapped.state.commandline == before.commandline


class Renamed(CompilerEnvWrapper):
    @property
    def action_space_name(self) -> str:  # type: ignore[override] # what is forwarded counts as writable
        return f"my-{super().action_space_name}"


def test_what_is_forwarded_is_read_only_and_can_be_extended(env: CompilerEnv) -> None:
    wrapped = TimeLimit(Renamed(env), 3)
    assert wrapped.action_space_name == f"my-{env.action_space_name}"
    wrapped.reset()
    forwarded = CompilerEnvWrapper.__annotations__.keys() - {"env"}
    assert {"observation", "reward", "state", "action_table"} <= forwarded
    for name in forwarded:
        with pytest.raises(AttributeError):
            setattr(wrapped, name, None)
        assert getattr(wrapped, name) is not None or name == "error"


def test_the_spec_makes_it_again(wrapped: CompilerEnvWrapper) -> None:
    assert wrapped.spec is not None
    with gymnasium.make(wrapped.spec) as again:
        assert type(again) is type(wrapped)
        assert again.spec == wrapped.spec
        assert again.action_space == wrapped.action_space
        assert again.observation_space == wrapped.observation_space


@pytest.mark.parametrize("name", ["NormalisedAutophase", "all"])
def test_gymnasiums_checker_has_no_complaint(
    name: str, make: Callable[..., CompilerEnv], plain: Benchmark, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version")
        check_env(MAKERS[name](make(), [plain], tmp_path))


@pytest.mark.parametrize("wrapped", ["RandomOrderBenchmarks", "all"], indirect=True)
def test_seeds_repeat_everything(wrapped: CompilerEnvWrapper) -> None:
    def episode() -> list[Any]:
        first = wrapped.reset(seed=5)
        wrapped.action_space.seed(5)
        return [first, wrapped.multistep([wrapped.action_space.sample() for _ in range(3)])]

    assert data_equivalence(episode(), episode())


def test_only_our_environments_can_be_wrapped(env: CompilerEnv) -> None:
    for other in (gymnasium.wrappers.TimeLimit(env, 5), "optarena/llvm-v0", None):
        with pytest.raises(InvalidInput, match="go outside of these"):
            CompilerEnvWrapper(cast("Any", other))


@pytest.mark.parametrize("kind", [ActionWrapper, ObservationWrapper, RewardWrapper])
def test_a_base_says_what_a_subclass_must_define(kind: type[CompilerEnvWrapper], env: CompilerEnv) -> None:
    def use() -> None:
        wrapped = kind(env)
        wrapped.reset()
        wrapped.step(0)

    with pytest.raises(NotImplementedError, match=f"{kind.__name__} must define"):
        use()
