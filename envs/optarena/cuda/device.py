"""A GPU as a device of the backend, through cupy, which only this module uses and imports late.

It uses cupy's memory, streams, events, graphs, modules and NVRTC, but no array operations: those would
compile cupy's own kernels, which need CUDA's headers. ``require_device`` and ``compile_kernel`` need no GPU.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import numpy as np

from optarena.cuda import missing
from optarena.cuda.kernels import ELEMENTS_OF_VECTOR, Kernel, reading_kernel
from optarena.cuda.missing import DeviceFailed, kind_of
from optarena.errors import DeviceUnavailable, OptArenaError
from optarena.measuring.machine import exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray


MIN_WRITTEN: Final = 256 * 2**20  # takes as long as the host needs to enqueue a launch meanwhile
_FLOAT_BYTES: Final = 4
_VECTOR_BYTES: Final = _FLOAT_BYTES * ELEMENTS_OF_VECTOR


class Caches:
    """Two buffers, each at least twice what a device's L2 cache holds: one to write, another to read.

    A write alone would leave the cache full of dirty lines, and the next launch would pay for writing them
    back to memory. Reading as many other bytes makes the device write them back before.
    """

    def __init__(self, device: Device, l2_bytes: int, *, min_written: int = MIN_WRITTEN) -> None:
        self._device = device
        vectors = max(1, -(-2 * l2_bytes // _VECTOR_BYTES))
        self._written = max(2 * l2_bytes, min_written)
        self._writing = device.allocate(self._written)
        self._reading = device.allocate(vectors * _VECTOR_BYTES)
        device.fill(self._reading, vectors * _VECTOR_BYTES, 0)
        self._read = device.load(reading_kernel(vectors))
        self.overwrite()

    def overwrite(self) -> None:
        self._device.fill(self._writing, self._written, 0)
        self._read(self._reading, self._reading, self._writing)


# nvmlClocksEventReason* of nvml.h.
_REASONS: Final = {
    0x01: "idle",
    0x02: "application clocks",
    0x04: "power cap",
    0x08: "hardware slowdown",
    0x10: "sync boost",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "power brake",
    0x100: "display clocks",
}
# The reasons for which one reading is slower than another of the same work.
_THROTTLES: Final = frozenset({
    "power cap", "hardware slowdown", "software thermal slowdown", "hardware thermal slowdown", "power brake",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The state of a device at one moment; values that NVML does not report are None."""

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    celsius: int | None = None
    watts: float | None = None
    reasons: tuple[str, ...] | None = None  # why the clocks are lower than they could be

    @property
    def throttled(self) -> bool | None:  # by heat or power
        return None if self.reasons is None else not _THROTTLES.isdisjoint(self.reasons)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "reasons": None if self.reasons is None else list(self.reasons)}


def reasons_of(bits: int) -> tuple[str, ...]:  # unknown reasons as numbers
    known = tuple(name for bit, name in _REASONS.items() if bits & bit)
    rest = bits & ~sum(_REASONS)
    return (*known, hex(rest)) if rest else known


class Nvml:
    """NVML's interface to one device."""

    def __init__(self, module: Any, handle: Any) -> None:  # noqa: ANN401 # pynvml ships no types
        self._module = module
        self._handle = handle

    @classmethod
    def open(cls, pci_bus_id: str) -> Nvml | None:
        try:
            module = importlib.import_module("pynvml")
        except ImportError:  # cupy can be installed without it
            return None
        try:
            module.nvmlInit()
            return cls(module, module.nvmlDeviceGetHandleByPciBusId(pci_bus_id.encode()))
        except module.NVMLError:  # such as a container without the library, or a part of a device
            return None

    def driver(self) -> str | None:  # such as 580.95
        version = self._query("nvmlSystemGetDriverVersion")
        return version.decode() if isinstance(version, bytes) else version

    def clocks(self) -> Clocks:
        nvml, handle = self._module, self._handle
        milliwatts = self._query("nvmlDeviceGetPowerUsage", handle)
        bits = self._query("nvmlDeviceGetCurrentClocksEventReasons", handle)
        if bits is None:  # the function's name before NVML 12
            bits = self._query("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        return Clocks(
            sm_mhz=self._query("nvmlDeviceGetClockInfo", handle, nvml.NVML_CLOCK_SM),
            memory_mhz=self._query("nvmlDeviceGetClockInfo", handle, nvml.NVML_CLOCK_MEM),
            celsius=self._query("nvmlDeviceGetTemperature", handle, nvml.NVML_TEMPERATURE_GPU),
            watts=None if milliwatts is None else milliwatts / 1000,
            reasons=None if bits is None else reasons_of(bits),
        )

    def close(self) -> None:
        self._query("nvmlShutdown")

    def _query(self, function: str, *arguments: Any) -> Any:  # noqa: ANN401 # pynvml ships no types
        # Whether NVML has an answer depends on device, driver and privilege.
        with contextlib.suppress(AttributeError, self._module.NVMLError):
            return getattr(self._module, function)(*arguments)
        return None


