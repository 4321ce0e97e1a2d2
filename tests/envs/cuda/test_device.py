"""What is missing where there is no GPU, told apart with drivers that answer as real ones do in each case.

:class:`CupyDevice` itself needs a GPU: see ``tests/envs/gpu_kernels/test_on_a_gpu.py``.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import optarena
from optarena.cuda.device import require_device
from optarena.errors import DeviceUnavailable, SandboxUnavailable
from optarena.isolation import sandbox
from tests.kit.cuda_driver import driver

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


class TestWhatIsMissing:
    def test_nothing_where_all_is_there_and_cupy_is_not_even_imported(self, tmp_path: Path) -> None:
        pytest.importorskip("cupy", reason="cupy is not installed")
        assert asked(driver(tmp_path)) == [FOUND, "cupy was not imported"]

    def test_a_driver_that_fails(self, tmp_path: Path) -> None:
        answer, _ = asked(driver(tmp_path, result=803))
        assert answer.startswith("DeviceUnavailable ")
        assert "driver (cuInit gives error 803, CUDA_ERROR_PLANTED)" in answer

    @pytest.mark.parametrize(("result", "count"), [(100, 0), (0, 0)])
    def test_a_device(self, tmp_path: Path, result: int, count: int) -> None:
        answer, _ = asked(driver(tmp_path, result=result, count=count))
        assert answer.startswith("DeviceUnavailable ")
        assert "device (the driver finds none" in answer
        assert "driver (" not in answer

    def test_a_driver_that_is_new_enough(self, tmp_path: Path) -> None:
        answer, _ = asked(driver(tmp_path, version=11080))
        assert "driver (the installed one supports CUDA 11.8, but 12 is needed" in answer

    @pytest.mark.parametrize(("version", "extra"), [(12040, "cuda12"), (13000, "cuda13"), (14010, "cuda13")])
    def test_cupy_and_the_extra_that_fits_the_driver(self, tmp_path: Path, version: int, extra: str) -> None:
        answer, _ = asked(driver(tmp_path, version=version), hidden="{'cupy': None}")
        assert f"cupy (pip install 'optarena[{extra}]')" in answer
        assert "driver (" not in answer

    def test_a_cupy_that_is_too_new_for_the_driver(self, tmp_path: Path) -> None:
        pytest.importorskip("cupy", reason="cupy is not installed")
        answer, _ = asked(driver(tmp_path, version=12040))
        if answer == FOUND:
            pytest.skip("this cupy is not for CUDA 13")
        assert "cupy for CUDA 12 (cupy-cuda13x is installed: uninstall it" in answer

    @pytest.mark.parametrize("cuda", [12, 13])
    def test_nvrtc_and_the_extra_of_the_cupy_that_is_installed(self, tmp_path: Path, cuda: int) -> None:
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

    def test_nothing_is_to_blame_in_the_sandbox(self, tmp_path: Path) -> None:
        try:
            sandbox.require_floor()
        except SandboxUnavailable as error:
            pytest.skip(str(error))
        confined = (
            f"{ASK}\nimport os\nfrom optarena.isolation.sandbox import confine\nconfine(parent=os.getppid())"
        )
        answer, _ = asked(tmp_path, ask=confined, OPENBLAS_NUM_THREADS="1")
        assert answer.startswith("DeviceUnavailable CUDA is not available in a sandboxed session")

    def test_all_of_it_is_named_at_once(self, tmp_path: Path) -> None:
        (tmp_path / "libcuda.so.1").write_text("no library")
        answer, _ = asked(tmp_path, hidden="{'cupy': None}")
        assert "driver (libcuda.so.1 cannot be loaded" in answer
        assert "cupy (pip install 'optarena[cuda13]', or 'optarena[cuda12]'" in answer


class TestWhatIsBroken:
    def test_an_import_that_fails_does_not_look_like_a_missing_device(self, tmp_path: Path) -> None:
        package = tmp_path / "site/cupy"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise ImportError('libsomething.so is gone')")
        answer, _ = asked(driver(tmp_path), ask=OPEN, path=tmp_path / "site")
        assert answer == "DeviceFailed cupy is installed but cannot be imported: libsomething.so is gone"

    def test_no_context_is_made_before_the_device_is_reserved(self, tmp_path: Path) -> None:
        pytest.importorskip("cupy", reason="cupy is not installed")
        answer, _ = asked(driver(tmp_path), ask=OPEN, OPTARENA_LOCKS=str(tmp_path / "gone"))
        assert answer.startswith("DeviceUnavailable The device cannot be reserved")
        assert "optarena-0000_07_00.0." in answer

    def test_a_driver_that_cupy_cannot_use_is_told_in_its_words(self, tmp_path: Path) -> None:
        pytest.importorskip("cupy", reason="cupy is not installed")
        answer, _ = asked(driver(tmp_path), ask=OPEN)
        assert answer.startswith("DeviceUnavailable CUDA refuses the device: cudaError")
