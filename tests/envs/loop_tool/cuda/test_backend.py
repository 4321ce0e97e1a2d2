"""Schedules as CUDA C and on what takes a GPU's place: the sum and nothing else; readings and their marks.

NVIDIA's code generator and hardware are not tested here, but by ``tests/envs/gpu_kernels/test_on_a_gpu.py``.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from cuda_on_cpu import ASCENDING, DESCENDING, Compiled, CpuDevice, thread_order

from optarena.cuda.device import Clocks, Launch, require_device
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, InvalidInput
from optarena.loop_tool.backend import IncorrectOutput, MeasuringBackend
from optarena.loop_tool.cuda import backend as cuda_backend
from optarena.loop_tool.cuda.backend import (
    COLD_FROM,
    GUARD_BYTES,
    MAX_GRID,
    CudaBackend,
    TooManyThreads,
    lower,
)
from optarena.loop_tool.devices import open_backend
from optarena.loop_tool.nest import Loop, Nest, Plan
from tests.kit.examples import slow
from tests.kit.folders import PLUGINS
from tests.kit.loop_tool import cuda_nests as nests

if TYPE_CHECKING:
    import random

    from numpy.typing import NDArray

    from optarena.cuda.kernels import Kernel

ELEMENTS = 1021
NEST = Nest((Loop(85, 1, threaded=True), Loop(3), Loop(4)))


class Planted(CpuDevice):
    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._change = old, new

    def load(self, kernel: Kernel) -> Launch:
        return super().load(replace(kernel, source=kernel.source.replace(*self._change)))


class Counted(CpuDevice):
    compiled = 0

    def load(self, kernel: Kernel) -> Launch:
        self.compiled += 1
        return super().load(kernel)


class Hot(CpuDevice):
    def clocks(self) -> Clocks:  # type: ignore[override] # the other one knows nothing of its own
        return Clocks(reasons=("hardware thermal slowdown",))


class Copying(CpuDevice):
    def __init__(self) -> None:
        super().__init__()
        self.sizes: set[int] = set()

    def copy(self, target: int, source: int, size: int) -> None:
        self.sizes.add(size)
        super().copy(target, source, size)


class Watched(CpuDevice):
    """A device that notes what is done with it while another process could have it."""

    identity = "watched"

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.done: set[str] = set()
        self.disturbing: set[str] = set()
        self._file = folder / "optarena-watched.lock"

    def __getattribute__(self, name: str) -> Any:
        if name in {"allocate", "write", "read", "fill", "copy", "load", "seconds", "repeated", "close"}:
            self.done.add(name)
            if self._is_free():
                self.disturbing.add(name)
        return super().__getattribute__(name)

    def _is_free(self) -> bool:
        if not self._file.exists():
            return True
        with self._file.open() as file:  # its lock is another than that of this process's other descriptors
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    return tmp_path


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[MeasuringBackend]:
    monkeypatch.setenv(STAND_IN, "cuda_on_cpu:device")
    monkeypatch.syspath_prepend(str(PLUGINS))
    backend = open_backend("cuda", ELEMENTS)
    yield backend
    backend.close()


class TestReadings:
    def test_they_say_what_was_read(self, emulated: MeasuringBackend) -> None:
        reading = emulated.read(NEST)
        assert (reading.elements, reading.threads, reading.temperature) == (ELEMENTS, 86, "warm")
        assert reading.calls >= 1
        assert reading.gflops > 0

    def test_the_reference_is_read_in_the_same_way(self, emulated: MeasuringBackend) -> None:
        reading = emulated.reference()
        assert (reading.elements, reading.threads, reading.temperature) == (ELEMENTS, 0, "warm")

    def test_what_a_device_does_not_tell_of_its_clocks_is_unknown(self, emulated: MeasuringBackend) -> None:
        emulated.read(NEST)
        assert emulated.machine()["throttled"] is None

    def test_those_under_held_down_clocks_are_counted(self) -> None:
        backend = CudaBackend(ELEMENTS, Hot())
        assert backend.machine()["throttled"] == 0
        backend.read(NEST)
        assert backend.machine()["throttled"] == 1
        backend.close()

    @pytest.mark.parametrize("elements", [1, 3, 1021, 1024])
    def test_the_reference_copies_whole_vectors(self, elements: int) -> None:
        device = Copying()
        backend = CudaBackend(elements, device)
        backend.reference()
        (size,) = device.sizes
        assert size == backend.copied_bytes
        assert size % 16 == 0
        assert 6 * elements <= size < 6 * elements + 16
        backend.close()

    def test_large_operands_are_read_cold(self) -> None:
        backend = CudaBackend(COLD_FROM, CpuDevice())
        assert backend.temperature == "cold"
        backend.close()

    def test_a_nest_is_compiled_once(self) -> None:
        device = Counted()
        backend = CudaBackend(ELEMENTS, device)
        for nest in (NEST, Nest.initial(ELEMENTS), NEST, NEST):
            backend.check(nest)
        assert device.compiled == 2
        backend.close()

    def test_a_nest_over_other_elements_is_refused(self, emulated: MeasuringBackend) -> None:
        with pytest.raises(InvalidInput, match="covers 1022 elements, and the buffers have 1021"):
            emulated.read(Nest.initial(ELEMENTS + 1))

    def test_one_element_is_enough(self) -> None:
        backend = CudaBackend(1, CpuDevice())
        assert backend.read(Nest.initial(1)).elements == 1
        backend.close()


class TestWrongOutput:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (("1021u", "1022u"), "writes behind its output"),
            (("z + b0", "z + b0 - 4"), "writes before its output"),
            (("1021u", "1020u"), "1 of 1021 elements wrong; the first is element 1020: .*nan"),
            (("x1.y + y1.y", "x1.y - y1.y"), "elements wrong; the first is element 5"),
        ],
    )
    def test_it_is_never_timed(self, change: tuple[str, str], words: str) -> None:
        backend = CudaBackend(ELEMENTS, Planted(*change))
        with pytest.raises(IncorrectOutput, match=words):
            backend.read(NEST)
        backend.close()


class TestOthers:
    def test_they_are_never_disturbed(self, locks: Path) -> None:
        device = Watched(locks)
        backend = CudaBackend(ELEMENTS, device)
        assert backend.identity == "watched"
        backend.read(NEST)
        backend.reference()
        backend.check(Nest.initial(ELEMENTS))
        backend.close()
        assert device.done >= {"allocate", "write", "read", "fill", "copy", "load", "seconds", "close"}
        assert device.disturbing == set()

    def test_a_backend_closes_if_they_end_or_not(self, locks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cuda_backend, "_CLOSING_SECONDS", 0.05)
        device = Watched(locks)
        backend = CudaBackend(ELEMENTS, device)
        with (locks / "optarena-watched.lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            backend.close()
        assert "close" in device.done


class TestStandIn:
    def test_whatever_it_gives_is_marked(self, emulated: MeasuringBackend) -> None:
        assert emulated.emulated
        assert emulated.machine()["emulated"] is True

    @pytest.mark.parametrize(
        "name", ["no_such_module:device", "cuda_on_cpu:no_such", "cuda_on_cpu", ":device"]
    )
    def test_a_name_of_nothing_is_refused(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setenv(STAND_IN, name)
        monkeypatch.syspath_prepend(str(PLUGINS))
        with pytest.raises(InvalidInput, match=STAND_IN) as raised:
            open_backend("cuda", 10)
        assert raised.value.field == STAND_IN

    def test_an_unmarked_one_is_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        text = "import cuda_on_cpu\nclass Unmarked(cuda_on_cpu.CpuDevice):\n    emulated = False\n"
        (tmp_path / "unmarked_device.py").write_text(text)
        monkeypatch.syspath_prepend(str(PLUGINS))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv(STAND_IN, "unmarked_device:Unmarked")
        with pytest.raises(InvalidInput, match="is not marked as emulated"):
            open_backend("cuda", 10)

    def test_without_one_and_without_a_gpu_nothing_is_measured(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(STAND_IN, raising=False)
        try:
            require_device()
        except DeviceUnavailable:
            with pytest.raises(DeviceUnavailable, match="Missing: "):
                open_backend("cuda", 10)
        else:
            pytest.skip("this machine has a GPU")


NESTS = 45
NESTS_OF_64_BITS = 12
SEED = 12


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


@pytest.mark.parametrize("make", [nests.generic, *slow([nests.reachable])])
def test_kernels_of_64_bit_indices_give_the_sum_too(
    make: Callable[[random.Random], Nest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As nests of more than 2**31 elements have them, on fewer elements."""
    monkeypatch.setattr(cuda_backend, "_LIMIT_OF_32_BITS", 1)
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
    chosen = [nests.reachable(generator) for _ in range(10)]
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


class TestLoopsAndThreads:
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
