"""What is missing or broken of a GPU, and what NVIDIA's profiler and sampler say, told by stand-ins.

:class:`CupyDevice` itself needs a GPU: see ``tests/envs/gpu_kernels/test_on_a_gpu.py``.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pytest

import optarena
from optarena.cuda import profiler, sampling
from optarena.cuda.device import require_device
from optarena.errors import CountersUnavailable, DeviceUnavailable, SandboxUnavailable
from optarena.isolation import sandbox
from tests.kit.cuda_driver import driver
from tests.kit.cupti import compiled, headers, installed

ASK = "from optarena.cuda.device import require_device as ask"
OPEN = "from optarena.cuda.device import CupyDevice as ask"
REPORT = """
import sys
sys.modules.update({hidden})
{ask}
loaded = "cupy" in sys.modules
try:
    ask()
except Exception as error:
    print(type(error).__name__, error)
else:
    print("nothing is missing")
print("cupy was imported" if "cupy" in sys.modules and not loaded else "cupy was not imported")
"""
FOUND = "nothing is missing"


def asked(
    libraries: Path, *, ask: str = ASK, hidden: str = "{}", path: Path | None = None, **variables: str
) -> list[str]:
    """What a process with such a driver says: of the device, and of cupy."""
    environment = {
        **os.environ,
        **variables,
        "LD_LIBRARY_PATH": str(libraries),
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, (path, os.environ.get("PYTHONPATH"))))),
    }
    command = [sys.executable, "-c", REPORT.format(ask=ask, hidden=hidden)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_without_a_driver_it_is_named() -> None:
    try:
        require_device()
    except DeviceUnavailable as error:
        text = str(error)
    else:
        pytest.skip("this machine has a GPU")
    assert text.startswith("No CUDA device is usable on this machine. Missing: ")
    if "libcuda" in text:
        assert "driver (libcuda.so.1 cannot be loaded" in text


NO_CUPY = "{'cupy': None}"
IN_SANDBOX = f"{ASK}\nimport os\nfrom optarena.isolation.sandbox import confine\nconfine(parent=os.getppid())"


def test_nothing_is_missing_where_all_is_there_and_cupy_is_not_even_imported(tmp_path: Path) -> None:
    pytest.importorskip("cupy", reason="cupy is not installed")
    assert asked(driver(tmp_path)) == [FOUND, "cupy was not imported"]


PLANTED = [
    ({"count": 0}, NO_CUPY, {"device (the driver finds none", "cupy (pip install 'optarena[cuda13]')"}),
    ({"result": 100, "count": 0}, "{}", {"device (the driver finds none"}),
    ({"result": 803}, "{}", {"driver (cuInit gives error 803, CUDA_ERROR_PLANTED)"}),
    ({"version": 11080}, "{}", {"driver (the installed one supports CUDA 11.8, but 12 is needed"}),
    ({"version": 12040}, NO_CUPY, {"cupy (pip install 'optarena[cuda12]')"}),
    ({"version": 14010}, NO_CUPY, {"cupy (pip install 'optarena[cuda13]')"}),
]


@pytest.mark.parametrize(
    ("planted", "hidden", "missing"),
    [PLANTED[0], *(pytest.param(*each, marks=pytest.mark.soak) for each in PLANTED[1:])],
)
def test_what_is_missing_is_named_and_nothing_else(
    tmp_path: Path, planted: dict[str, int], hidden: str, missing: set[str]
) -> None:
    answer, _ = asked(driver(tmp_path, **planted), hidden=hidden)
    assert answer.startswith("DeviceUnavailable ")
    assert all(part in answer for part in missing)
    assert ("driver (" in answer) == any("driver (" in part for part in missing)


@pytest.mark.soak
def test_a_cupy_that_is_too_new_for_the_driver(tmp_path: Path) -> None:
    pytest.importorskip("cupy", reason="cupy is not installed")
    answer, _ = asked(driver(tmp_path, version=12040))
    if answer == FOUND:
        pytest.skip("this cupy is not for CUDA 13")
    assert "cupy for CUDA 12 (cupy-cuda13x is installed: uninstall it" in answer


@pytest.mark.soak
@pytest.mark.parametrize("cuda", [12, 13])
def test_nvrtc_and_the_extra_of_the_cupy_that_is_installed(tmp_path: Path, cuda: int) -> None:
    """With the packages of this environment, but those of NVIDIA and cupy."""
    site = tmp_path / "site"
    site.mkdir()
    for entry in Path(metadata.distribution("numpy").locate_file("")).iterdir():  # type: ignore[arg-type] # it is a path
        if not entry.name.startswith(("nvidia", "cupy")):
            (site / entry.name).symlink_to(entry)
    (site / "cupy").mkdir()
    (site / "cupy/__init__.py").touch()
    package = site / f"cupy_cuda{cuda}x-14.2.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: cupy-cuda{cuda}x\nVersion: 14.2.0\n")
    if importlib.util.find_spec("cuda.pathfinder") is None:
        pytest.skip("cuda.pathfinder, which comes with cupy, is not installed")
    packages = os.pathsep.join(map(str, (site, Path(optarena.__file__).parents[1])))
    environment = {"PYTHONPATH": packages, "LD_LIBRARY_PATH": str(driver(tmp_path)), "PATH": os.defpath}
    command = [sys.executable, "-S", "-c", REPORT.format(ask=ASK, hidden="{}")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    answer, *_ = done.stdout.splitlines() or [done.stderr]
    remedy = f"install it with: pip install 'optarena[cuda{cuda}]'"
    assert answer.endswith(f"No CUDA device is usable on this machine. Missing: NVRTC ({remedy}).")


@pytest.mark.soak
def test_nothing_is_to_blame_in_the_sandbox(tmp_path: Path) -> None:
    try:
        sandbox.require_floor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    answer, _ = asked(tmp_path, ask=IN_SANDBOX, OPENBLAS_NUM_THREADS="1")
    assert answer.startswith("DeviceUnavailable CUDA is not available in a sandboxed session")


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "libcuda.so.1").write_text("no library")
    answer, _ = asked(tmp_path, hidden=NO_CUPY)
    assert "driver (libcuda.so.1 cannot be loaded" in answer
    assert "cupy (pip install 'optarena[cuda13]', or 'optarena[cuda12]'" in answer


def test_an_import_that_fails_does_not_look_like_a_missing_device(tmp_path: Path) -> None:
    package = tmp_path / "site/cupy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('libsomething.so is gone')")
    answer, _ = asked(driver(tmp_path), ask=OPEN, path=tmp_path / "site")
    assert answer == "DeviceFailed cupy is installed but cannot be imported: libsomething.so is gone"


@pytest.mark.soak
def test_no_context_is_made_before_the_device_is_reserved(tmp_path: Path) -> None:
    pytest.importorskip("cupy", reason="cupy is not installed")
    answer, _ = asked(driver(tmp_path), ask=OPEN, OPTARENA_LOCKS=str(tmp_path / "gone"))
    assert answer.startswith("DeviceUnavailable The device cannot be reserved")
    assert "optarena-0000_07_00.0." in answer


@pytest.mark.soak
def test_a_driver_that_cupy_cannot_use_is_told_in_its_words(tmp_path: Path) -> None:
    pytest.importorskip("cupy", reason="cupy is not installed")
    answer, _ = asked(driver(tmp_path), ask=OPEN)
    assert answer.startswith("DeviceUnavailable CUDA refuses the device: cudaError")


RECORDED: Final = (Path(__file__).parent / "data/ncu.csv").read_text()
"""Of the kernel ``stencil`` as given, at its timed size, by ncu 2025.3."""


def test_the_counters_of_a_launch_are_read() -> None:
    found = profiler.read(f"==PROF== Connected to process 1\n{RECORDED}")
    assert set(found) == set(profiler.COUNTERS)
    assert found["seconds"] == pytest.approx(595.136e-6)
    assert found["dram_read_bytes"] == 134_239_232
    assert found["achieved_occupancy"] == pytest.approx(0.8708)
    assert found["float_multiply_adds"] == 301_989_888


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "no-privilege"),
        ("==ERROR== Failed to initialize the profiler: LibraryNotLoaded", "virtualised"),
        ("==ERROR== Profiling is not supported on this device", "not-supported"),
        ("==ERROR== something else", "refused"),
        ("", "refused"),
        (RECORDED.replace("lts__t_bytes.sum", "another"), "not-supported"),
        (RECORDED.replace('"134,239,232"', '"n/a"'), "not-supported"),
        (RECORDED.replace('"134,239,232"', '"nan"'), "not-supported"),
        ("\n".join(RECORDED.splitlines()[:2]), "refused"),
    ],
)
def test_why_there_are_none_is_a_reason(said: str, reason: str) -> None:
    with pytest.raises(CountersUnavailable) as caught:
        profiler.read(said)
    assert caught.value.reason == reason


def test_without_the_profiler_its_name_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(profiler, "INSTALLED", tmp_path / "ncu")
    with pytest.raises(CountersUnavailable, match="Nsight Compute") as caught:
        profiler.command("scan", tmp_path / "log")
    assert caught.value.reason == "no-profiler"


def test_one_launch_is_read_and_clocks_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "ncu"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = profiler.command("scan", tmp_path / "log")
    assert command[0] == str(program)
    told = dict(itertools.pairwise(command))
    assert told["--kernel-name"] == "regex:^scan$"
    assert (told["--launch-count"], told["--clock-control"]) == ("1", "none")


pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="CUPTI is for Linux")
FIELDS = {
    sampling.SwitchParams: ("CUpti_PCSamplingEnableParams", "size pPriv ctx"),
    sampling.CountParams: ("CUpti_PCSamplingGetNumStallReasonsParams", "size pPriv ctx numStallReasons"),
    sampling.NameParams: (
        "CUpti_PCSamplingGetStallReasonsParams",
        "size pPriv ctx numStallReasons stallReasonIndex stallReasons",
    ),
    sampling.ConfigurationInfo: (
        "CUpti_PCSamplingConfigurationInfo",
        "attributeType attributeStatus attributeData",
    ),
    sampling.ConfigurationParams: (
        "CUpti_PCSamplingConfigurationInfoParams",
        "size pPriv ctx numAttributes pPCSamplingConfigurationInfo",
    ),
    sampling.StallReason: ("CUpti_PCSamplingStallReason", "pcSamplingStallReasonIndex samples"),
    sampling.SampledPlace: (
        "CUpti_PCSamplingPCData",
        "size cubinCrc pcOffset functionIndex pad functionName stallReasonCount stallReason correlationId",
    ),
    sampling.SampleData: (
        "CUpti_PCSamplingData",
        """size collectNumPcs totalSamples droppedSamples totalNumPcs remainingNumPcs rangeId pPcData
        nonUsrKernelsTotalSamples hardwareBufferFull""",
    ),
    sampling.DataParams: ("CUpti_PCSamplingGetDataParams", "size pPriv ctx pcSamplingData"),
}
SAMPLE = """
import json
from optarena.cuda.sampling import Sampler
from optarena.errors import CountersUnavailable
from tests.kit.cupti import compiled, headers, installed
done = []
try:
    with Sampler() as sampler:
        print(json.dumps(sampler.sampled("scan", lambda: done.append("ran")).as_dict()))
    with Sampler():  # it was disabled
        print(done)
