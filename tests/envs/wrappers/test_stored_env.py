"""``StoredEnv``: steps from a store are the environment's own, until one is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import data_equivalence

from optarena.errors import InvalidInput, ServiceClosed
from optarena.llvm.actions import CURATED
from optarena.outcome_store import MemoryStore
from optarena.wrappers import LogAutophase, RandomOrderBenchmarks, StoredEnv, TimeLimit

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.datasets import Benchmark
    from optarena.env import CompilerEnv

    Make = Callable[..., CompilerEnv]


NAMES = ("dce", "dce", "mem2reg", "instcombine", "gvn", "licm", "simplifycfg")
ACTIONS = tuple(map(CURATED.index, NAMES))


def episode(env: Any, actions: tuple[int, ...] = ACTIONS) -> list[Any]:
    return [env.reset(seed=1), *(env.step(action) for action in actions)]


def autophase(make: Make) -> CompilerEnv:
    env = make()
    env.reset(options={"observation_space": "Autophase", "reward_space": "IrInstructionCountNorm"})
    return env


def test_repeated_episodes_take_no_action_and_give_the_same(make: Make, tmp_path: Path) -> None:
    expected = episode(LogAutophase(autophase(make)))
    for round_ in range(2):
        inner = StoredEnv(autophase(make), f"sqlite:{tmp_path}/store.sqlite")
        env = LogAutophase(TimeLimit(inner, len(ACTIONS)))
        found = episode(env)
        assert found[-1][3], "the limit of a wrapper outside"
        assert data_equivalence(found[:-1], expected[:-1])
        assert env.actions == list(ACTIONS)
        assert inner.hits == round_ * len(ACTIONS)
        assert len(inner._inner.actions) == (0 if round_ else len(ACTIONS))


def test_what_is_not_known_is_taken_behind_what_is(make: Make) -> None:
    store = MemoryStore()
    episode(StoredEnv(autophase(make), store))
    other = (*ACTIONS[:4], 5, *ACTIONS)
    plain, env = autophase(make), StoredEnv(autophase(make), store)
    assert data_equivalence(episode(env, other), episode(plain, other))
    assert env.hits == 4
    assert (env.actions, env.episode_reward) == (plain.actions, plain.episode_reward)
    episode(env, other)
    assert env.hits == 4 + len(other)
    assert env.observation["IrSha1"] == plain.observation["IrSha1"], "anything else takes the actions"
    with env.fork() as fork:
        assert data_equivalence(fork.step(50), plain.step(50))


def test_another_program_reward_or_environment_has_rows_of_its_own(make: Make, plain: Benchmark) -> None:
    store = MemoryStore()
    env = StoredEnv(autophase(make), store)
    episode(env)
    for options in ({"reward_space": "IrInstructionCount"}, {"observation_space": "InstCount"}):
        env.reset(options=options)
        env.step(ACTIONS[0])
        assert env.hits == 0
    other = RandomOrderBenchmarks(env, ["benchmark://kernels-v0/quicksort", plain])
    for _ in range(4):
        other.reset()
        other.step(ACTIONS[0])
    assert env.hits == 3, "one of four steps was new: the other program's first"


def test_a_row_changed_by_hand_is_told_with_both_values_when_the_actions_are_taken(make: Make) -> None:
    store, said = MemoryStore(), list[str]()
    store.on_warning = said.append
    expected = episode(StoredEnv(autophase(make), store))
    at = next(index for index in range(2, len(expected)) if expected[index][1])
    key, row = list(store._rows.items())[at - 1]
    store.keep({key: row[:2] + b"\0" * 8 + row[10:]})
    env = StoredEnv(autophase(make), store)
    assert episode(env)[at][1] == 0.0
    assert env.hits == len(ACTIONS)
    assert env.observation["IrInstructionCount"] > 0
    assert len(said) == 1
    assert f"after action {at} of" in said[0]
    assert "it has reward 0," in said[0]
    assert f"the compiler gives reward {expected[at][1]:g}," in said[0]
    assert data_equivalence(episode(env)[: at + 1], expected[: at + 1])
    assert env.hits == len(ACTIONS) + at - 1, "what was wrong and what followed is gone"


@pytest.mark.parametrize("keep", [False, True])
def test_after_a_parameter_nothing_is_read_or_kept(make: Make, *, keep: bool) -> None:
    store, parameter = MemoryStore(), ("llvm.apply_baseline_optimizations", "-Oz")
    action = CURATED.index("mem2reg")
    plain = autophase(make)
    expected = plain.step(action)
    changed, env = autophase(make), StoredEnv(autophase(make), store)
    for one in (changed, env):
        one.reset()
        one.parameter(*parameter, keep=keep)
    assert data_equivalence(env.step(action), changed.step(action))
    with StoredEnv(autophase(make), store) as other:
        other.reset()
        assert data_equivalence(other.step(action), expected)
    for one in (changed, env):
        one.reset()
        if not keep:
            one.parameter(*parameter)
    assert data_equivalence(env.step(action), changed.step(action))
    assert env.hits == 0


def test_what_cannot_be_kept_is_refused(make: Make, env: CompilerEnv) -> None:
    with pytest.raises(InvalidInput, match=r"TimeLimit\(StoredEnv\(env\)\)"):
        StoredEnv(TimeLimit(env, 5))
    with pytest.raises(InvalidInput, match="is not the scheme of a store"):
        StoredEnv(env, "mysql://host")
    stored = StoredEnv(make())
    with pytest.raises(InvalidInput, match="Ir: it is not an array of a fixed shape"):
        stored.reset(options={"observation_space": "Ir"})
    with (
        StoredEnv(gymnasium.make("optarena/llvm-loops-v0").unwrapped) as loops,
        pytest.raises(InvalidInput, match="several parts"),
    ):
        loops.reset()


def test_an_audit_that_fails_leaves_no_session(make: Make) -> None:
    store = MemoryStore()
    episode(StoredEnv(autophase(make), store))
    key, row = list(store._rows.items())[1]
    store.keep({key: row[:2] + b"\1" * 8 + row[10:]})
    env = StoredEnv(autophase(make), store)
    episode(env)

    def fail(text: str) -> None:
        raise OSError(text)

    store.on_warning = fail
    env._audit = env._catch_up  # type: ignore[method-assign,assignment] # it is drawn in any case
    with pytest.raises(OSError, match="is wrong and is removed"):
        env.close()
    with pytest.raises(ServiceClosed):
        env._inner.reset()
