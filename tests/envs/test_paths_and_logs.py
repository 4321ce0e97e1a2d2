"""Folders and logging follow their environment variables; caches can be deleted when nothing runs."""

from __future__ import annotations

import json
import os
import pwd
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from optarena import logs, paths
from optarena.errors import InvalidInput
from tests.kit.folders import PLUGINS
from tests.kit.processes import wait_until

TESTS = Path(__file__).parent
EPISODE = f"""
import os
import gymnasium, optarena
from optarena import logs

def episode():
    with gymnasium.make("optarena/llvm-ic-v0", benchmark="file://{TESTS / "data/digits.ll"}") as env:
        env.reset(seed=0)
        env.step(0)
        with env.unwrapped.fork() as twin:
            twin.multistep([1, 2])
"""
FAKE = """
import sys
from optarena.datasets import Benchmark
from optarena.env import CompilerEnv
from optarena.specs import EnvironmentSpec, Metric, NamedActions
from fake_compiler import ACTIONS

SPEC = EnvironmentSpec(
    slug="fake-v0", title="", service="fake_compiler:FakeSession", digest_observation="files", dataset="",
    action_table=NamedActions("all", ACTIONS, "fake"),
    metrics=(Metric(name="length", title="", unit="", observation="length"),),
)
NUMBERS = Benchmark.from_bytes("benchmark://numbers-v0/three", bytes([5, 6, 7]))
"""
SERVICE = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(PLUGINS)!r})
from fake_compiler import FakeSession
from optarena.service.runtime import create_and_run_compiler_gym_service

create_and_run_compiler_gym_service(FakeSession)
"""

VARIABLES = {
    "OPTARENA_SITE_DATA": paths.site_data,
    "OPTARENA_CACHE": paths.cache,
    "OPTARENA_TRANSIENT_CACHE": paths.transient_cache,
    "OPTARENA_LOGS": paths.logs,
}


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_variable_moves_the_folder(variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "x"))
    assert VARIABLES[variable]() == tmp_path / "x"
    assert not (tmp_path / "x").exists()


def test_defaults_lie_below_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.site_data() == tmp_path / ".local/share/optarena"
    assert paths.cache() == tmp_path / ".local/cache/optarena"
    assert paths.logs() == tmp_path / "logs/optarena"
    assert paths.transient_cache().name.startswith("optarena_")


def test_a_tilde_and_an_empty_value_are_understood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OPTARENA_CACHE", "~/elsewhere")
    assert paths.cache() == tmp_path / "elsewhere"
    monkeypatch.setenv("OPTARENA_CACHE", "")
    assert paths.cache() == tmp_path / ".local/cache/optarena"


def test_a_user_without_a_home_folder_is_told_which_variable_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPTARENA_CACHE", "~nobody-of-this-name/x")
    with pytest.raises(
        InvalidInput, match=r"^\$OPTARENA_CACHE is ~nobody-of-this-name/x, .* Set it to the whole"
    ):
        paths.cache()
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path))
    assert paths.cache() == tmp_path
    monkeypatch.delenv("OPTARENA_CACHE")
    with pytest.raises(InvalidInput, match=r"^\$OPTARENA_CACHE is not set, so its folder is ~/\.local/cache"):
        paths.cache()


@pytest.mark.parametrize(("text", "level"), [("", 0), ("0", 0), ("3", 3), ("99", 4), ("x", 0), ("-1", 0)])
def test_the_debug_level_is_read(text: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.VARIABLE, text)
    assert logs.debug_level() == level


def test_each_level_shows_one_more_kind_of_message() -> None:
    code = """
    import logging, os, sys, optarena
    from optarena import logs
    for level in range(5):
        os.environ[logs.VARIABLE] = str(level)
        logs.configure()
        logs.configure()  # twice doubles no message
        for name in ("error", "warning", "info", "debug"):
            getattr(logging.getLogger("optarena.x"), name)(name)
        sys.stderr.write("end\\n")
    """
    kinds = ["error", "warning", "info", "debug"]
    said = [part.splitlines() for part in run(code).split("end\n")]
    assert [[line.split(": ")[1] for line in lines] for lines in said] == [
        *(kinds[:level] for level in range(5)),
        [],
    ]


def run(code: str, *, level: str = "0", service: Path | None = None) -> str:
    """Standard error of a Python program, which must print nothing and show no warning."""
    environment = {**os.environ, "OPTARENA_DEBUG": level, "PYTHONPATH": str(PLUGINS)}
    command = [sys.executable, "-W", "default", "-c", textwrap.dedent(code), str(service)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    return result.stderr


def test_a_normal_episode_is_silent_and_the_level_can_be_changed_while_processes_run() -> None:
    change = 'os.environ["OPTARENA_DEBUG"] = "{}"; logs.configure(); episode()\n'
    mark = 'import sys; sys.stderr.write("then\\n")\n'
    said = run(EPISODE + "episode()\n" + "".join(mark + change.format(level) for level in (4, 3, 0)))
    before, calls, events, after = said.split("then\n")
    assert (before, after) == ("", "")
    assert "a session of optarena.llvm.session:LlvmSession" in events
    assert " D " not in events
    # Each call is told with its duration from both sides, though zygotes have run since before.
    ours = re.findall(
        r"D optarena.service.client.connection\[(\d+)\]: (\w+) to process (\d+): [0-9.]+ ms", calls
    )
    assert re.search(r"Step to process \d+: [0-9.]+ ms, actions \[[\d, ]*\], observations \[[\d, ]+\]", calls)
    theirs = re.findall(r"D optarena.service.session_process.session_main\[(\d+)\]: (\w+): [0-9.]+ ms", calls)
    forked = [call for call in ours if call[1] == "ForkSession"]
    assert len(forked) == 1
    answered = [(call, process) for _, call, process in ours if call != "ForkSession"]
    assert {"StartSession", "Step"} <= {call for call, _ in answered}
    assert sorted(answered) == sorted((call, process) for process, call in theirs)
    assert len({owner for owner, _, _ in ours}) == 1


@pytest.mark.soak
def test_what_a_program_has_configured_stays_while_the_variable_does() -> None:
    code = """
    logs.configure(at_least=3)
    episode()
    assert logs.level() == 3
    os.environ["OPTARENA_DEBUG"] = "1"
    episode()
    assert logs.level() == 3
    logs.configure()
    assert logs.level() == 1
    """
    assert "a session of optarena.llvm.session:LlvmSession" in run(EPISODE + textwrap.dedent(code))


def test_level_1_shows_once_what_a_dying_compiler_wrote() -> None:
    code = """
    with CompilerEnv(SPEC, benchmark=NUMBERS) as env:
        env.reset()
        assert env.step(ACTIONS.index("abort"))[2]
    """
    said = run(FAKE + textwrap.dedent(code), level="1")
    assert said.count("LLVM ERROR: this pass is not what it was") == 2  # the reason, and the output itself
    assert " E optarena.service.client.connection[" in said
    assert " I " not in said


@pytest.mark.soak
def test_a_started_executable_has_the_level_too(tmp_path: Path) -> None:
    script = tmp_path / "service"
    script.write_text(SERVICE)
    script.chmod(0o755)
    code = """
    with CompilerEnv(SPEC, benchmark=NUMBERS, service=sys.argv[1]) as env:
        env.reset()
        env.step(ACTIONS.index("append"))
    """
    said = run(FAKE + textwrap.dedent(code), level="4", service=script)
    assert re.search(r"grpc_connection\[\d+\]: Step to 127.0.0.1:\d+: [0-9.]+ ms", said)
    processes = set(re.findall(r" [DI] optarena[.\w]*\[(\d+)\]", said))
    assert len(processes) >= 2, said


USES = """
import os, shutil, signal, sys
from pathlib import Path
import gymnasium
import optarena

