"""Plans as CUDA C: what the text says of leaf, vectors, loops, threads and index width."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cuda_on_cpu import front_end
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InvalidInput
from optarena.loop_tool.cuda.lowering import MAX_GRID, TooManyThreads, lower
from optarena.loop_tool.nest import MAX_LEAF, Loop, Nest, Plan
from tests.kit.loop_tool import cuda_nests as nests

SEEDS = st.integers(0, 2**32)


GOLDEN = Path(__file__).parent / "data/ragged.cu"


def test_the_text_of_a_kernel_is_as_it_was_read() -> None:
    """All that a lowering can write: threaded levels, a serial one, ends, a leaf, wide accesses, a rest."""
    nest = Nest((threaded(7, 5), threaded(3, 2), Loop(5, 2), Loop(8)))
    assert source_of(*nest.loops) == GOLDEN.read_text()


def source_of(*loops: Loop) -> str:
    return lower(Plan.of(Nest(loops))).source


def threaded(size: int, tail: int = 0) -> Loop:
    return Loop(size, tail, threaded=True)


class TestLeaf:
    @pytest.mark.parametrize(
        ("leaf", "step", "width"),
        [(1, 1, 1), (2, 2, 2), (3, 3, 1), (4, 4, 4), (6, 6, 2), (8, 8, 4), (64, 64, 4), (62, 62, 2)],
    )
    def test_its_size_decides_how_wide_its_accesses_are(self, leaf: int, step: int, width: int) -> None:
        plan = Plan.of(Nest((threaded(100), Loop(leaf))))
        assert [level.step for level in plan.levels] == [step]
        assert lower(plan).vector == width

    def test_a_step_that_is_no_multiple_forbids_wide_accesses(self) -> None:
        assert lower(Plan.of(Nest((threaded(9), Loop(3, 2), Loop(4))))).vector == 2
        assert lower(Plan.of(Nest((threaded(9), Loop(3, 1), Loop(4))))).vector == 1
        assert lower(Plan.of(Nest((threaded(9, 1), Loop(3), Loop(4))))).vector == 4

    def test_each_access_is_written_once(self) -> None:
        source = source_of(threaded(100), Loop(16))
        assert len(re.findall(r"= px\[\d+\]", source)) == 4
        assert source.count("make_float4") == 4
        assert "for" not in source

    def test_beyond_its_largest_size_there_is_a_loop(self) -> None:
        assert "for" not in source_of(threaded(10), Loop(MAX_LEAF))
        assert source_of(threaded(10), Loop(MAX_LEAF + 1)).count("for") == 1

    def test_where_no_block_ends_early_nothing_is_clamped(self) -> None:
        source = source_of(threaded(64), Loop(4, threaded=True), Loop(4))
        assert "?" not in source
        assert "if" not in source


class TestLoopsAndThreads:
    @given(SEEDS)
    def test_every_loop_forbids_unrolling(self, seed: int) -> None:
        lines = lower(Plan.of(nests.generic(nests.seeded(seed)))).source.splitlines()
        for number, line in enumerate(lines):
            if line.strip().startswith("for"):
                assert lines[number - 1] == "#pragma unroll 1"

    @given(SEEDS)
    def test_the_grid_has_room_for_all_threads_and_no_more_than_a_block_too_many(self, seed: int) -> None:
        plan = Plan.of(nests.generic(nests.seeded(seed)))
        kernel = lower(plan)
        assert kernel.threads == plan.parallel
        assert 0 <= kernel.grid * kernel.block - kernel.threads < kernel.block

    def test_without_a_threaded_loop_one_thread_works(self) -> None:
        kernel = lower(Plan.of(Nest((Loop(1000), Loop(1), Loop(1)))))
        assert (kernel.threads, kernel.grid, kernel.block) == (1, 1, 256)
        assert "if (thread >= 1u) return;" in kernel.source

    def test_more_threads_than_a_grid_has_are_refused(self) -> None:
        fits = Nest((threaded(MAX_GRID), threaded(256)))
        assert lower(Plan.of(fits)).grid == MAX_GRID
        with pytest.raises(TooManyThreads, match="549755813888 threads") as raised:
            lower(Plan.of(Nest((threaded(MAX_GRID, 1), Loop(1), threaded(256)))))
        assert isinstance(raised.value, InvalidInput)
        assert raised.value.remedy


class TestIndexWidth:
    LIMIT = 2**31 - 2**20

    def test_elements_decide(self) -> None:
        assert lower(Plan.of(Nest((threaded(self.LIMIT - 1), Loop(1))))).index_bits == 32
        wide = lower(Plan.of(Nest((threaded(self.LIMIT), Loop(1)))))
        assert wide.index_bits == 64
        assert "unsigned long long" in wide.source
        assert "blockIdx.x * 256u" in wide.source

    def test_more_threads_than_elements_count_too(self) -> None:
        tails = Nest((threaded(1, 1), threaded(1, 1), threaded(2**29)))
        plan = Plan.of(tails)
        assert plan.elements == 2**29 + 2
        assert plan.parallel == 2**31
        assert lower(plan).index_bits == 64

    def test_no_sum_of_a_32_bit_kernel_overflows(self) -> None:
        """A block may begin behind its parent's end, at less than twice the elements."""
        plan = Plan.of(Nest((Loop(1, 1), threaded(self.LIMIT - 2))))
        first, second = plan.levels
        furthest = first.step * (first.trips - 1) + second.step * (second.trips - 1) + second.step
        assert lower(plan).index_bits == 32
        assert 2**31 < furthest < 2**32

    def test_64_bit_kernels_compile(self) -> None:
        kernel = lower(Plan.of(Nest((threaded(2**22, 5), Loop(2**9, 3), Loop(4)))))
        assert kernel.index_bits == 64
        assert "zext nneg i32 %" in front_end([kernel])
