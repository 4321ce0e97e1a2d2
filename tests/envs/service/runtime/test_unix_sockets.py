"""The socket's file of a service: private, never put over another's, gone at the end."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from typing import TYPE_CHECKING, Any

import pytest

from optarena.errors import InvalidInput
from optarena.service import timeouts
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime import grpc_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from optarena.service.runtime.grpc_server import GrpcServer


@pytest.mark.parametrize("name", ["socket", "with space", "100%25 ?#", "ünï"])
def test_a_socket_is_private_and_goes_with_its_service(
    unstarted: Callable[[], GrpcServer], dial: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    path = tmp_path / "made" / name
    server = unstarted()
    assert server.bind_unix(path) == f"unix:{path}"
    server.start()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == [name]
    if name == "socket":
        assert dial(f"unix:{path}").GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"
        with pytest.raises(InvalidInput, match="is taken: a service listens there"):
            unstarted().bind_unix(path)
    server.stop(0)
    assert not path.exists()


def test_a_dead_services_socket_is_replaced(
    unstarted: Callable[[], GrpcServer], dial: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen()
    server = unstarted()
    server.bind_unix(path)
    server.start()
    assert dial(f"unix:{path}").GetVersion(pb.GetVersionRequest()).compiler_version == "fake 1.0"


def test_sockets_are_put_over_nothing_and_where_nobody_else_can_write(
    unstarted: Callable[[], GrpcServer], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InvalidInput, match="exists and is not a socket"):
        unstarted().bind_unix(tmp_path / "file")
    with pytest.raises(InvalidInput, match="longer than the 107 bytes"):
        unstarted().bind_unix(tmp_path / ("x" * 120))
    with pytest.raises(InvalidInput, match="cannot be made"):
        unstarted().bind_unix(tmp_path / "file" / "socket")
    tmp_path.chmod(0o777)
    with pytest.raises(InvalidInput, match="in a folder to which other users can write"):
        unstarted().bind_unix(tmp_path / "socket")
    tmp_path.chmod(0o700)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_that_another_service_has_put_there_stays(
    unstarted: Callable[[], GrpcServer], tmp_path: Path
) -> None:
    path = tmp_path / "socket"
    path.write_text("the next service's")
    grpc_server.remove(path, (0, 0))
    assert path.exists()
    grpc_server.remove(path, grpc_server.identity(path))
    assert not path.exists()


def test_a_folder_that_stays_locked_is_no_reason_to_hang(
    unstarted: Callable[[], GrpcServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "SOCKET_LOCK_SECONDS", 0.1)
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(InvalidInput, match="another process has locked"):
        unstarted().bind_unix(tmp_path / "socket")
    os.close(folder)
