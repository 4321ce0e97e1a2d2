"""``optarena service``: what its names mean, and a service run by it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.cli.service import session_type_of
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import environment_spec
from tests.kit.processes import descendants

SCRIPT = Path(sys.executable).with_name("optarena")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["service", *arguments], env={"OPTARENA_DEBUG": None})


@pytest.fixture(autouse=True)
def search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back what the command may add to it."""
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize("name", ["llvm", "llvm-v0", "optarena/llvm-v0"])
def test_an_environment_is_named_by_slug_or_short(name: str) -> None:
    assert session_type_of(name) == environment_spec("llvm-v0").service


def test_a_session_type_is_named_by_module_or_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert session_type_of("package.module:Session") == "package.module:Session"
    assert str(tmp_path) in sys.path
    assert session_type_of("/a/file.py:Session") == "/a/file.py:Session"
    assert session_type_of("folder/file.py:Session") == f"{tmp_path}/folder/file.py:Session"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lvm", "There is no environment 'lvm'. Did you mean 'llvm'"),
        ("/bin/true", "is an executable. Start it itself: /bin/true --working_dir DIR."),
        ("localhost:4711", "is an endpoint. It is running already"),
        ("a b:c", "has an unknown form"),
    ],
)
def test_other_names_are_refused_with_a_remedy(name: str, message: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("llvm", "--port", "99999"), "--port 99999 is out of range"),
        (("llvm", "--unix", "x", "--port", "1"), "--unix and --port exclude each other"),
        (("no_such.module:Session",), "'no_such.module:Session' cannot be found"),
        (("llvm", "--token-file", "/nowhere/token"), "--token-file /nowhere/token cannot be read"),
    ],
)
def test_what_cannot_be_run_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = subprocess.run([SCRIPT, "service", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert message in line


def test_the_llvm_service_runs_until_it_is_told_to_end(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with subprocess.Popen(
        [SCRIPT, "service", "llvm", "--unix", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"listening on unix:{path}\n"
        with grpc.insecure_channel(f"unix:{path}") as channel:
            call = channel.unary_unary(
                "/compiler_gym.CompilerGymService/GetSpaces",
                request_serializer=pb.GetSpacesRequest.SerializeToString,
                response_deserializer=pb.GetSpacesReply.FromString,
            )
            names = [space.name for space in call(pb.GetSpacesRequest()).observation_space_list]
        assert "IrInstructionCount" in names
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == 0
    assert not path.exists()


@pytest.mark.parametrize("seconds", [0.05, 0.12, 0.17, 0.22, 0.27, 0.32, 0.4, 0.6])
def test_a_service_that_is_told_to_end_while_it_starts_leaves_no_process(seconds: float) -> None:
    """The parent of its sessions is started early, beside the rest."""
    command = [str(SCRIPT), "service", "llvm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(seconds)
        below = descendants(process.pid)
        process.terminate()
        _, said = process.communicate(timeout=10)  # the streams end with the last process that has them
    assert not said
    assert process.returncode in {0, -signal.SIGTERM}
    deadline = time.monotonic() + 10
    while left := {pid for pid in below if Path(f"/proc/{pid}").exists()}:
        assert time.monotonic() < deadline, left
        time.sleep(0.01)