@dataclass(frozen=True, slots=True)
class Target:
    """What NVRTC compiles for: ``sm_90`` gives machine code, ``compute_90`` PTX for the driver to compile."""

    architecture: str

    @property
    def kind(self) -> Literal["cubin", "ptx"]:
        return "cubin" if self.architecture.startswith("sm_") else "ptx"


def require_device() -> None:
    # Without importing cupy. This initialises the driver in this process, so its later forks cannot use the
    # device.
    if problems := missing.problems():
        raise DeviceUnavailable(f"No CUDA device is usable on this machine. Missing: {'; '.join(problems)}.")


def target_for(capability: int, supported: Sequence[int]) -> Target:  # capabilities such as 90 for 9.0
    if capability in supported:
        return Target(f"sm_{capability}")
    older = [one for one in supported if one < capability]
    if not older:
        raise DeviceUnavailable(
            f"The device's compute capability {capability / 10} is below {min(supported) / 10}, "
            "the least that NVRTC compiles for. Install an older CUDA: pip install 'optarena[cuda12]'."
        )
    return Target(f"compute_{max(older)}")


def supported_capabilities() -> tuple[int, ...]:  # ascending; no device is needed
    from cupy.cuda import nvrtc  # noqa: PLC0415 # cupy is imported only where it is used

    try:
        return tuple(sorted(nvrtc.getSupportedArchs()))
    except RuntimeError as error:  # cuda.pathfinder's DynamicLibNotFoundError
        remedy = missing.remedy_for_nvrtc()
        raise DeviceUnavailable(f"cupy cannot load NVRTC: {error}. Missing: NVRTC ({remedy}).") from error


def compile_kernel(kernel: Kernel, target: Target) -> bytes:  # no device is needed
    from cupy.cuda import nvrtc  # noqa: PLC0415 # cupy is imported only where it is used

    program = nvrtc.createProgram(kernel.source, f"{kernel.name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={target.architecture}", "--std=c++17"))
        if target.kind == "ptx":
            return bytes(nvrtc.getPTX(program))
        # cupy 14.2 drops the last byte of a cubin; an extra zero byte is harmless.
        return bytes(nvrtc.getCUBIN(program)) + b"\0"
    except nvrtc.NVRTCError as error:
        log = nvrtc.getProgramLog(program)
        raise DeviceFailed(f"NVRTC cannot compile {kernel.name} for {target.architecture}: {log}") from error
    finally:
        nvrtc.destroyProgram(program)


class CupyDevice:
    """The first GPU that CUDA shows to this process, with a stream of its own."""

    emulated = False

    def __init__(self) -> None:
        require_device()
        try:
            import cupy  # noqa: PLC0415 # it takes half a second, and only a GPU's user needs it
        except ImportError as error:
            raise DeviceFailed(f"cupy is installed but cannot be imported: {error}") from error
        self._cuda: Any = cupy.cuda
        self._runtime: Any = cupy.cuda.runtime
        self._cupy_version = str(cupy.__version__)
        self._memory: list[Any] = []
        supported = supported_capabilities()
        self.identity = missing.first_device()
        with exclusive(self.identity):  # creating a context disturbs the measurements of other processes
            self._open(supported)

    def _open(self, supported: Sequence[int]) -> None:
        with _translate_errors(DeviceUnavailable, "CUDA refuses the device"):
            self._runtime.setDevice(0)
            self._stream = self._cuda.Stream(non_blocking=True)
            self._capability = int(self._cuda.Device(0).compute_capability)  # 90 for 9.0
            self._l2_bytes = self._attribute(self._runtime.cudaDevAttrL2CacheSize)
        self._target = target_for(self._capability, supported)
        self._nvml = Nvml.open(self.identity)
        self._caches = Caches(self, self._l2_bytes)

    def allocate(self, size: int) -> int:
        with _translate_errors():
            memory = self._cuda.Memory(size)
        self._memory.append(memory)
        return int(memory.ptr)

    def write(self, address: int, data: NDArray[Any]) -> None:
        host = np.ascontiguousarray(data)
        with _translate_errors():
            kind = self._runtime.memcpyHostToDevice
            self._runtime.memcpyAsync(address, host.ctypes.data, host.nbytes, kind, self._stream.ptr)
            self._stream.synchronize()

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        host = np.empty(size, np.uint8)
        with _translate_errors():
            self._stream.synchronize()
            kind = self._runtime.memcpyDeviceToHost
            self._runtime.memcpyAsync(host.ctypes.data, address, size, kind, self._stream.ptr)
            self._stream.synchronize()
        return host

    def fill(self, address: int, size: int, value: int) -> None:
        with _translate_errors():
            self._runtime.memsetAsync(address, value, size, self._stream.ptr)

    def copy(self, target: int, source: int, size: int) -> None:
        with _translate_errors():
            kind = self._runtime.memcpyDeviceToDevice
            self._runtime.memcpyAsync(target, source, size, kind, self._stream.ptr)

    def overwrite_caches(self) -> None:
        self._caches.overwrite()

    def load(self, kernel: Kernel) -> Launch:
        function = self._function(compile_kernel(kernel, self._target), kernel.name)

        def launch(x: int, y: int, z: int) -> None:
            operands = (np.uint64(x), np.uint64(y), np.uint64(z))
            with _translate_errors():
                function((kernel.grid,), (kernel.block,), operands, stream=self._stream)

        return launch

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        function = self._function(code, name)

        def launch() -> None:
            with _translate_errors():
                function(grid, block, arguments, stream=self._stream)

        return launch

    def _function(self, code: bytes, name: str) -> Any:  # noqa: ANN401 # cupy ships no types
        with _translate_errors():
            module = self._cuda.Module()
            module.load(code)
            return module.get_function(name)

    def repeated(self, work: Work, times: int) -> Work:
        with _translate_errors():
            self._stream.begin_capture()
            try:
                for _ in range(times):
                    work()
            finally:
                graph = self._stream.end_capture()
            graph.upload(self._stream)

        def replay() -> None:
            with _translate_errors():
                graph.launch(self._stream)

        return replay

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        with _translate_errors():
            start, stop = self._cuda.Event(), self._cuda.Event()
        found = []
        for _ in range(samples):
            before()
            with _translate_errors():
                start.record(self._stream)
                work()
                stop.record(self._stream)
                stop.synchronize()
                found.append(float(self._cuda.get_elapsed_time(start, stop)) / 1e3)
        return found

    def clocks(self) -> Clocks | None:
        return self._nvml.clocks() if self._nvml else None

    def describe(self) -> dict[str, Any]:
        with _translate_errors():
            name = self._runtime.getDeviceProperties(0)["name"]
            return {
                "device": name.decode() if isinstance(name, bytes) else str(name),
                "compute_capability": f"{self._capability // 10}.{self._capability % 10}",
                "multiprocessors": self._attribute(self._runtime.cudaDevAttrMultiProcessorCount),
                "l2_bytes": self._l2_bytes,
                "memory_bytes": int(self._runtime.memGetInfo()[1]),
                "driver": self._nvml.driver() if self._nvml else None,
                "cuda_of_driver": missing.version_text(self._runtime.driverGetVersion()),
                "cuda_runtime": missing.version_text(self._runtime.runtimeGetVersion()),
                "nvrtc": ".".join(map(str, self._cuda.nvrtc.getVersion())),
                "compiled_for": self._target.architecture,
                "cupy": self._cupy_version,
            }

    def close(self) -> None:
        with contextlib.suppress(DeviceFailed), _translate_errors():  # the first failed call has reported it
            self._stream.synchronize()
        self._memory.clear()
        if self._nvml:
            self._nvml.close()

    def _attribute(self, attribute: int) -> int:
        return int(self._runtime.deviceGetAttribute(attribute, 0))