root = Path(os.environ["OPTARENA_TRANSIENT_CACHE"])

def made(**arguments):
    env = gymnasium.make("optarena/llvm-v0", **arguments).unwrapped
    env.reset()
    file = Path(env.observation["BitcodeFile"])
    assert root in file.parents and file.is_file(), file
    return env

for arguments in ({}, {"service": "in-process"}):
    env = made(**arguments)
    env.reset()
    env.fork().close()
    env.close()
    assert not list(root.iterdir()), list(root.rglob("*"))
    shutil.rmtree(root)  # nothing runs
env, other = made(), made(service="in-process")
env.reset()
print("killed", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.soak
def test_transient_files_go_with_their_environments(tmp_path: Path) -> None:
    root = tmp_path / "transient"
    variables = {**os.environ, "OPTARENA_TRANSIENT_CACHE": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", USES], env=variables, capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.stdout, ended.returncode) == ("killed\n", -9), ended.stderr
    left = root / "services"
    # The zygote sees the end of its client; what was in the client itself is removed by the next one.
    wait_until(lambda: len(list(left.iterdir())) <= 1)
    for folder in left.iterdir():
        os.utime(folder, (0, 0))
    again = USES.partition("for arguments")[0] + "made().close()\n"
    subprocess.run([sys.executable, "-c", again], env=variables, check=True, timeout=120)
    assert not list(root.iterdir())


@pytest.mark.soak
def test_results_of_searches_go_to_the_logs_folder(tmp_path: Path) -> None:
    variables = {**os.environ, "OPTARENA_LOGS": str(tmp_path / "logs")}
    command = [sys.executable, "-m", "optarena", "search", "random", "--evaluations", "1"]
    command += ["--benchmark", "kernels-v0/quicksort"]
    subprocess.run(command, env=variables, check=True, capture_output=True, timeout=120, cwd=tmp_path)
    results, record = sorted((tmp_path / "logs").iterdir())
    assert "benchmark://kernels-v0/quicksort" in results.read_text()
    assert json.loads(record.read_text())["evaluations"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
