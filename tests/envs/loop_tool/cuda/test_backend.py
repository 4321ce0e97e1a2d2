"""The backend on what takes a GPU's place: its checks, its readings and the marks they carry.

``benchmarks/loop_tool_cuda.py`` does the same on a GPU.
"""

from __future__ import annotations

import fcntl
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from cuda_on_cpu import CpuDevice

from optarena.cuda.device import Clocks, require_device
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, InvalidInput
from optarena.loop_tool.backend import IncorrectOutput, MeasuringBackend
from optarena.loop_tool.cuda import backend as cuda_backend
from optarena.loop_tool.cuda.backend import COLD_FROM, CudaBackend
from optarena.loop_tool.devices import open_backend
from optarena.loop_tool.nest import Loop, Nest
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from optarena.cuda.device import Launch
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

    def test_cold_and_warm_readings_can_be_had_side_by_side(self) -> None:
        backend = CudaBackend(ELEMENTS, CpuDevice())
        for both in (backend.read_both(NEST), backend.reference_both()):
            assert (both.cold.reading.temperature, both.warm.reading.temperature) == ("cold", "warm")
            assert both.cold.reading.calls == 1
            assert both.warm.interval is not None
            low, high = both.warm.interval
            assert low <= both.warm.reading.median_seconds <= high
            found = json.loads(json.dumps(both.cold.as_dict()))
            assert found["throttled"] is None
            assert found["clocks"] == {"before": None, "after": None}
        assert backend.machine()["throttled"] is None
        backend.close()

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

    def test_a_backend_is_closed_whether_they_end_or_not(
        self, locks: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
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

    def test_one_that_does_not_say_so_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
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
