"""Finding and loading libLLVM, and reading object files whatever they are."""

from __future__ import annotations

import ctypes.util
import os
import platform
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from optarena.datasets import datasets
from optarena.errors import PlatformNotSupported
from optarena.llvm.module import Module
from optarena.llvm.toolchain import find_clang
from optarena.machine_code import elf
from optarena.machine_code import libllvm as under_test
from optarena.machine_code.libllvm import LIBRARY_VARIABLE, Library, find_library, library

SYSTEM_LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libLLVM.so.22.1")
PRINT_PATH = "from optarena.machine_code.libllvm import library; print(library().path)"


def test_the_library_is_loaded_once() -> None:
    assert library() is library()
    assert library().path == find_library()


def test_an_unknown_function_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="NoSuchThing"):
        library().NoSuchThing()


def test_an_override_that_is_no_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIBRARY_VARIABLE, "/nowhere/libLLVM.so")
    with pytest.raises(PlatformNotSupported, match=r"/nowhere/libLLVM\.so"):
        find_library()


@pytest.mark.parametrize(("system", "machine"), [("darwin", "arm64"), ("linux", "aarch64")])
def test_other_platforms_are_told_of_container_and_remote_service(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with pytest.raises(PlatformNotSupported, match=r"container image.*remote service"):
        find_library()


def test_the_package_is_found_outside_of_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    expected = find_library()
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    assert find_library() == expected


def test_no_package_at_all_is_a_typed_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    monkeypatch.setattr(under_test, "_DISTRIBUTION", "no-such-distribution")
    with pytest.raises(PlatformNotSupported, match="was not found"):
        find_library()


def test_a_library_that_is_not_llvm_is_refused() -> None:
    name = ctypes.util.find_library("m")
    assert name is not None
    with pytest.raises(PlatformNotSupported, match="does not export LLVMGetVersion"):
        Library(Path(name))


def test_a_damaged_library_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "libLLVM.so.22.1"
    damaged.write_bytes(b"not a library")
    with pytest.raises(PlatformNotSupported, match="cannot be loaded"):
        Library(damaged)


def test_a_library_that_the_system_lacks_is_named_with_its_package(tmp_path: Path) -> None:
    # As in a small container: libLLVM's own C++ library needs libatomic.
    lacking, needing = tmp_path / "libnowhere.so.1", tmp_path / "libLLVM.so.22.1"
    linking = [str(find_clang()), "-shared", "-nostdlib", "-x", "c", "/dev/null", "-o"]
    subprocess.run([*linking, lacking, f"-Wl,-soname,{lacking.name}"], check=True)
    subprocess.run([*linking, needing, "-x", "none", "-Wl,--no-as-needed", lacking], check=True)
    lacking.unlink()
    with pytest.raises(PlatformNotSupported, match=r"package that has libnowhere\.so\.1; that of libatomic"):
        Library(needing)


def test_it_loads_before_the_symbolic_links_of_the_package_exist(tmp_path: Path) -> None:
    installed = find_library()
    runtime = tmp_path / "x86_64-unknown-linux-gnu"
    runtime.mkdir()
    for source, target in [
        (installed, tmp_path),
        *((file, runtime) for file in installed.parent.glob("x86_64-unknown-linux-gnu/*.so.1.0")),
    ]:
        _link(source, target / source.name)
    assert not list(runtime.glob("*.so.1"))
    assert _load_in_new_process(tmp_path / installed.name) == str(tmp_path / installed.name)


@pytest.mark.skipif(
    not SYSTEM_LIBRARY.exists(), reason="the system has no libLLVM 22: apt-get install libllvm22"
)
def test_the_system_library_can_be_used_instead() -> None:
    assert _load_in_new_process(SYSTEM_LIBRARY) == str(SYSTEM_LIBRARY.resolve())


def test_a_session_process_imports_nothing_heavy() -> None:
    code = (
        "import sys; from optarena.service.session_process.zygote_boot import install_bare_package; "
        "folder = sys.argv[1]; [sys.modules.pop(n) for n in list(sys.modules) if n.startswith('optarena')]; "
        "install_bare_package(folder); from optarena.llvm.session import LlvmSession; LlvmSession.preload(); "
        "LlvmSession.finish_preloading(); "
        "print([n for n in ('numpy', 'gymnasium', 'grpc', 'django') if n in sys.modules])"
    )
    folder = Path(under_test.__file__).parents[1]
    boot = f"import sys, types; p = types.ModuleType('optarena'); p.__path__ = [{str(folder)!r}]; "
    boot += "sys.modules['optarena'] = p; "
    done = subprocess.run(
        [sys.executable, "-c", boot + code, str(folder)], check=True, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


def _load_in_new_process(path: Path) -> str:
    environment = {**os.environ, LIBRARY_VARIABLE: str(path)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_PATH], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        target.write_bytes(source.read_bytes())


HEADER = b"\x7fELF\x02\x01"
READERS: tuple[Callable[[bytes], Any], ...] = (
    elf.executable_bytes,
    elf.loaded_bytes,
    elf.needs_loader,
    elf.with_internal_hidden,
    lambda code: elf.section_bytes(code, ".text"),
)


@pytest.fixture(scope="module")
def whole() -> bytes:
    with Module.parse(datasets().benchmark("benchmark://kernels-v0/sha256").program()) as module:
        return module.object_code()


def read(code: bytes) -> list[Any]:
    said: list[Any] = []
    for reader in READERS:
        try:
            said.append(reader(code))
        except ValueError:
            said.append(None)
    return said


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff" * 200)
@example(bytes(63 - len(HEADER)))
@example(bytes(200))
def test_any_bytes_behind_a_header(rest: bytes) -> None:
    read(HEADER + rest)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_ends_too_early_is_refused(whole: bytes, share: float) -> None:
    assert None not in read(whole)
    assert read(whole[: int(len(whole) * share)]) == [None] * len(READERS)


def test_sections_without_a_length_are_refused(whole: bytes) -> None:
    code = bytearray(whole)
    struct.pack_into("<H", code, 58, 0)
    assert read(bytes(code)) == [None] * len(READERS)
