"""Programs, parameters and the cache of benchmarks: what a service reads of requests."""

from __future__ import annotations

import json
import logging
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, Event, File
from optarena.service.protocol.messages import (
    RUN_PROGRAM,
    VERIFY,
    ProgramRun,
    handle_cache_parameter,
    handle_session_parameter,
    names_a_file,
    program_order,
    program_run,
    resolve_program,
)
from optarena.service.protocol.status import RpcError, StatusCode
from optarena.service.session_process.benchmarks import BenchmarkCache


def in_file(path: object) -> Benchmark:
    return Benchmark(uri="benchmark://numbers-v0/file", program=File(uri=f"file://{path}"))


def refused(path: object, code: StatusCode, message: str) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        resolve_program(in_file(path))
    assert caught.value.code is code


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a b"
    path.write_bytes(bytes(MAX_BENCHMARK_BYTES))
    assert len(resolve_program(in_file(f"{tmp_path}/a%20b")).program.contents) == MAX_BENCHMARK_BYTES
    path.write_bytes(bytes(MAX_BENCHMARK_BYTES + 1))
    refused(path, StatusCode.INVALID_ARGUMENT, "Too large")
    path.write_bytes(b"")
    refused(path, StatusCode.INVALID_ARGUMENT, "No program set")


def test_a_file_that_hides_its_size_is_read_up_to_the_limit_too() -> None:
    assert resolve_program(in_file("/proc/self/stat")).program.contents.startswith(str(os.getpid()).encode())
    with pytest.raises(RpcError):  # it has 256 GiB, and its size is told to be 0
        resolve_program(in_file("/proc/self/pagemap"))


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        refused(path, StatusCode.INVALID_ARGUMENT, "Not a file")
    refused("/nowhere%00", StatusCode.INVALID_ARGUMENT, "Not a file")
    refused("/nowhere", StatusCode.NOT_FOUND, "File not found")


def test_a_file_is_told_from_contents() -> None:
    assert names_a_file(in_file("/x"))
    assert not names_a_file(Benchmark(uri="file:///x", program=File(contents=b"file:///x")))
    assert not names_a_file(Benchmark(uri="file:///x"))


ORDER = json.loads(program_order(("a",), b"x", seconds=3, output_bytes=4))


@pytest.fixture
def session(sorting: Any) -> Any:
    benchmark = Benchmark(uri="benchmark://x-v0/x", program=File(contents=b"3 1 2"))
    return sorting.SortSession(Path(), sorting.SortSession.action_spaces[0], benchmark)


@pytest.fixture
def spoil(session: Any, sorting: Any) -> Callable[[str], None]:
    return lambda name: session.apply_action(Event(int64_value=sorting.ACTIONS.index(name)))


def ask(session: Any, key: str, value: str = "") -> str:
    reply = handle_session_parameter(session, key, value, lambda _: None)
    assert reply is not None
    return reply


def test_a_program_runs_within_the_limits_that_are_asked_for(session: Any) -> None:
    granted: list[float] = []
    reply = handle_session_parameter(session, RUN_PROGRAM, json.dumps(ORDER), granted.append)
    assert granted == [3]
    assert program_run(reply or "") == ProgramRun(
        stdout=b"axax", exit_code=3, output_truncated=True, failure=""
    )


def test_what_cannot_be_run_any_more_says_why(session: Any, spoil: Callable[[str], None]) -> None:
    spoil("refuse")
    assert program_run(ask(session, RUN_PROGRAM, json.dumps(ORDER))).failure == "it has lost its first line"


def test_the_verifier_answers_what_is_wrong(session: Any, spoil: Callable[[str], None]) -> None:
    assert ask(session, VERIFY) == ""
    spoil("spoil")
    assert ask(session, VERIFY) == "it is spoiled"


def test_a_parameter_that_nobody_knows_has_no_answer(session: Any) -> None:
    assert handle_session_parameter(session, "nothing", "", lambda _: None) is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "[]",
        "[" * 100_000,
        json.dumps(ORDER | {"arguments": "a"}),
        json.dumps(ORDER | {"arguments": [1]}),
        json.dumps(ORDER | {"arguments": ["a\ud800"]}),
        json.dumps(ORDER | {"stdin": "ü"}),
        json.dumps(ORDER | {"seconds": 0}),
        json.dumps(ORDER | {"seconds": 1e9}),
        json.dumps(ORDER | {"seconds": True}),
        json.dumps(ORDER | {"output_bytes": "many"}),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(value: str, session: Any) -> None:
    with pytest.raises(ValueError, match=r"service\.run_program"):
        ask(session, RUN_PROGRAM, value)