@contextlib.contextmanager
def _translate_errors(
    kind: type[OptArenaError] | None = None, what: str = "The device failed"
) -> Iterator[None]:
    # cupy's errors: those of CUDA are RuntimeError, a lack of memory is MemoryError.
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        raise (kind or kind_of(error))(f"{what}: {error}") from error


Work = Callable[[], None]  # enqueues work on the device's stream, and does not wait for it
Launch = Callable[[int, int, int], None]  # enqueues a kernel on the addresses of x, y and z
Temperature = Literal["warm", "cold"]  # whether the operands may still be in a cache from the previous call
Pair = tuple[int, int]
Arguments = tuple["np.uint64 | np.int32", ...]


class Device(Protocol):
    """One device with one stream, which does all work in order.

    Attributes:
        emulated: Whether the device is only emulated, so that its times mean nothing.
        identity: Name of the device, the same in all processes that use it.
    """

    emulated: bool
    identity: str

    def allocate(self, size: int) -> int:
        """The address of ``size`` new bytes, a multiple of 256; closing the device frees them."""

    def write(self, address: int, data: NDArray[Any]) -> None:
        """Copy an array to the device, and wait for it."""

    def read(self, address: int, size: int) -> NDArray[np.uint8]:
        """Wait for everything, then copy bytes from the device."""

    def fill(self, address: int, size: int, value: int) -> None:
        """Enqueue setting bytes to one value."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Enqueue the device's own copy of bytes."""

    def overwrite_caches(self) -> None:
        """Enqueue work that evicts all other data from the caches, and leaves nothing to be written back."""

    def load(self, kernel: Kernel) -> Launch:
        """Compile a kernel for this device, and load it."""

    def load_code(self, code: bytes, name: str, grid: Pair, block: Pair, arguments: Arguments) -> Work:
        """Load machine code, and return what enqueues its kernel ``name``; each argument has its own type."""

    def repeated(self, work: Work, times: int) -> Work:
        """A graph that does some work several times, launched as one."""

    def seconds(self, work: Work, before: Work, samples: int) -> list[float]:
        """How long the device takes for some work, by events around it; waits for each sample.

        The work ``before`` each sample is not timed. It keeps the device busy until the host has enqueued
        the sample; otherwise the sample would contain the host's time.
        """

    def clocks(self) -> Clocks | None:
        """The present clocks; None if they are unknown."""

    def describe(self) -> dict[str, Any]:
        """The properties that identify this device and its software, as JSON data."""

    def close(self) -> None:
        """Free everything."""
