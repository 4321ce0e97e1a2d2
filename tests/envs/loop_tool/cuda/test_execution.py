"""Generated kernels, executed on the CPU: the sum and nothing else, whatever the nest and the threads' order.

NVIDIA's code generator and hardware, which come after clang there, are not tested here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from cuda_on_cpu import ASCENDING, DESCENDING, Compiled, CpuDevice, thread_order

from optarena.loop_tool.cuda import lowering
from optarena.loop_tool.cuda.backend import GUARD_BYTES, CudaBackend
from optarena.loop_tool.cuda.lowering import lower
from optarena.loop_tool.nest import Loop, Nest, Plan
from tests.kit.loop_tool import cuda_nests as nests

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optarena.cuda.kernels import Kernel

NESTS = 240
NESTS_OF_64_BITS = 60
SEED = 11


class Run:
    def __init__(self, elements: int) -> None:
        self._device = CpuDevice()
        generator = np.random.default_rng(elements)
        self._size = 2 * GUARD_BYTES + 4 * elements
        self._starts = [self._device.allocate(self._size) for _ in range(3)]
        operands = [generator.uniform(0.5, 2, elements).astype(np.float32) for _ in range(2)]
        self.expected = operands[0] + operands[1]
        for start, values in zip(self._starts, operands, strict=False):
            self._device.fill(start, self._size, 0x3F)  # numbers: a NaN might go unseen
            self._device.write(start + GUARD_BYTES, values)

    def output(
        self, compiled: Compiled, kernel: Kernel, threads: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], bool]:
        """The output, NaN where nothing was written, and whether its surroundings are as they were."""
        self._device.fill(self._starts[2], self._size, 0xFF)
        x, y, z = (start + GUARD_BYTES for start in self._starts)
        compiled.run(kernel, x, y, z, threads)
        found = self._device.read(self._starts[2], self._size)
        guards = np.concatenate([found[:GUARD_BYTES], found[-GUARD_BYTES:]])
        return found[GUARD_BYTES:-GUARD_BYTES].view(np.float32), bool((guards == 0xFF).all())

    def written_by(self, compiled: Compiled, kernel: Kernel, threads: list[int]) -> list[int]:
        output, _ = self.output(compiled, kernel, np.array(threads, np.int64))
        return [int(element) for element in np.flatnonzero(~np.isnan(output))]


@pytest.mark.parametrize("make", [nests.reachable, nests.generic])
def test_random_nests_give_the_sum_in_any_order_of_threads(make: Callable[[random.Random], Nest]) -> None:
    generator = nests.seeded(SEED)
    chosen = [make(generator) for _ in range(NESTS)]
    kernels = [lower(Plan.of(nest), f"add_{number}") for number, nest in enumerate(chosen)]
    compiled = Compiled(kernels)
    assert {kernel.vector for kernel in kernels} == {1, 2, 4}
    assert any(kernel.grid > 1 for kernel in kernels)
    assert any(len(nest.loops) > 1 and nest.loops[1].tail for nest in chosen)
    for nest, kernel in zip(chosen, kernels, strict=True):
        run = Run(nest.elements)
        for order in (ASCENDING, DESCENDING, nest.elements):
            threads = thread_order(kernel.grid * kernel.block, order)
            output, intact = run.output(compiled, kernel, threads)
            assert intact, (nest, order)
            assert output.tobytes() == run.expected.tobytes(), (nest, order, kernel.source)
    assert compiled.misaligned() == 0


@pytest.mark.parametrize("make", [nests.reachable, nests.generic])
def test_kernels_of_64_bit_indices_give_the_sum_too(
    make: Callable[[random.Random], Nest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As nests of more than 2**31 elements have them, on fewer elements."""
    monkeypatch.setattr(lowering, "_LIMIT_OF_32_BITS", 1)
    generator = nests.seeded(SEED + 1)
    chosen = [make(generator) for _ in range(NESTS_OF_64_BITS)]
    kernels = [lower(Plan.of(nest), f"add_{number}") for number, nest in enumerate(chosen)]
    assert {kernel.index_bits for kernel in kernels} == {64}
    compiled = Compiled(kernels)
    for nest, kernel in zip(chosen, kernels, strict=True):
        run = Run(nest.elements)
        output, intact = run.output(compiled, kernel, thread_order(kernel.grid * kernel.block, nest.elements))
        assert intact, nest
        assert output.tobytes() == run.expected.tobytes(), (nest, kernel.source)
    assert compiled.misaligned() == 0


def test_no_two_threads_write_the_same_element() -> None:
    generator = nests.seeded(SEED)
    chosen = [nests.reachable(generator) for _ in range(20)]
    kernels = [lower(Plan.of(nest), f"add_{number}") for number, nest in enumerate(chosen)]
    compiled = Compiled(kernels)
    for nest, kernel in zip(chosen, kernels, strict=True):
        run = Run(nest.elements)
        shares = [run.written_by(compiled, kernel, [thread]) for thread in range(kernel.threads)]
        assert sorted(element for share in shares for element in share) == list(range(nest.elements))


