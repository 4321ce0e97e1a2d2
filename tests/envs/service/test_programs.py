"""Programs given as files: what is read of them, and that nothing endless is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from optarena.limits import MAX_BENCHMARK_BYTES
from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, File
from optarena.service.protocol.messages import names_a_file, resolve_program
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from pathlib import Path


def given(path: object) -> Benchmark:
    return Benchmark(uri="benchmark://numbers-v0/file", program=File(uri=f"file://{path}"))


def refused(path: object, code: StatusCode, message: str) -> None:
    with pytest.raises(RpcError, match=message) as caught:
        resolve_program(given(path))
    assert caught.value.code is code


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a b"
    path.write_bytes(bytes(MAX_BENCHMARK_BYTES))
    assert len(resolve_program(given(f"{tmp_path}/a%20b")).program.contents) == MAX_BENCHMARK_BYTES
    path.write_bytes(bytes(MAX_BENCHMARK_BYTES + 1))
    refused(path, StatusCode.INVALID_ARGUMENT, "Too large")


def test_a_file_that_hides_its_size_is_read_up_to_the_limit_too() -> None:
    assert resolve_program(given("/proc/self/stat")).program.contents.startswith(str(os.getpid()).encode())
    with pytest.raises(RpcError):  # it has 256 GiB, and its size is told to be 0
        resolve_program(given("/proc/self/pagemap"))


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        refused(path, StatusCode.INVALID_ARGUMENT, "Not a file")
    refused("/nowhere%00", StatusCode.INVALID_ARGUMENT, "Not a file")
    refused("/nowhere", StatusCode.NOT_FOUND, "File not found")


def test_a_file_is_told_from_contents() -> None:
    assert names_a_file(given("/x"))
    assert not names_a_file(Benchmark(uri="file:///x", program=File(contents=b"file:///x")))
    assert not names_a_file(Benchmark(uri="file:///x"))
