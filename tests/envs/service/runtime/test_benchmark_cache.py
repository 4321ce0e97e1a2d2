"""The bounded cache of benchmarks."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, File
from optarena.service.session_process.benchmarks import DEFAULT_MAX_SIZE_IN_BYTES, BenchmarkCache

if TYPE_CHECKING:
    from collections.abc import Callable


def item(uri: str, size: int) -> Benchmark:
    """A benchmark message of exactly this size."""
    benchmark = Benchmark(uri=uri, program=File(contents=bytes(size)))
    benchmark.program.contents = bytes(2 * size - benchmark.ByteSize())
    assert benchmark.ByteSize() == size
    return benchmark


def test_the_default_limit_is_the_documented_one() -> None:
    assert BenchmarkCache().max_size_in_bytes == DEFAULT_MAX_SIZE_IN_BYTES == 54_525_952


def test_sizes_are_those_of_the_messages() -> None:
    cache = BenchmarkCache()
    cache["a"] = item("a", 100)
    cache["b"] = item("b", 50)
    assert (cache.size, cache.size_in_bytes) == (2, 150)
    assert cache["b"] == item("b", 50)
    assert set(cache) == {"a", "b"}


def test_a_missing_uri_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        BenchmarkCache()["nothing"]


def test_the_same_uri_replaces() -> None:
    cache = BenchmarkCache()
    cache["a"] = item("a", 100)
    cache["a"] = item("a", 70)
    assert (cache.size, cache.size_in_bytes) == (1, 70)


def test_replacing_an_item_that_then_fits_evicts_nothing() -> None:
    cache = BenchmarkCache(200)
    cache["a"] = item("a", 100)
    cache["b"] = item("b", 100)
    cache["b"] = item("b", 90)
    assert set(cache) == {"a", "b"}


GENERATORS = pytest.mark.parametrize("generator", [random.Random, np.random.default_rng])
Generator = random.Random | np.random.Generator


@GENERATORS
@pytest.mark.parametrize("seed", range(10))
def test_an_insertion_beyond_the_limit_evicts_to_half_of_it(
    seed: int, generator: Callable[[int], Generator]
) -> None:
    cache = BenchmarkCache(1000, generator(seed))
    for index in range(10):
        cache[str(index)] = item(str(index), 100)
    assert cache.size == 10
    cache["new"] = item("new", 100)
    assert cache.size_in_bytes == 600
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


def test_a_negative_target_is_refused_and_evicts_nothing() -> None:
    cache = BenchmarkCache(1000)
    cache["a"] = item("a", 100)
    with pytest.raises(ValueError, match="0 or more bytes, not -5"):
        cache.evict_to_capacity(-5)
    assert list(cache) == ["a"]


def test_the_limit_holds_after_inserting_an_item_larger_than_half_of_it() -> None:
    cache = BenchmarkCache(1000)
    for index in range(10):
        cache[str(index)] = item(str(index), 100)
    cache["new"] = item("new", 700)
    assert cache.size_in_bytes <= 1000
    assert "new" in cache


def test_an_item_beyond_the_limit_is_kept_alone_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    cache = BenchmarkCache(200)
    cache["a"] = item("a", 100)
    with caplog.at_level(logging.WARNING):
        cache["large"] = item("large", 500)
    assert list(cache) == ["large"]
    assert "large: 500 bytes, but the cache holds 200" in caplog.text


def test_lowering_the_limit_evicts_to_the_new_one() -> None:
    cache = BenchmarkCache(1000)
    for index in range(10):
        cache[str(index)] = item(str(index), 100)
    cache.max_size_in_bytes = 350
    assert cache.size_in_bytes == 300
    assert cache.max_size_in_bytes == 350


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        BenchmarkCache(-1)


def test_a_uri_cannot_add_a_line_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    cache = BenchmarkCache(1)
    cache["x\n2026-01-01 E a lie \x1b[31m"] = item("x", 100)
    assert r"x\n2026-01-01 E a lie \x1b[31m: 100 bytes" in caplog.text