class TestWhatNeighbouringThreadsTouch:
    """The schedule alone decides whether a warp's accesses coalesce."""

    @staticmethod
    def shares(nest: Nest, threads: list[list[int]]) -> list[list[int]]:
        kernel = lower(Plan.of(nest))
        compiled, run = Compiled([kernel]), Run(nest.elements)
        return [run.written_by(compiled, kernel, some) for some in threads]

    def test_threads_of_the_only_loop_touch_neighbouring_elements(self) -> None:
        (warp,) = self.shares(Nest.initial(4096), [list(range(32))])
        assert warp == list(range(32))

    def test_threads_over_serial_chunks_touch_distant_elements(self) -> None:
        nest = Nest((Loop(64, threaded=True), Loop(1), Loop(128)))
        assert self.shares(nest, [[0], [1]]) == [list(range(128)), list(range(128, 256))]

    def test_the_innermost_threaded_loop_varies_fastest(self) -> None:
        nest = Nest((Loop(4, threaded=True), Loop(8, threaded=True), Loop(4)))
        shares = self.shares(nest, [[0], [1], [8]])
        assert [share[0] for share in shares] == [0, 4, 32]

    def test_threads_inside_a_serial_loop_sweep_over_it(self) -> None:
        nest = Nest((Loop(3), Loop(8, threaded=True), Loop(2)))
        assert self.shares(nest, [[1]]) == [[2, 3, 18, 19, 34, 35]]

    def test_a_tail_is_one_more_trip_that_threads_share(self) -> None:
        nest = Nest((Loop(3, 5), Loop(8, threaded=True), Loop(1)))
        assert self.shares(nest, [[0], [4], [5]]) == [[0, 8, 16, 24], [4, 12, 20, 28], [5, 13, 21]]


RAGGED = Nest((Loop(85, 1, threaded=True), Loop(3, threaded=True), Loop(4)))
"""1,021 elements in two threaded loops, the first with a tail."""
BUGS = {
    "a bound that is one too high": {"1021u": "1022u"},
    "a bound that is one too low": {"1021u": "1020u"},
    "digits in the wrong order": {
        "i0 = thread / 3u": "i0 = thread % 3u",
        "i1 = thread % 3u": "i1 = thread / 3u",
    },
    "a radix that is one too small": {"thread / 3u": "thread / 2u", "thread % 3u": "thread % 2u"},
    "a block that does not end with its parent": {" < 1021u ? b0 + 12u : 1021u": ""},
    "a step that is too long": {"i1 * 4u": "i1 * 5u"},
    "a leaf that mixes up elements": {"x0.y + y0.y": "x0.x + y0.y"},
    "a leaf without its end": {"for (unsigned b = b1": "for (unsigned b = b1 + 1u"},
}


def with_bug(nest: Nest, changes: dict[str, str]) -> Kernel:
    kernel = lower(Plan.of(nest))
    for old, new in changes.items():
        assert old in kernel.source, kernel.source
        kernel = replace(kernel, source=kernel.source.replace(old, new))
    return kernel


class TestPlantedBugs:
    @pytest.mark.parametrize("name", BUGS)
    def test_it_is_caught(self, name: str) -> None:
        assert self.is_caught(BUGS[name])

    def test_without_one_nothing_is_caught(self) -> None:
        assert not self.is_caught({})

    @staticmethod
    def is_caught(changes: dict[str, str]) -> bool:
        kernel = with_bug(RAGGED, changes)
        run = Run(RAGGED.elements)
        threads = thread_order(kernel.grid * kernel.block, ASCENDING)
        output, intact = run.output(Compiled([kernel]), kernel, threads)
        return not intact or output.tobytes() != run.expected.tobytes()

    def test_digits_of_the_right_range_in_the_wrong_order_show_in_who_writes_what(self) -> None:
        kernel = with_bug(RAGGED, {"thread / 3u": "thread % 86u", "thread % 3u": "thread / 86u"})
        compiled, run = Compiled([kernel]), Run(RAGGED.elements)
        output, intact = run.output(compiled, kernel, thread_order(kernel.threads, ASCENDING))
        assert intact
        assert output.tobytes() == run.expected.tobytes()
        assert run.written_by(compiled, kernel, [1]) != [4, 5, 6, 7]

    def test_wide_accesses_at_an_odd_place_show(self) -> None:
        crooked = with_bug(Nest((Loop(100, threaded=True), Loop(4))), {"(x + b0)": "(x + b0 + 1u)"})
        compiled, run = Compiled([crooked]), Run(400)
        run.output(compiled, crooked, thread_order(100, ASCENDING))
        assert compiled.misaligned() > 0

    def test_a_result_that_depends_on_the_order_of_threads_shows(self) -> None:
        racing = with_bug(Nest.initial(64), {"z[b0] =": "z[b0 & ~1u] ="})
        compiled, run = Compiled([racing]), Run(64)
        outputs = {
            run.output(compiled, racing, thread_order(256, order))[0].tobytes()
            for order in (ASCENDING, DESCENDING)
        }
        assert len(outputs) == 2


def test_a_backend_gives_the_same_in_any_order() -> None:
    for order in (ASCENDING, DESCENDING, 5):
        backend = CudaBackend(RAGGED.elements, CpuDevice(order))
        backend.check(RAGGED)
        backend.close()
