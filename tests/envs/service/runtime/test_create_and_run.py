"""A service written as a script, started as a foreign client starts it: handshake, arguments, ends."""

from __future__ import annotations

import math
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import OBSERVATIONS, action

from optarena.errors import InvalidInput
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.create_and_run import ServeOptions, parse_arguments
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    Launch = Callable[..., "Script"]
    Ends = Callable[[int], bool]
    Dial = Callable[..., Any]


PROGRAM = pb.Benchmark(uri="benchmark://numbers-v0/three", program=pb.File(contents=bytes([5, 6, 7])))
SCRIPT = """
from dataclasses import dataclass
import fake_compiler
from optarena.service.runtime import create_and_run_compiler_gym_service
import neighbour

@dataclass
class Note:
    text: "str" = neighbour.VERSION

class ScriptSession(fake_compiler.FakeSession):
    compiler_version = Note().text

if __name__ == "__main__":
    create_and_run_compiler_gym_service(ScriptSession)
"""


class Script:
    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.folder = folder

    @property
    def endpoint(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        return line.removeprefix("listening on ").strip()

    @property
    def port(self) -> int:
        deadline = time.monotonic() + 30
        while not (self.folder / "port.txt").exists():
            assert self.process.poll() is None, self.errors()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return int((self.folder / "port.txt").read_text())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)

    def errors(self) -> str:
        return self.process.communicate(timeout=30)[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_service.py").write_text(SCRIPT)
    (tmp_path / "neighbour.py").write_text("VERSION = 'script 1.0'\n")
    return tmp_path


@pytest.fixture
def launch(folder: Path) -> Iterator[Launch]:
    """Starts the script from a working directory that is not its own; it is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str, script: str = "my_service.py", **variables: str) -> Script:
        process = subprocess.Popen(
            [sys.executable, str(folder / script), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": str(PLUGINS), **variables},
        )
        started.append(process)
        return Script(process, folder)

    yield run
    for process in started:
        process.kill()
        process.communicate()


def start(client: Any) -> int:
    return int(client.StartSession(pb.StartSessionRequest(benchmark=PROGRAM)).session_id)


def observe(client: Any, session: int, see: str = "length", *names: str) -> int:
    request = pb.StepRequest(
        session_id=session,
        action=[action(name) for name in names],
        observation_space=[OBSERVATIONS.index(see)],
    )
    return int(client.Step(request).observation[0].int64_value)


def test_a_foreign_client_starts_it_and_ends_it(launch: Launch, dial: Dial, folder: Path, ends: Ends) -> None:
    script = launch(f"--working_dir={folder}", "-v=0", "--alsologtostderr", "--logbuflevel=-1")
    client = dial(f"localhost:{script.port}")
    assert (folder / "pid.txt").read_text() == str(script.process.pid)
    assert client.GetVersion(pb.GetVersionRequest()).compiler_version == "script 1.0"
    sessions = [start(client) for _ in range(3)]
    pids = [observe(client, session, "pid") for session in sessions]
    assert script.stop() == 0
    assert script.errors() == ""
    assert all(ends(pid) for pid in pids)
    assert {path.name for path in folder.iterdir()} == {"my_service.py", "neighbour.py", "__pycache__"}


def test_ctrl_c_while_sessions_work_gives_them_a_moment(launch: Launch, dial: Dial, ends: Ends) -> None:
    script = launch("--grace-seconds=0.3")
    endpoint = script.endpoint
    path = Path(endpoint.removeprefix("unix:"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    client = dial(endpoint)
    session = start(client)
    pid = observe(client, session, "pid")
    request = pb.StepRequest(session_id=session, action=[action("sleep")])
    working = client.Step.future(request)
    start(client)  # the service has long begun with the step when this is answered
    assert script.stop(signal.SIGINT) == 0
    assert working.exception(30) is not None
    assert script.errors() == ""
    assert ends(pid)
    assert not path.parent.exists()


@pytest.mark.soak
def test_a_session_of_the_services_own_process_does_not_keep_it(launch: Launch, dial: Dial) -> None:
    script = launch("--grace-seconds=0", "--in-process")
    client = dial(script.endpoint)
    working = client.Step.future(pb.StepRequest(session_id=start(client), action=[action("sleep")]))
    start(client)
    assert script.stop() == 0
    assert working.exception(30) is not None


@pytest.mark.soak
def test_a_second_signal_ends_it_at_once(launch: Launch, dial: Dial, folder: Path, ends: Ends) -> None:
    script = launch(f"--working_dir={folder}", "--grace-seconds=600")
    client = dial(script.endpoint)
    session = start(client)
    pid = observe(client, session, "pid")
    client.Step.future(pb.StepRequest(session_id=session, action=[action("sleep")]))
    start(client)
    script.process.send_signal(signal.SIGTERM)
    while (folder / "port.txt").exists():
        time.sleep(0.01)
    assert script.stop() == 128 + signal.SIGTERM
    assert ends(pid)


def test_a_killed_service_leaves_no_process_and_its_socket_is_replaced(
    launch: Launch, dial: Dial, tmp_path: Path, children: Callable[[int], list[int]], ends: Ends
) -> None:
    path = tmp_path / "private" / "socket"
    script = launch("--unix", str(path))
    client = dial(script.endpoint)
    pids = [observe(client, start(client), "pid") for _ in range(2)]
    pids += children(script.process.pid)
    assert script.stop(signal.SIGKILL) == -signal.SIGKILL
    assert all(ends(pid) for pid in pids)
    assert path.exists()
    again = launch("--unix", str(path))
    assert again.endpoint == f"unix:{path}"
    assert again.stop() == 0
    assert not path.exists()


def test_beyond_loopback_files_are_refused_and_a_missing_token_warned_about(
    launch: Launch, dial: Dial, folder: Path
) -> None:
    script = launch(f"--working_dir={folder}", "--bind", "0.0.0.0")  # noqa: S104 # what is tested
    client = dial(f"127.0.0.1:{script.port}")
    benchmark = pb.Benchmark(uri=PROGRAM.uri, program=pb.File(uri=f"file://{folder}/neighbour.py"))
    request = pb.StartSessionRequest(benchmark=benchmark)
    with pytest.raises(grpc.RpcError, match="--allow-files") as caught:
        client.StartSession(request)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert start(client)
    assert script.stop() == 0
    (line,) = script.errors().splitlines()
    assert line.startswith("warning: other machines can reach 0.0.0.0:")
    assert TOKEN_VARIABLE in line


def test_the_token_of_a_file_is_asked_for(launch: Launch, dial: Dial, folder: Path) -> None:
    (folder / "token").write_text("secret-1\n")
    script = launch(f"--token-file={folder}/token", "--port=0", "--in-process")
    client = dial(script.endpoint)
    with pytest.raises(grpc.RpcError) as caught:
        start(client)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    headers = (("authorization", "Bearer secret-1"),)
    reply = client.GetVersion(pb.GetVersionRequest(), metadata=headers)
    assert reply.compiler_version == "script 1.0"
    request = pb.StartSessionRequest(benchmark=PROGRAM, observation_space=[OBSERVATIONS.index("pid")])
    (seen,) = client.StartSession(request, metadata=headers).observation
    assert seen.int64_value == script.process.pid
    assert script.stop() == 0


def test_a_script_without_a_guard_is_told_so(launch: Launch, folder: Path) -> None:
    (folder / "bare.py").write_text(SCRIPT.replace('if __name__ == "__main__":', "if True:"))
    script = launch(script="bare.py")
    assert script.process.wait(30) == 2
    (line,) = script.errors().splitlines()
    assert line.startswith("bare.py: error: ")
    assert 'below: if __name__ == "__main__":' in line


BAD = {
    "--port=x": "invalid int value: 'x'",
    "--port=65536": "--port 65536 is out of range. Allowed are numbers 0 to 65535.",
    "--port=-1": "--port -1 is out of range",
    "--bind=example.org": "--bind 'example.org' is not an address",
    "--unix=/tmp/x --port=1": "--unix and --port exclude each other",
    "--unix=/tmp/x --bind=::1": "--unix and --bind exclude each other",
    "--max-sessions=0": "--max-sessions 0 is out of range",
    "--idle-seconds=0": "--idle-seconds 0.0 is out of range",
    "--idle-seconds=nan": "--idle-seconds nan is out of range",
    "--max-message-bytes=99999999999": "--max-message-bytes 99999999999 is out of range",
    "--in-process --sandbox": "--in-process and --sandbox exclude each other",
    "--in-process --idle-seconds=3": "--in-process and --idle-seconds exclude each other",
    "--work=DIR": "unrecognized arguments: --work=DIR",
    "rest": "unrecognized arguments: rest",
    "-v": "expected one argument",
}


@pytest.mark.parametrize("arguments", BAD)
def test_bad_arguments_are_one_line_and_two(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse_arguments(arguments.split())
    assert caught.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert BAD[arguments] in line


def test_importing_the_package_loads_neither_grpc_nor_numpy() -> None:
    # As in a zygote: there the package's own __init__, which makes gymnasium's environments, does not run.
    code = (
        "import sys, importlib.util as u, pathlib;"
        "folder = pathlib.Path(u.find_spec('optarena').submodule_search_locations[0]);"
        "spec = u.spec_from_file_location('boot', folder / 'service/session_process/zygote_boot.py');"
        "boot = u.module_from_spec(spec); spec.loader.exec_module(boot);"
        "boot.install_bare_package(str(folder));"
        "import optarena.service.runtime, optarena.service.session_process.session_types;"
        "optarena.service.runtime.create_and_run_compiler_gym_service;"
        "heavy = {'grpc', 'numpy', 'gymnasium', 'argparse'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    modules = "optarena, optarena.service.runtime, optarena.service.client.executable"
    code = f"import sys, {modules}, optarena.service.client.in_process; sys.exit('grpc' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_arguments_may_be_given_in_both_forms(tmp_path: Path) -> None:
    for arguments in (["--working_dir", str(tmp_path), "-v", "2"], [f"--working_dir={tmp_path}", "--v=2"]):
        options = parse_arguments(arguments)
        assert (options.working_dir, options.verbosity, options.transport) == (tmp_path, 2, "tcp")
    assert parse_arguments([]).transport == "private"
    assert parse_arguments(["--unix", "x"]).transport == "unix"
    assert not parse_arguments(["--bind=localhost"]).is_public
    assert not parse_arguments(["--bind=[::1]"]).is_public
    assert parse_arguments(["--bind=::"]).is_public


@pytest.mark.parametrize(
    ("text", "message"), [("", "is empty"), ("two words", "spaces"), (None, "No such file")]
)
def test_a_token_file_must_hold_a_token(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "token"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InvalidInput, match=message):
        ServeOptions(token_file=path).token()


def test_the_variable_holds_the_token_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, " secret-2 ")
    assert ServeOptions().token() == "secret-2"
    monkeypatch.delenv(TOKEN_VARIABLE)
    assert ServeOptions().token() == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grace_seconds": math.inf}, "--grace-seconds inf is out of range.*0 to 3600"),
        ({"grace_seconds": math.nan}, "--grace-seconds nan is out of range"),
        ({"grace_seconds": -1.0}, "--grace-seconds -1.0 is out of range"),
        ({"idle_seconds": 1e300}, r"--idle-seconds 1e\+300 is out of range"),
        ({"unix": Path()}, "--unix '.' does not name a file"),
        ({"unix": Path("/")}, "--unix '/' does not name a file"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_starts(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ServeOptions(**given)
