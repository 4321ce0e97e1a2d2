"""Sessions whose folder somebody has removed while they run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_compiler import OBSERVATIONS, action

from optarena.errors import InvalidInput
from optarena.service.client import zygote as zygote_module
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION_TYPE = "fake_compiler:FakeSession"


def start(connection: ManagedConnection, benchmark: pb.Benchmark) -> int:
    return connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id


def history(connection: ManagedConnection, session: int) -> list[int]:
    request = pb.StepRequest(session_id=session, observation_space=[OBSERVATIONS.index("history")])
    return list(connection.step(request).observation[0].int64_tensor.value)


def write_file(connection: ManagedConnection, session: int) -> str:
    """Has the session write a file into its folder; the names of those that are there."""
    wanted = [OBSERVATIONS.index("files")]
    request = pb.StepRequest(session_id=session, action=[action("write-file")], observation_space=wanted)
    return connection.step(request).observation[0].string_value


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_a_session_whose_folder_somebody_has_removed_is_copied(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark, levels: int
) -> None:
    connection = open_connection()
    session = start(connection, benchmark)
    write_file(connection, session)
    removed = [Path(connection.worker.zygote.directory) / str(connection.worker.pid)]
    removed.extend(removed[0].parents)
    shutil.rmtree(removed[levels])
    copy, copied = connection.fork(session)
    with copy:
        assert history(copy, copied) == history(connection, session)
        for one, number in ((connection, session), (copy, copied)):
            assert write_file(one, number) == "file1"


def test_a_session_stays_usable_where_the_folder_of_its_copy_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, benchmark: pb.Benchmark
) -> None:
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(tmp_path / "transient"))
    monkeypatch.setattr(zygote_module, "_shared", {})  # for a zygote that has its folder there
    with ManagedConnection.open(SESSION_TYPE) as connection:
        session, zygote = start(connection, benchmark), connection.worker.zygote
        services = tmp_path / "transient/services"
        shutil.rmtree(services)
        services.touch()
        with pytest.raises(InvalidInput, match="was removed and cannot be created again") as caught:
            connection.fork(session)
        for part in (zygote.directory, "$OPTARENA_TRANSIENT_CACHE", str(tmp_path)):
            assert part in str(caught.value)
        assert history(connection, session) == [5, 6, 7]
        services.unlink()
        connection.fork(session)[0].close()
    zygote.close()
