"""Finds what this machine lacks to use a GPU, and files of NVIDIA's packages.

It imports no cupy and makes no CUDA context.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import json
from importlib import metadata
from pathlib import Path
from typing import Final

from optarena.errors import DeviceUnavailable, ServiceError
from optarena.isolation.limits import raise_address_space

DRIVER: Final = "libcuda.so.1"
OLDEST_CUDA: Final = 12
NEWEST_CUDA: Final = 13
_NVRTC_WHEELS: Final = {12: "nvidia-cuda-nvrtc-cu12", 13: "nvidia-cuda-nvrtc"}
_NO_DEVICE: Final = 100  # CUDA_ERROR_NO_DEVICE
_BUS_ID_BYTES: Final = 32


def problems() -> list[str]:
    """What is missing of driver, device, cupy and NVRTC, each with its remedy.

    This initialises the driver in this process, so its later forks cannot use the device.
    """
    if is_sandboxed():
        raise DeviceUnavailable(
            "CUDA is not available in a sandboxed session, which may open neither its driver nor its device. "
            "Make the environment without sandbox=True, or start the service without --sandbox."
        )
    version, missing = _driver()
    return [problem for problem in (*missing, _cupy_problem(version)) if problem]


def version_text(number: int) -> str:  # 13000 is 13.0
    return f"{number // 1000}.{number % 1000 // 10}"


def remedy_for_nvrtc() -> str:
    return f"install it with: pip install 'optarena[cuda{_cupy_major() or NEWEST_CUDA}]'"


def first_device() -> str:
    # Its PCI bus address. This creates no context, which would disturb the measurements of other processes;
    # the driver must be initialised.
    cuda = ctypes.CDLL(DRIVER)
    device, name = ctypes.c_int(), ctypes.create_string_buffer(_BUS_ID_BYTES)
    result = cuda.cuDeviceGet(ctypes.byref(device), 0) or cuda.cuDeviceGetPCIBusId(
        name, _BUS_ID_BYTES, device
    )
    if result:
        error = _error_name(cuda, result)
        raise DeviceUnavailable(f"The driver does not report the device's address: error {result}, {error}.")
    return name.value.decode()


def is_sandboxed() -> bool:
    # A process in the sandbox may not even open the file that tells how it is confined. A system call filter
    # is not a sufficient sign, because many containers have one.
    try:
        Path("/proc/self/status").open("rb").close()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _driver() -> tuple[int | None, list[str]]:
    # The newest major version of CUDA that the driver supports, if it is usable, and what is missing.
    try:
        cuda = ctypes.CDLL(DRIVER)
    except OSError as error:
        return None, [f"driver ({DRIVER} cannot be loaded: {error}; install NVIDIA's driver)"]
    number = ctypes.c_int()
    cuda.cuDriverGetVersion(ctypes.byref(number))
    major = number.value // 1000
    if major < OLDEST_CUDA:
        supported = f"{version_text(number.value)}, but {OLDEST_CUDA} is needed; install a newer driver"
        return None, [f"driver (the installed one supports CUDA {supported})"]
    result = cuda.cuInit(0)
    if result not in {0, _NO_DEVICE}:
        return major, [f"driver (cuInit gives error {result}, {_error_name(cuda, result)})"]
    count = ctypes.c_int()
    if result == 0:
        cuda.cuDeviceGetCount(ctypes.byref(count))
    if count.value == 0:
        return major, ["device (the driver finds none; check CUDA_VISIBLE_DEVICES)"]
    return major, []


def _error_name(cuda: ctypes.CDLL, result: int) -> str:
    name = ctypes.c_char_p()
    cuda.cuGetErrorName(result, ctypes.byref(name))
    return (name.value or b"an unnamed error").decode()


def _cupy_problem(cuda_version: int | None) -> str:
    extra = f"optarena[cuda{min(cuda_version or NEWEST_CUDA, NEWEST_CUDA)}]"
    remedy = f"pip install '{extra}'"
    if cuda_version is None:
        remedy += ", or 'optarena[cuda12]' for a driver of CUDA 12"
    if importlib.util.find_spec("cupy") is None:
        return f"cupy ({remedy})"
    installed = _cupy_major()
    if cuda_version is not None and installed is not None and cuda_version < installed:
        newest = f"cupy-cuda{installed}x"
        return f"cupy for CUDA {cuda_version} ({newest} is installed: uninstall it, then {remedy})"
    return "" if _has_nvrtc(installed) else f"NVRTC ({remedy_for_nvrtc()})"


def _cupy_major() -> int | None:  # the package's name has the version of CUDA
    return next((one for one in (NEWEST_CUDA, OLDEST_CUDA) if _version_of(f"cupy-cuda{one}x")), None)


def _has_nvrtc(cuda: int | None) -> bool:  # as a package, or in another place where cupy searches
    if cuda is not None and _version_of(_NVRTC_WHEELS[cuda]).startswith(f"{cuda}."):
        return True
    try:
        pathfinder = importlib.import_module("cuda.pathfinder")  # it comes with cupy
    except ImportError:
        return True  # another cupy, which reports a missing NVRTC itself
    try:
        pathfinder.load_nvidia_dynamic_lib("nvrtc")
    except pathfinder.DynamicLibNotFoundError:
        return False
    return True


def _version_of(package: str) -> str:
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return ""


class DeviceFailed(ServiceError):
    """A device, its driver or its compiler reports an error; this process cannot use the device again."""


class DeviceFull(DeviceFailed):
    """The device does not have as much free memory."""


class KernelFaulted(DeviceFailed):
    """A kernel did what the device stops it for, such as an access to memory that nobody allocated."""


_FULL: Final = 2  # cudaErrorMemoryAllocation, and CUDA_ERROR_OUT_OF_MEMORY of the driver
# An illegal address, stack, instruction, alignment, address space or program counter, and a failed launch.
# Runtime and driver number them alike; see cudaError_t in CUDA's driver_types.h.
_FAULTS: Final = frozenset({700, 714, 715, 716, 717, 718, 719})


def kind_of(error: Exception) -> type[DeviceFailed]:
    # Errors of CUDA have a number, a lack of memory is a MemoryError.
    status = getattr(error, "status", None)
    if isinstance(error, MemoryError) or status == _FULL:
        return DeviceFull
    return KernelFaulted if status in _FAULTS else DeviceFailed


def find_packaged(distribution: str, name: str) -> Path:
    # Of a package of NVIDIA's: a library or a program, not a Python module.
    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        raise FileNotFoundError(f"The package {distribution} is not installed.") from None
    found = next((Path(str(one.locate())) for one in files if one.name == name), None)
    if found is None:
        raise FileNotFoundError(f"The package {distribution} has no file {name}.")
    return found


if __name__ == "__main__":
    raise_address_space()
    print(json.dumps(problems()))  # noqa: T201 # the result of this program
