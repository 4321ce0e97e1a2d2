"""Checks the programs that a service receives, and reads those given as files.

This runs inside the session's process. Only ``file:///`` URIs are opened; nothing is fetched.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.service.proto.compiler_gym_service_pb2 import Benchmark
from optarena.service.protocol.status import RpcError, StatusCode, invalid, not_found

_FILE: Final = "file:///"
_PIECE_BYTES: Final = 1 << 20


def resolved(benchmark: Benchmark, *, files: bool = True) -> Benchmark:
    """The benchmark with its program's contents in the message; unchanged if it needs no program at all.

    Args:
        benchmark: The benchmark from a request.
        files: Whether programs given as files of this machine are read.

    Raises:
        RpcError: INVALID_ARGUMENT for a missing URI, an empty or too large program, a path that is not a
            plain file or may not be read here, or a URI other than ``file:///``; NOT_FOUND for a missing
            file.
    """
    if not benchmark.uri:
        raise invalid("No benchmark URI set")
    if not benchmark.HasField("program"):
        return benchmark
    kind = benchmark.program.WhichOneof("data")
    if kind == "uri":
        contents = _read(benchmark.program.uri, files=files)
        resolved_benchmark = Benchmark()
        resolved_benchmark.CopyFrom(benchmark)
        resolved_benchmark.program.contents = contents
        return resolved_benchmark
    if kind is None or not benchmark.program.contents:
        raise invalid(f"No program set: the program of {benchmark.uri} has neither contents nor a file")
    _check_size(benchmark.uri, len(benchmark.program.contents))
    return benchmark


def names_a_file(benchmark: Benchmark) -> bool:
    """Whether a program is given as a file of the service's machine."""
    return benchmark.program.uri.startswith(_FILE)


def _read(uri: str, *, files: bool) -> bytes:
    if not uri.startswith(_FILE):
        raise invalid(f"Unsupported program URI {uri!r}: only {_FILE} is supported")
    if not files:
        raise invalid(
            f"Program {uri!r}: this service reads no files, because other machines can reach it or it runs "
            "untrusted programs. Send the program's contents instead, or start the service with "
            "--allow-files"
        )
    path = Path(unquote(uri[len(_FILE) - 1 :]))
    try:
        contents = _contents(path)
    except FileNotFoundError:
        raise not_found(f"File not found: {path}") from None
    except ValueError as error:
        raise invalid(f"Not a file: {str(path)!r}: {error}") from error
    except OSError as error:
        raise RpcError(StatusCode.PERMISSION_DENIED, f"Cannot read {path}: {error.strerror}") from error
    if not contents:
        raise invalid(f"No program set: {path} is empty")
    return contents


def _contents(path: Path) -> bytes:
    """The content of a file, up to one byte over the limit: some system files never end."""
    _check_plain(path, path.stat())  # opening anything but a plain file may have side effects
    with open(path, "rb", buffering=0, opener=_without_waiting) as file:  # for its opener
        _check_plain(path, os.fstat(file.fileno()))
        parts: list[bytes] = []
        missing = MAX_BENCHMARK_BYTES + 1
        while missing and (part := file.read(min(missing, _PIECE_BYTES))):
            parts.append(part)
            missing -= len(part)
    if not missing:
        raise invalid(f"Too large: {path} has more than the {MAX_BENCHMARK_BYTES} bytes that are allowed")
    return b"".join(parts)


def _check_plain(path: Path, info: os.stat_result) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise invalid(f"Not a file: {path}")
    _check_size(str(path), info.st_size)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file at once: a pipe would wait for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def _check_size(name: str, size: int) -> None:
    if size > MAX_BENCHMARK_BYTES:
        raise invalid(f"Too large: {name} has {size} bytes, at most {MAX_BENCHMARK_BYTES} are allowed")
