"""The compilers of a build, and the confined processes that run them.

Each process has a session of its own with an environment that is the same on every machine. Its output goes
to files of limited size, and no process of its session outlives it.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from datasets.builder.files import ToolchainMissing
from datasets.builder.suite import ToolchainSpec
from optarena import limits
from optarena.llvm.making import CXX_SUFFIXES
from optarena.machine_code.libllvm import find_library, required_cxx_libraries

MAX_FILE_BYTES: Final = 512 * 1024**2  # Size of any file that a compiler writes.
_SAID_BYTES: Final = 64_000


class Stopped(Exception):
    """The build was stopped while this process worked for it: its result is meaningless."""


@dataclass(frozen=True, slots=True)
class ProcessResult:
    code: int  # Negative for the signal that killed it.
    stdout: bytes
    stderr: bytes  # Its first 64 kB.
    seconds: float


class Processes:
    # All processes of one build; threads share it.

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def stop(self) -> None:
        # Afterwards no process can be started.
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def check(self) -> None:
        if self._stopped:
            raise Stopped

    def run(  # noqa: PLR0913 - what a process is given and allowed; all but the first by name
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path,
        seconds: float,
        env: Mapping[str, str],
        stdin: bytes = b"",
        file_bytes: int = MAX_FILE_BYTES,
        memory_bytes: int = resource.RLIM_INFINITY,
    ) -> ProcessResult:
        # Raises `TimeoutError` when it took longer, and was killed with its children. More bytes of a file
        # end it by `SIGXFSZ`.
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as said,
        ):
            given.write(stdin)
            given.seek(0)
            with self._lock:
                self.check()
                start = time.perf_counter()
                process = subprocess.Popen(  # noqa: S603 - a compiler, or a program of the suite: our own code
                    command,
                    cwd=cwd,
                    env=env,
                    stdin=given,
                    stdout=printed,
                    stderr=said,
                    start_new_session=True,
                )
                self._running.add(process)
            try:
                _limit(process.pid, seconds, file_bytes, memory_bytes)
                in_time = _wait(process.pid, seconds)
                spent = time.perf_counter() - start
            finally:
                with self._lock:
                    _kill(process)
                    process.wait()  # until then the kernel does not use its number again
                    self._running.discard(process)
            self.check()
            if not in_time:
                raise TimeoutError(f"more than {seconds:g} s")
            printed.seek(0)
            said.seek(0)
            return ProcessResult(process.returncode, printed.read(file_bytes), said.read(_SAID_BYTES), spent)

    def run_tool(
        self, command: Sequence[str], *, cwd: Path, seconds: float, memory_bytes: int, stdin: bytes = b""
    ) -> ProcessResult:
        # Run a tool with settings for the same output everywhere.
        fixed = {"LC_ALL": "C", "TZ": "UTC", "SOURCE_DATE_EPOCH": "0"}
        with tempfile.TemporaryDirectory(prefix="optarena-build-") as scratch:
            env = {"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": scratch, **fixed}
            return self.run(
                command, cwd=cwd, seconds=seconds, env=env, stdin=stdin, memory_bytes=memory_bytes
            )


def _wait(pid: int, seconds: float) -> bool:
    # Without polling, which would blur the process's time.
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _limit(pid: int, seconds: float, file_bytes: int, memory_bytes: int) -> None:
    # Its children have the limits, too, even if they outlive this process.
    wanted = {
        resource.RLIMIT_CPU: int(seconds) + 1,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: memory_bytes,
    }
    for kind, value in wanted.items():
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            _, ceiling = resource.prlimit(pid, kind)
            bounds = [one for one in (value, ceiling) if one != resource.RLIM_INFINITY]
            lowered = min(bounds, default=resource.RLIM_INFINITY)
            resource.prlimit(pid, kind, (lowered, ceiling))


NATIVE_LEVELS: Final = ("O0", "O2", "Oz")
_COMPILE_SECONDS: Final = 900
# No file of this machine or of its user may add flags; see clang's manual, "Configuration files".
_FIXED: Final = ("--no-default-config",)
_SANITIZERS: Final = ("-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_VERSION: Final = re.compile(r"clang version (\d+\.\d+\.\d+)")
_ESCAPED: Final = re.compile(r"\\([ #])")
_WORD: Final = re.compile(r"(?:\\[ #]|\S)+")
_NO_MEMORY: Final = ("LLVM ERROR: out of memory", "std::bad_alloc")
_PROBE: Final = b"int main(void) { return 0; }\n"


class CompileError(Exception):
    """The compiler refused a program; the message is its first error."""


class Toolchain:
    # The pinned clang of one suite. `identity` identifies how a source is compiled, the same on every
    # machine: the clang and its flags.

    def __init__(
        self,
        spec: ToolchainSpec,
        headers: Path | None = None,
        *,
        identity: str = "",
        processes: Processes | None = None,
    ) -> None:
        self.spec = spec
        self._processes = processes or Processes()
        self._headers = headers
        self._header_flags = _headers(spec, headers)
        # In this Python's own environment, or else in the system.
        own = Path(sys.executable).parent / "clang"
        clang = str(own) if own.exists() else shutil.which("clang")
        if clang is None:
            raise ToolchainMissing("clang is not installed: install the extra `build` of optarena.")
        self._clang = clang
        line = self._version_line(self._clang)
        found = _VERSION.search(line)
        if found is None or found[1] != spec.clang:
            raise ToolchainMissing(
                f"{self._clang} is {line!r:.200}, but this suite is pinned to {spec.clang}: "
                "install the extra `build` of optarena."
            )
        fixed = (*_FIXED, *_headers(spec, Path("headers") if headers else None))
        self.identity = (line, *fixed, *spec.flags, *spec.header_folders, identity)

    def bitcode(self, source: Path, flags: Sequence[str] = ()) -> bytes:
        command = [self._clang, *_FIXED, *self.spec.flags, *self._header_flags, *flags]
        return self._run([*command, "-c", "-emit-llvm", "-o", "-", source.name], source.parent)

    def optimised(self, bitcode: bytes, level: str) -> bytes:
        # By clang's own pipeline of the level.
        command = [self._clang, *_FIXED, level, "-w", "-x", "ir", "-c", "-emit-llvm", "-o", "-", "-"]
        with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
            return self._run(command, Path(folder), bitcode)

    def check_included(self, source: Path, flags: Sequence[str], roots: Sequence[Path]) -> None:
        # A source may include files of known content only: below `roots`, the C library's declarations, and
        # clang's own headers.
        command = [self._clang, *_FIXED, *self.spec.flags, *self._header_flags, *flags]
        rule = self._run([*command, "-M", "-MT", "it", "-o", "-", source.name], source.parent)
        known = [*roots, self._own_headers, *([self._headers] if self._headers else [])]
        places = [root.resolve() for root in known]
        # The files that a rule of a makefile names after its colon.
        files = os.fsdecode(rule).replace("\\\n", " ").partition(":")[2]
        for word in _WORD.findall(files):
            path = (source.parent / _ESCAPED.sub(r"\1", word).replace("$$", "$")).resolve()
            if not any(path.is_relative_to(place) for place in places):
                raise CompileError(
                    f"{source.name} includes {path}, which belongs neither to the suite nor to its packages: "
                    "put it into the suite, or add its package"
                )

    @cached_property
    def _own_headers(self) -> Path:
        return Path(os.fsdecode(self._run([self._clang, *_FIXED, "-print-resource-dir"], Path.cwd())).strip())

    def native(self, sources: Sequence[Path], level: str, to: Path, flags: Sequence[str] = ()) -> None:
        given = [*self._language_flags, *self._header_flags, *flags]
        self._executable([self._clang, *_FIXED, *given, f"-{level}", "-w"], sources, to)

    def shared_object(self, source: Path, to: Path) -> None:
        # From the builder's own source, without flags of a suite.
        flags = ["-O2", "-w", "-shared", "-fPIC"]
        self._run([self._clang, *_FIXED, *flags, "-o", str(to.absolute()), source.name], source.parent)

    def sanitized(self, sources: Sequence[Path], to: Path, flags: Sequence[str] = ()) -> bool:
        # The compiler is the system's, with the C library's headers of this machine; False if it has no
        # sanitizers.
        if self.sanitizer is None:
            return False
        standard = [flag for flag in self.spec.flags if flag.startswith(("-std=", "-ffp-contract="))]
        self._executable([self.sanitizer, *standard, *_SANITIZERS, *flags], sources, to)
        return True

    def check_native(self, folder: Path) -> None:
        is_cxx = any(flag.startswith("-std=") and "++" in flag for flag in self.spec.flags)
        source = folder / ("probe.cpp" if is_cxx else "probe.c")
        source.write_bytes(_PROBE)
        try:
            self.native([source], "O0", folder / "probe")
            self._run([str(folder / "probe")], folder)
        except (CompileError, OSError) as error:
            raise ToolchainMissing(
                f"Programs cannot be linked and run: {error}. Install a linker and the C library's "
                "development files (Debian: gcc)."
            ) from error

    @cached_property
    def sanitizer(self) -> str | None:
        compiler = shutil.which("gcc")
        if compiler is None:
            return None
        try:
            with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
                command = [compiler, *_SANITIZERS, "-x", "c", "-o", "/dev/null", "-"]
                self._run(command, Path(folder), _PROBE)
        except CompileError:
            return None
        return compiler

    @cached_property
    def sanitizer_version(self) -> str:
        return self._version_line(self.sanitizer) if self.sanitizer else ""

    @property
    def _language_flags(self) -> list[str]:
        # Without the level and the flags for the front end only.
        kept = []
        flags = iter(self.spec.flags)
        for flag in flags:
            if flag == "-Xclang":
                next(flags, None)
            elif not flag.startswith("-O"):
                kept.append(flag)
        return kept

    def _version_line(self, program: str) -> str:
        try:
            said = self._run([program, "--version"], Path.cwd())
        except (CompileError, OSError) as error:
            raise ToolchainMissing(
                f"{program} does not run: {error}. Install the extra `build` of optarena."
            ) from error
        return said.decode(errors="replace").partition("\n")[0].strip()

    def _executable(self, command: Sequence[str], sources: Sequence[Path], to: Path) -> None:
        # Every source is compiled in its own folder; names of objects must not collide.
        objects = []
        for number, source in enumerate(sources):
            objects.append(str(to.absolute()) + f"-{number}.o")
            self._run([*command, "-c", "-o", objects[-1], source.name], source.parent)
        is_cxx = any(one.suffix in CXX_SUFFIXES for one in sources)
        libraries = self._cxx_libraries(command[0]) if is_cxx else ()
        self._run([*command, "-o", str(to.absolute()), *objects, "-lm", *libraries], to.parent)

    def _cxx_libraries(self, compiler: str) -> list[str]:
        # The sanitizers' compiler has another C++ library: one more check of what a program relies on.
        if compiler != self._clang:
            return ["-lstdc++"]
        found = required_cxx_libraries(find_library())
        return [*map(str, found), *(f"-Wl,-rpath,{folder}" for folder in {file.parent for file in found})]

    def _run(self, command: Sequence[str], folder: Path, given: bytes = b"") -> bytes:
        name = Path(command[0]).name
        # A program with sanitizers reserves terabytes of addresses that it never uses.
        memory = limits.TOOL_MEMORY_BYTES if command[0] == self._clang else resource.RLIM_INFINITY
        try:
            done = self._processes.run_tool(
                command, cwd=folder, seconds=_COMPILE_SECONDS, memory_bytes=memory, stdin=given
            )
        except TimeoutError as error:
            raise CompileError(f"{name} needed {error}") from error
        if done.code:
            said = done.stderr.decode(errors="replace")
            file = next(one for one in reversed(command) if not one.startswith("-"))
            if memory != resource.RLIM_INFINITY and any(sign in said for sign in _NO_MEMORY):
                raise CompileError(f"{name} needed more than {memory} bytes of memory for {file}")
            if done.code < 0:
                ended = signal.Signals(-done.code).name
                raise CompileError(f"{name} was ended by {ended} while it worked on {file}")
            lines = said.splitlines()
            errors = [line for line in lines if "error" in line]
            raise CompileError((errors or lines or [f"exit code {done.code}"])[0].strip())
        return done.stdout


def _headers(spec: ToolchainSpec, folder: Path | None) -> list[str]:
    # Clang sees these declarations of the C library and no others.
    if folder is None:
        return []
    places = [str(folder / one) for one in spec.header_folders]
    return [
        "-nostdlibinc",
        *(part for place in places for part in ("-isystem", place)),
        f"-ffile-prefix-map={folder}=.",
    ]