@pytest.mark.parametrize("reply", ["", "{}", "[]", '{"stdout": 1, "exit_code": "x"}', '{"stdout": "ü"}'])
def test_an_answer_that_makes_no_sense_is_refused(reply: str) -> None:
    with pytest.raises(ValueError, match=r"service\.run_program"):
        program_run(reply)


def test_the_limit_of_the_cache_is_plain_digits(tmp_path: Path) -> None:
    cache = BenchmarkCache()
    key = "service.benchmark_cache.set_max_size_in_bytes"
    for value in ("0", "007", "9" * 15):
        assert handle_cache_parameter(cache, key, value) == str(int(value))
    for value in ("", "-1", "+5", " 5", "5\n", "1_000", "\u0663", "0x10", "1e3", "9" * 16, "9" * 5000):
        with pytest.raises(ValueError, match="at most 15 digits"):
            handle_cache_parameter(cache, key, value)
    assert cache.max_size_in_bytes == 10**15 - 1


def item(uri: str, size: int) -> Benchmark:
    benchmark = Benchmark(uri=uri, program=File(contents=bytes(size)))
    benchmark.program.contents = bytes(2 * size - benchmark.ByteSize())
    assert benchmark.ByteSize() == size
    return benchmark


def test_sizes_are_those_of_the_messages() -> None:
    cache = BenchmarkCache()
    cache["a"] = item("a", 100)
    cache["b"] = item("b", 50)
    assert (cache.size, cache.size_in_bytes) == (2, 150)
    assert cache["b"] == item("b", 50)
    assert set(cache) == {"a", "b"}
    cache["a"] = item("a", 70)
    assert (cache.size, cache.size_in_bytes) == (2, 120)
    cache.max_size_in_bytes = 120
    cache["b"] = item("b", 40)  # which replaces another, so that nothing has to go
    assert set(cache) == {"a", "b"}
    with pytest.raises(ValueError, match="0 or more bytes, not -5"):
        cache.evict_to_capacity(-5)
    with pytest.raises(ValueError, match="-1"):
        BenchmarkCache(-1)
    assert set(cache) == {"a", "b"}


GENERATORS = pytest.mark.parametrize("generator", [random.Random, np.random.default_rng])
Generator = random.Random | np.random.Generator


@GENERATORS
def test_an_insertion_beyond_the_limit_evicts_to_half_of_it(generator: Callable[[int], Generator]) -> None:
    for size, then in ((100, 600), (700, 1000)):  # a large one is beside no more than what fits
        cache = BenchmarkCache(1000, generator(0))
        for index in range(10):
            cache[str(index)] = item(str(index), 100)
        assert cache.size == 10
        cache["new"] = item("new", size)
        assert cache.size_in_bytes == then
        assert "new" in cache


@GENERATORS
def test_what_is_evicted_is_random_and_can_be_repeated(generator: Callable[[int], Generator]) -> None:
    def survivors(seed: int) -> frozenset[str]:
        cache = BenchmarkCache(1000, generator(seed))
        for index in range(11):
            cache[str(index)] = item(str(index), 100)
        return frozenset(cache)

    assert len({survivors(seed) for seed in range(20)}) > 10
    assert survivors(3) == survivors(3)


@given(
    sizes=st.lists(st.sampled_from((20, 50, 100, 300)), max_size=20),
    target=st.none() | st.integers(0, 2000),
    seed=st.integers(0, 2**32 - 1),
)
def test_eviction_on_demand_stops_as_soon_as_the_target_is_met(
    sizes: list[int], target: int | None, seed: int
) -> None:
    cache = BenchmarkCache(5000, np.random.default_rng(seed))
    for index, size in enumerate(sizes):
        cache[str(index)] = item(str(index), size)
    before = {uri: cache[uri].ByteSize() for uri in cache}
    cache.evict_to_capacity(target)
    allowed = 2500 if target is None else target
    assert cache.size_in_bytes == sum(before[uri] for uri in cache) <= allowed
    evicted = set(before) - set(cache)
    if evicted:  # the last of them had to go
        assert cache.size_in_bytes + max(before[uri] for uri in evicted) > allowed


def test_an_item_beyond_the_limit_is_kept_alone_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    cache = BenchmarkCache(200)
    cache["a"] = item("a", 100)
    with caplog.at_level(logging.WARNING, "optarena"):
        cache["large"] = item("large", 500)
    assert list(cache) == ["large"]
    assert "large: 500 bytes, but the cache holds 200" in caplog.text


def test_a_uri_cannot_add_a_line_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    cache = BenchmarkCache(1)
    with caplog.at_level(logging.WARNING, "optarena"):
        cache["x\n2026-01-01 E a lie \x1b[31m"] = item("x", 100)
    assert r"x\n2026-01-01 E a lie \x1b[31m: 100 bytes" in caplog.text