except CountersUnavailable as error:
    print(error.reason, error)
"""


def sampled(folder: Path, *, context: int = 77, fails: int = 0) -> list[str]:
    """What is printed with such libraries."""
    done = subprocess.run(
        [sys.executable, "-c", SAMPLE],
        env=installed(folder, context=context, fails=fails),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_structures_are_those_of_the_header(tmp_path: Path) -> None:
    lines = ["#include <stddef.h>", '#include "cupti_pcsampling.h"']
    for kind, (name, members) in FIELDS.items():
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(kind)}, "{name}");')
        names: list[str] = [field[0] for field in kind._fields_]
        for member, own in zip(members.split(), names, strict=True):
            offset = getattr(kind, own).offset
            lines.append(f'_Static_assert(offsetof({name}, {member}) == {offset}, "{name}.{member}");')
    compiled(tmp_path, "", "\n".join(lines), *headers(tmp_path))
    wrong = "\n".join([*lines, f'_Static_assert(sizeof({name}) == 1, "wrong");'])
    with pytest.raises(subprocess.CalledProcessError):
        compiled(tmp_path, "", wrong, *headers(tmp_path))


def test_the_library_has_every_function_and_names_its_errors() -> None:
    library = sampling._library()
    version = ctypes.c_uint32()
    assert library.cuptiGetVersion(ctypes.byref(version)) == 0
    assert version.value // 10_000 == 13
    for name in ("Enable", "Disable", "Start", "Stop", "GetData", "GetStallReasons", "GetNumStallReasons"):
        assert library[f"cuptiPCSampling{name}"]
    given = sampling.SwitchParams(size=ctypes.sizeof(sampling.SwitchParams))  # without a context
    code = library.cuptiPCSamplingEnable(ctypes.byref(given))
    text = ctypes.c_char_p()
    library.cuptiGetResultString(code, ctypes.byref(text))
    assert text.value == b"CUPTI_ERROR_INVALID_PARAMETER"


def test_without_a_driver_there_is_no_device() -> None:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        with pytest.raises(CountersUnavailable, match=r"libcuda\.so\.1 cannot be loaded") as caught:
            sampling.Sampler()
        assert caught.value.reason == "no-device"
    else:
        pytest.skip("this machine has a driver")


def test_without_the_library_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "DISTRIBUTION", "optarena-nowhere")
    with pytest.raises(
        CountersUnavailable, match=r"optarena-nowhere is not installed.*optarena\[cuda13\]"
    ) as caught:
        sampling.Sampler()
    assert caught.value.reason == "no-library"


def test_samples_of_all_calls_are_summed_by_place_and_reason(tmp_path: Path) -> None:
    told, again = sampled(tmp_path)
    found: dict[str, Any] = json.loads(told)
    assert (found["samples"], found["dropped"]) == (120, 3)
    assert found["reasons"] == {"long_scoreboard": 12, "barrier": 9}
    assert found["places"] == [
        {"offset": 16, "reasons": {"barrier": 9}},
        {"offset": 64, "reasons": {"long_scoreboard": 12}},
    ]
    assert again == "['ran']"


@pytest.mark.parametrize(
    ("code", "reason", "remedy"),
    [
        (35, "no-privilege", "CAP_SYS_ADMIN"),
        pytest.param(33, "virtualised", "a whole GPU", marks=pytest.mark.soak),
        pytest.param(39, "in-use", "End the other profiler", marks=pytest.mark.soak),
        pytest.param(27, "not-supported", "", marks=pytest.mark.soak),
        pytest.param(999, "refused", "", marks=pytest.mark.soak),
    ],
)
def test_what_cupti_refuses_has_a_reason(tmp_path: Path, code: int, reason: str, remedy: str) -> None:
    (said,) = sampled(tmp_path, fails=code)
    assert said.startswith(f"{reason} CUPTI cannot sample: Enable gives error {code}, CUPTI_ERROR_PLANTED.")
    assert remedy in said
    assert said.endswith(f"[{reason}]")


def test_without_a_context_there_is_nothing_to_sample(tmp_path: Path) -> None:
    (said,) = sampled(tmp_path, context=0)
    assert said.startswith("no-device There is no CUDA context to sample in")
