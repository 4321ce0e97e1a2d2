"""Which benchmark comes next: lists, iterators, cycles and random order, for parents and forks."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest

from optarena.datasets import Benchmark, FilesDataset, ParametricDataset, datasets
from optarena.errors import DeviceBusy, InvalidInput, TooManySessions
from optarena.wrappers import (
    CompilerEnvWrapper,
    ConstrainedCommandline,
    CycleOverBenchmarks,
    CycleOverBenchmarksIterator,
    IterateOverBenchmarks,
    RandomOrderBenchmarks,
)

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.env import CompilerEnv

PROGRAM = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
A, B, C = (Benchmark.from_bytes(f"benchmark://tests-v0/{name}", PROGRAM) for name in "abc")


def names(env: CompilerEnvWrapper, count: int, **arguments: Any) -> str:
    return "".join(env.reset(**arguments)[1]["benchmark"][-1] for _ in range(count))


def stream() -> Iterator[Benchmark]:
    yield from (A, B, C)


@pytest.fixture
def bare(make: Callable[..., CompilerEnv]) -> CompilerEnv:
    env = make(observation_space="IrInstructionCount")
    env.reset(options={"benchmark": A})
    return env


@pytest.mark.parametrize("source", [lambda: [A, B, C], stream], ids=["list", "iterator"])
@pytest.mark.parametrize("shared", [False, True])
def test_iteration_ends_with_an_error_that_says_what_to_do(
    bare: CompilerEnv,
    source: Callable[[], Any],
    shared: bool,  # noqa: FBT001 # a parameter of the test
) -> None:
    env = IterateOverBenchmarks(bare, source(), fork_shares_iterator=shared)
    assert names(env, 1) == "a"
    with env.fork() as fork:
        assert names(fork, 1) == "b"
        assert names(env, 1) == ("c" if shared else "b")
        if not shared:
            assert names(env, 1) + names(fork, 1) == "cc"
        for one in (env, fork):
            with pytest.raises(InvalidInput, match="CycleOverBenchmarks"):
                one.reset()
    env.step(0)  # the episode goes on
    assert env.reset(options={"benchmark": B})[1] == {"benchmark": B.uri}


def test_a_benchmark_that_is_given_takes_none_of_the_order(bare: CompilerEnv) -> None:
    env = IterateOverBenchmarks(bare, [A, B])
    assert names(env, 1, options={"benchmark": C}) == "c"
    assert names(env, 1, options={"observation_space": "IrSha1"}) == "a"
    env.benchmark = C
    assert names(env, 1, options=None) == "c"
    assert names(env, 1, options={"benchmark": None}) == "b"
    with pytest.raises(InvalidInput, match="a dict"):
        env.reset(options=[("benchmark", C)])  # type: ignore[arg-type] # that is what is tested


def test_a_cycle_begins_again(bare: CompilerEnv) -> None:
    env = CycleOverBenchmarks(bare, iter([A, B]))
    assert names(env, 3) == "aba"
    with env.fork() as fork, copy.deepcopy(env) as other:
        assert names(fork, 2) == names(other, 2) == names(env, 2) == "ba"
    shared = CycleOverBenchmarks(bare, [A, B, C], fork_shares_iterator=True)
    assert names(shared, 1) == "a"
    with shared.fork() as fork:
        assert names(fork, 1) + names(shared, 1) + names(fork, 1) == "bca"


def test_an_iterator_is_made_again_when_it_has_ended(bare: CompilerEnv) -> None:
    made = []

    def make() -> Iterator[Benchmark]:
        made.append(1)
        return stream()

    env = CycleOverBenchmarksIterator(bare, make)
    with env.fork() as early:
        assert names(early, 1) == "a"
    assert names(env, 5) == "abcab"
    assert len(made) == 3
    with env.fork() as fork:
        assert names(fork, 2) == names(env, 2) == "ca"


def test_random_order_is_seeded_and_gives_each_once_a_round(bare: CompilerEnv) -> None:
    env = RandomOrderBenchmarks(bare, [A, B, C])

    def seeded(seed: int) -> str:
        return names(env, 1, seed=seed) + names(env, 5)

    orders = [seeded(seed) for seed in (0, 1, 2, 0)]
    assert orders[0] == orders[3]
    assert len(set(orders)) > 1
    for order in orders:
        assert [sorted(order[at : at + 3]) for at in (0, 3)] == [["a", "b", "c"]] * 2
    with env.fork() as fork, pickle.loads(pickle.dumps(env)) as loaded:  # noqa: S301 # made here
        assert names(fork, 4) == names(loaded, 4) == names(env, 4)


def test_a_seed_gives_a_list_the_order_that_it_always_gave(bare: CompilerEnv) -> None:
    seed, dataset = 7, datasets()["kernels-v0"]
    env = RandomOrderBenchmarks(bare, dataset)
    random = np.random.default_rng(seed)
    expected = [place for _ in range(2) for place in reversed(random.permutation(len(dataset)))]
    taken = [env.reset(seed=seed)[1]["benchmark"]]
    taken += [env.reset()[1]["benchmark"] for _ in expected[1:]]
    assert taken == [dataset.benchmark_at(int(place)).uri for place in expected]


def test_datasets_and_uris_can_be_given(bare: CompilerEnv) -> None:
    dataset = datasets()["kernels-v0"]
    env = IterateOverBenchmarks(bare, dataset)
    assert env.reset()[1] == {"benchmark": next(iter(dataset)).uri}
    env = IterateOverBenchmarks(bare, ["benchmark://kernels-v0/quicksort", "benchmark://kernels-v0/none"])
    env.reset()
    with pytest.raises(InvalidInput, match="none"):
        env.reset()
    assert env.benchmark.name == "quicksort"


@pytest.mark.parametrize("kind", [IterateOverBenchmarks, CycleOverBenchmarks, RandomOrderBenchmarks])
def test_a_file_that_cannot_be_used_is_told_when_it_is_taken(
    bare: CompilerEnv, kind: Callable[..., Any], tmp_path: Path
) -> None:
    program = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @f() {\n ret i32 0\n}\n'
    for name, text in {"a": program, "b": b"", "c": b"define", "d": program}.items():
        (tmp_path / f"{name}.ll").write_bytes(text)
    env = kind(bare, FilesDataset(tmp_path))
    found = []
    for _ in range(4):
        try:
            found.append(env.reset()[1]["benchmark"][-4:])
        except InvalidInput as error:
            found.append(str(error).partition(".ll")[0][-1])
    assert sorted(found) == ["a.ll", "b", "c", "d.ll"]


@pytest.mark.parametrize("kind", [IterateOverBenchmarks, CycleOverBenchmarks, RandomOrderBenchmarks])
@pytest.mark.parametrize("cause", [KeyboardInterrupt, DeviceBusy])
def test_a_read_that_may_succeed_later_takes_no_file_of_a_folder(
    bare: CompilerEnv,
    kind: Callable[..., Any],
    cause: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.ll").write_bytes(PROGRAM)
    env = kind(bare, FilesDataset(tmp_path))

    def refuse(*_: Any) -> Any:
        raise cause("Not now.")

    found = []
    for _ in "abc":
        with monkeypatch.context() as patch:
            patch.setattr(FilesDataset, "benchmark_at", refuse)
            with pytest.raises(cause):
                env.reset()
        found.append(env.reset()[1]["benchmark"][-4:])
    assert sorted(found) == ["a.ll", "b.ll", "c.ll"]


@pytest.fixture
def loops() -> Iterator[CompilerEnv]:
    with cast("CompilerEnv", gymnasium.make("optarena/loop_tool-v0").unwrapped) as env:
        env.reset(options={"reward_space": None})  # nothing is to be measured here
        yield env


def sizes(env: CompilerEnvWrapper, count: int, **arguments: Any) -> list[int]:
    taken = [env.reset(**arguments)[1]["benchmark"] for _ in range(count)]
    return [int(uri.rpartition("/")[2]) for uri in taken]


@pytest.mark.parametrize("kind", [IterateOverBenchmarks, CycleOverBenchmarks, RandomOrderBenchmarks])
def test_a_range_of_millions_is_taken_one_by_one(loops: CompilerEnv, kind: Callable[..., Any]) -> None:
    env = kind(loops, loops.datasets["loop_tool-cpu-v0"])
    taken = sizes(env, 3)
    assert taken == [1, 2, 3] or (kind is RandomOrderBenchmarks and len(set(taken)) == 3)
    with env.fork() as fork, pickle.loads(pickle.dumps(env)) as loaded:  # noqa: S301 # made here
        following = sizes(env, 2)
        assert sizes(fork, 2) == sizes(loaded, 2) == following
    assert not set(following) & set(taken)


def test_a_round_of_a_range_has_each_once(loops: CompilerEnv) -> None:
    few = replace(cast("ParametricDataset", datasets()["loop_tool-cpu-v0"]), low=5, high=10)
    env = RandomOrderBenchmarks(loops, few)
    first = sizes(env, 1, seed=4) + sizes(env, 5)
    rounds = [first, sizes(env, 6), sizes(env, 6)]
    assert all(sorted(one) == [5, 6, 7, 8, 9, 10] for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1
    assert sizes(env, 1, seed=4) + sizes(env, 5) == first
    assert sizes(CycleOverBenchmarks(loops, few), 8) == [5, 6, 7, 8, 9, 10, 5, 6]
    once = IterateOverBenchmarks(loops, few)
    assert sizes(once, 6) == [5, 6, 7, 8, 9, 10]
    with pytest.raises(InvalidInput, match="All benchmarks have been used; there were 6"):
        once.reset()


@pytest.mark.parametrize("kind", [IterateOverBenchmarks, CycleOverBenchmarks, RandomOrderBenchmarks])
@pytest.mark.parametrize("given", [[], "benchmark://kernels-v0/quicksort", None, 5])
def test_no_benchmarks_are_refused_at_once(bare: CompilerEnv, kind: Callable[..., Any], given: Any) -> None:
    with pytest.raises(InvalidInput, match="Give a list of URIs of benchmarks"):
        kind(bare, given)


def test_an_empty_iterator_is_an_error_of_reset(bare: CompilerEnv) -> None:
    for env in (IterateOverBenchmarks(bare, iter([])), CycleOverBenchmarksIterator(bare, list)):
        for _ in range(2):
            with pytest.raises(InvalidInput, match="There are no benchmarks"):
                env.reset()
    with pytest.raises(InvalidInput, match="cannot be called"):
        CycleOverBenchmarksIterator(bare, [A])  # type: ignore[arg-type] # that is what is tested


def test_what_is_no_benchmark_is_refused_and_not_the_default(bare: CompilerEnv) -> None:
    with pytest.raises(InvalidInput, match="None"):
        IterateOverBenchmarks(bare, [None, A]).reset()  # type: ignore[list-item] # what users may do
    streamed = IterateOverBenchmarks(bare, iter([None, A]))  # type: ignore[arg-type] # what users may do
    with pytest.raises(InvalidInput, match="of the order is None"):
        streamed.reset()
    assert names(streamed, 1) == "a"


@pytest.mark.parametrize("kind", [IterateOverBenchmarks, RandomOrderBenchmarks])
def test_a_reset_that_fails_for_another_reason_takes_no_benchmark(
    bare: CompilerEnv, kind: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Benchmark.from_bytes("benchmark://tests-v0/x", b"no program")
    inner = ConstrainedCommandline(bare, ["mem2reg"])
    plain, env = (kind(inner, [A, B, broken, C]) for _ in range(2))
    wrong: list[dict[str, Any]] = [
        {"seed": -1},
        {"options": {"observations": "Ir"}},
        {"seed": 4, "options": {"reward_space": "None"}},
        {"options": {"action_space": "llvm-functions-v0"}},
    ]

    def attempt(one: Any, seed: int | None = None) -> str:
        try:
            return names(one, 1, seed=seed)
        except InvalidInput:
            return "x"

    causes = [TooManySessions, DeviceBusy, KeyboardInterrupt]

    def refuse(*_: Any, **__: Any) -> Any:
        raise causes[0]("Not now.")

    expected = attempt(plain, 3) + "".join(attempt(plain) for _ in range(3))
    found = attempt(env, 3)
    for _ in range(3):
        for arguments in wrong:
            with pytest.raises(InvalidInput):
                env.reset(**arguments)
        with monkeypatch.context() as patch:
            patch.setattr(type(bare.backend), "start", refuse)
            for _ in causes:
                causes.insert(0, causes.pop())
                with pytest.raises(causes[0]):
                    env.reset()
        found += attempt(env)
    assert found == expected
    assert sorted(found) == ["a", "b", "c", "x"]
