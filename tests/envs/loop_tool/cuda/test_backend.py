"""The backend on what takes a GPU's place: its checks, its readings and the marks they carry.

Not yet run on a device.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from optarena.errors import DeviceUnavailable, InvalidInput
from optarena.loop_tool.backend import Backend, IncorrectOutput, open_backend
from optarena.loop_tool.cuda.backend import COLD_FROM, VARIABLE, CudaBackend
from optarena.loop_tool.cuda.device import require_device
from optarena.loop_tool.nest import Loop, Nest
from tests.plugins.cuda_on_cpu import CpuDevice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.loop_tool.cuda.interface import Launch
    from optarena.loop_tool.cuda.lowering import Kernel

ELEMENTS = 1021
NEST = Nest((Loop(85, 1, threaded=True), Loop(3), Loop(4)))
PLUGINS = Path(__file__).parents[3] / "plugins"


class Planted(CpuDevice):
    """A device whose compiler changes kernels."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._change = old, new

    def load(self, kernel: Kernel) -> Launch:
        return super().load(replace(kernel, source=kernel.source.replace(*self._change)))


class Counted(CpuDevice):
    """A device that counts what it compiles."""

    compiled = 0

    def load(self, kernel: Kernel) -> Launch:
        self.compiled += 1
        return super().load(kernel)


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Backend]:
    monkeypatch.setenv(VARIABLE, "cuda_on_cpu:device")
    monkeypatch.syspath_prepend(str(PLUGINS))
    backend = open_backend("cuda", ELEMENTS)
    yield backend
    backend.close()


class TestReadings:
    """What a reading is of, and how it says so."""

    def test_they_say_what_was_read(self, emulated: Backend) -> None:
        reading = emulated.read(NEST)
        assert (reading.elements, reading.threads, reading.temperature) == (ELEMENTS, 86, "warm")
        assert reading.calls >= 1
        assert reading.gflops > 0

    def test_the_reference_is_read_in_the_same_way(self, emulated: Backend) -> None:
        reading = emulated.reference()
        assert (reading.elements, reading.threads, reading.temperature) == (ELEMENTS, 0, "warm")

    def test_cold_and_warm_readings_can_be_had_side_by_side(self) -> None:
        backend = CudaBackend(ELEMENTS, CpuDevice())
        for both in (backend.read_both(NEST), backend.reference_both()):
            assert (both.cold.reading.temperature, both.warm.reading.temperature) == ("cold", "warm")
            assert both.cold.reading.calls == 1
            low, high = both.warm.interval
            assert low <= both.warm.reading.median_seconds <= high
            found = json.loads(json.dumps(both.cold.as_dict()))
            assert found["throttled"] is False
            assert found["clocks"] == {"before": None, "after": None}
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

    def test_a_nest_over_other_elements_is_refused(self, emulated: Backend) -> None:
        with pytest.raises(InvalidInput, match="covers 1022 elements, and the buffers have 1021"):
            emulated.read(Nest.initial(ELEMENTS + 1))

    def test_one_element_is_enough(self) -> None:
        backend = CudaBackend(1, CpuDevice())
        assert backend.read(Nest.initial(1)).elements == 1
        backend.close()


class TestWrongOutput:
    """Kernels with planted bugs."""

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


class TestStandIn:
    """What the environment variable may name."""

    def test_whatever_it_gives_is_marked(self, emulated: Backend) -> None:
        assert emulated.emulated
        assert emulated.machine()["emulated"] is True

    @pytest.mark.parametrize(
        "name", ["no_such_module:device", "cuda_on_cpu:no_such", "cuda_on_cpu", ":device"]
    )
    def test_a_name_of_nothing_is_refused(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setenv(VARIABLE, name)
        monkeypatch.syspath_prepend(str(PLUGINS))
        with pytest.raises(InvalidInput, match=VARIABLE) as raised:
            open_backend("cuda", 10)
        assert raised.value.field == VARIABLE

    def test_one_that_does_not_say_so_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        text = "import cuda_on_cpu\nclass Unmarked(cuda_on_cpu.CpuDevice):\n    emulated = False\n"
        (tmp_path / "unmarked_device.py").write_text(text)
        monkeypatch.syspath_prepend(str(PLUGINS))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv(VARIABLE, "unmarked_device:Unmarked")
        with pytest.raises(InvalidInput, match="does not say it is emulated"):
            open_backend("cuda", 10)

    def test_without_one_and_without_a_gpu_nothing_is_measured(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(VARIABLE, raising=False)
        try:
            require_device()
        except DeviceUnavailable:
            with pytest.raises(DeviceUnavailable, match="Missing: "):
                open_backend("cuda", 10)
        else:
            pytest.skip("this machine has a GPU")
