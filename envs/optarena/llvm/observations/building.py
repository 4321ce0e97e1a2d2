"""Observations that need a linker or the machine: size of the executable, time to build it, the processor.

libLLVM makes the object file in the session's process; the linker is the machine's. A confined session can
start no program and open no file; such an observation then fails and leaves the session's state unchanged.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm import pinned
from optarena.llvm.module import Module, optimised
from optarena.llvm.observations.definition import Observed, count
from optarena.llvm.toolchain import DoesNotLink, Linker, find_linker
from optarena.machine_code import elf
from optarena.service.proto.compiler_gym_service_pb2 import DoubleRange, Event, Int64Range, Space, StringSpace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.llvm.live_session import LiveSession

TEXT_SIZE: Final = "TextSizeBytes"
_LEVELS: Final = ("O0", "O3", "Oz")
_EMPTY: Final = f'target triple = "{pinned.TRIPLE}"\ndefine i32 @main() {{\n  ret i32 0\n}}\n'.encode()
_CPUS: Final = Path("/sys/devices/system/cpu")
_CPU_FIELDS: Final = {"vendor_id": "vendor", "model name": "model", "flags": "features"}

_baselines: WeakKeyDictionary[LiveSession, dict[str, int]] = WeakKeyDictionary()


def _text_size(session: LiveSession) -> int:
    """Bytes of the executable's section ``.text``: the program's code, and code that the C library adds."""
    with _refusals(TEXT_SIZE):
        return _linked_text_size(session, session.module)


def _baseline(level: str) -> Observed:
    name = f"{TEXT_SIZE}{level}"

    def compute(session: LiveSession) -> int:
        known = _baselines.setdefault(session, {})
        if level not in known:
            with _refusals(name), optimised(session.program, level) as module:
                known[level] = _linked_text_size(session, module)
        return known[level]

    return count(name, compute, platform_dependent=True)


def _build_seconds(session: LiveSession) -> Event:
    """Seconds to make the object file and to link it."""
    with _refusals("Buildtime"), session.module.clone() as copy:
        linker = find_linker()
        started = time.perf_counter()
        code = copy.emit_in_place()
        _link(linker, code, session.working_directory)
        return Event(double_value=time.perf_counter() - started)


def _is_buildable(session: LiveSession) -> Event:
    """1 if the program links; 0 if it has no machine code, or the linker refuses it but links others."""
    try:
        code = session.module.object_code()
    except InvalidInput:
        return Event(int64_value=0)
    with _refusals("IsBuildable"):
        try:
            _link(find_linker(), code, session.working_directory)
        except DoesNotLink:
            return Event(int64_value=0)
        return Event(int64_value=1)


def _linked_text_size(session: LiveSession, module: Module) -> int:
    return elf.section_bytes(_link(find_linker(), module.object_code(), session.working_directory), ".text")


def _link(linker: Linker, code: bytes, folder: Path) -> bytes:
    """The executable.

    Raises:
        DoesNotLink: The linker refuses this program.
        ToolMissing: The linker refuses every program.
    """
    try:
        return linker.link(code, folder)
    except DoesNotLink:
        _check_linker(linker.command, folder)
        raise


@lru_cache(maxsize=4)
def _check_linker(command: tuple[str, ...], folder: Path) -> None:
    """Links an empty program, which fails only if the linker itself does not work."""
    with Module.parse(_EMPTY) as module:
        code = module.object_code()
    try:
        Linker(command).link(code, folder)
    except DoesNotLink as error:
        raise ToolMissing(
            f"{command[0]} cannot link even an empty program: {error}.",
            remedy="Install the C library's development files (Debian, Ubuntu: apt-get install libc6-dev).",
        ) from error


@contextlib.contextmanager
def _refusals(name: str) -> Iterator[None]:
    """Turns errors into one that says why the observation is not available; the session is unchanged."""
    try:
        yield
    except ToolMissing as error:
        raise ToolMissing(f"{name} needs a linker. {error.message}", remedy=error.remedy) from error
    except DoesNotLink as error:
        raise InvalidInput(
            f"{name} needs a program that links, and this one does not: {error}.",
            field="observation_space",
            value=name,
            remedy="Observe IsBuildable first; ObjectTextSizeBytes needs no linker.",
        ) from error
    except TimeoutError as error:
        raise InvalidInput(
            f"{name} is not available: {error}.", field="observation_space", value=name
        ) from error
    except PermissionError as error:
        raise InvalidInput(
            f"{name} is not available in a confined session, which may start no program and open no file.",
            field="observation_space",
            value=name,
            remedy="Use an environment with sandbox=False; ObjectTextSizeBytes and Bitcode work in both.",
        ) from error
    except OSError as error:
        raise InvalidInput(
            f"{name} is not available here: {error}.", field="observation_space", value=name
        ) from error


def _bitcode_file(session: LiveSession) -> Event:
    """Path of a file with the present bitcode; the file is removed with the session."""
    data = session.bitcode()
    target = session.working_directory / f"{hashlib.sha256(data).hexdigest()[:16]}.bc"
    with _refusals("BitcodeFile"):
        if not target.exists():
            part = target.with_suffix(".part")
            part.write_bytes(data)
            part.replace(target)
    return Event(string_value=str(target))


def _cpu_info(session: LiveSession) -> Event:
    """The processor as JSON: vendor, model, features, cores, and its caches in bytes."""
    del session
    with _refusals("CpuInfo"):
        return Event(string_value=_described_cpu())


@lru_cache(maxsize=1)
def _described_cpu() -> str:
    first, _, _ = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").partition("\n\n")
    lines = (line.partition(":") for line in first.splitlines())
    given = {key.strip(): value.strip() for key, _, value in lines}
    described = {name: given.get(key, "") for key, name in _CPU_FIELDS.items()}
    cores = {"cores": os.cpu_count(), "usable_cores": len(os.sched_getaffinity(0))}
    caches = [_cache(folder) for folder in sorted(_CPUS.glob("cpu0/cache/index*"))]
    return json.dumps({**described, **cores, "caches": caches}, sort_keys=True)


def _cache(folder: Path) -> dict[str, str | int]:
    level, kind, size = ((folder / name).read_text().strip() for name in ("level", "type", "size"))
    factor = {"K": 1024, "M": 1024**2}.get(size[-1:], 1)
    return {"level": int(level), "type": kind, "bytes": int(size.rstrip("KM")) * factor}


_BINARY: Final = Space(int64_value=Int64Range(min=0, max=1))
_SECONDS: Final = Space(double_value=DoubleRange(min=0.0))
_TEXT: Final = Space(string_value=StringSpace(length_range=Int64Range(min=0)))

OBSERVED: Final = (
    count(TEXT_SIZE, _text_size, platform_dependent=True),
    *(_baseline(level) for level in _LEVELS),
    Observed(
        name="Buildtime",
        space=_SECONDS,
        default=Event(double_value=0.0),
        compute=_build_seconds,
        deterministic=False,
        platform_dependent=True,
    ),
    Observed(
        name="IsBuildable",
        space=_BINARY,
        default=Event(int64_value=0),
        compute=_is_buildable,
        platform_dependent=True,
    ),
    Observed(
        name="BitcodeFile",
        space=_TEXT,
        default=Event(string_value=""),
        compute=_bitcode_file,
        deterministic=False,
        platform_dependent=True,
    ),
    Observed(
        name="CpuInfo",
        space=_TEXT,
        default=Event(string_value=""),
        compute=_cpu_info,
        platform_dependent=True,
    ),
)
