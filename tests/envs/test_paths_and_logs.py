"""Folders and logging follow their environment variables."""

from __future__ import annotations

import logging
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
    import logging, optarena, os, sys
    from optarena import logs
    for level in "01234":
        os.environ["OPTARENA_DEBUG"] = level
        logs.configure()
        for name in ("error", "warning", "info", "debug"):
            getattr(logging.getLogger("optarena.x"), name)(level + name)
    """
    names = ["error", "warning", "info", "debug"]
    shown = [f"{level}{name}" for level in range(5) for name in names[:level]]
    assert [line.split(": ")[1] for line in run(code).splitlines()] == shown


def test_configuring_twice_doubles_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger(logs.LOGGER_NAME)
    before = (list(logger.handlers), logger.level)
    try:
        monkeypatch.setenv(logs.VARIABLE, "3")
        logs.configure()
        count = len(logger.handlers)
        logs.configure()
        assert len(logger.handlers) == count
    finally:
        logger.handlers, _ = list(before[0]), logger.setLevel(before[1])


def run(code: str, *, level: str = "0", service: Path | None = None) -> str:
    """Standard error of a Python program, which must print nothing and show no warning."""
    environment = {**os.environ, "OPTARENA_DEBUG": level, "PYTHONPATH": str(PLUGINS)}
    command = [sys.executable, "-W", "default", "-c", textwrap.dedent(code), str(service)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    return result.stderr


def test_a_change_of_the_variable_holds_for_environments_that_are_made_after_it() -> None:
    change = 'os.environ["OPTARENA_DEBUG"] = "{}"; sys.stderr.write("then\\n"); episode()\n'
    said = run("import sys\n" + EPISODE + "".join(change.format(level) for level in (0, 4, 3, 0)))
    _, before, calls, events, after = said.split("then\n")
    assert (before, after) == ("", "")
    assert "ForkSession to process" in calls
    assert "a session of optarena.llvm.session:LlvmSession" in events
    assert " D " not in events


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


def test_level_4_shows_every_call_with_its_duration_from_both_sides() -> None:
    said = run(EPISODE + "episode()", level="4")
    ours = re.findall(
        r"D optarena.service.client.connection\[(\d+)\]: (\w+) to process (\d+): [0-9.]+ ms", said
    )
    theirs = re.findall(r"D optarena.service.session_process.session_main\[(\d+)\]: (\w+): [0-9.]+ ms", said)
    forked = [call for call in ours if call[1] == "ForkSession"]
    assert len(forked) == 1
    answered = [(call, process) for _, call, process in ours if call != "ForkSession"]
    assert {"StartSession", "Step"} <= {call for call, _ in answered}
    assert sorted(answered) == sorted((call, process) for process, call in theirs)
    assert len({owner for owner, _, _ in ours}) == 1


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
