"""Folders, logs and kept baselines: where they are, how they are bounded, never in the way."""

from __future__ import annotations

import json
import logging
import os
import pwd
import re
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

import optarena  # noqa: F401 # registers the environments
from optarena import logs, paths
from optarena.env import episode
from optarena.env.episode import KnownBaselines
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.datasets import Benchmark

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


def test_transient_files_go_with_their_environments(tmp_path: Path) -> None:
    root = tmp_path / "transient"
    variables = {**os.environ, "OPTARENA_TRANSIENT_CACHE": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", USES], env=variables, capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.stdout, ended.returncode) == ("killed\n", -9), ended.stderr
    left = root / "services"
    deadline = time.monotonic() + 20
    # The zygote sees the end of its client; what was in the client itself is removed by the next one.
    while len(folders := list(left.iterdir())) > 1:
        assert time.monotonic() < deadline, folders
        time.sleep(0.02)
    for folder in folders:
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


def test_a_user_without_a_home_is_told_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


OZ = "IrInstructionCountOz"
SPEC = environment_spec("optarena/llvm-v0")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path))
    forget(monkeypatch)
    return tmp_path / "baselines"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episode, "_remembered", {})
    monkeypatch.setattr(episode, "_written", 0)


@pytest.fixture
def env() -> Iterator[Any]:
    with gymnasium.make("optarena/llvm-v0", reward_space=None) as made:
        yield made.unwrapped


def whole_episode(env: Any, digits: Benchmark) -> float:
    env.reset(options={"benchmark": digits, "reward_space": OZ})
    return float(env.step(env.action_table.index("mem2reg"))[1])


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.json"))


def contents(cache: Path) -> dict[str, dict[str, Any]]:
    read = [json.loads(path.read_text()) for path in files(cache)]
    return {one["observation"]: one for one in read}


def test_a_baseline_is_kept_and_gives_the_same_reward(
    cache: Path, env: Any, digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = whole_episode(env, digits)
    kept = contents(cache)
    env.reset(options={"reward_space": None})
    assert kept[OZ]["value"] == env.observation[OZ]
    assert kept["IrInstructionCountO0"]["value"] == env.observation["IrInstructionCount"]
    assert {one["program"] for one in kept.values()} == {digits.sha256}
    assert whole_episode(env, digits) == computed
    forget(monkeypatch)
    assert whole_episode(env, digits) == computed


def test_a_kept_baseline_is_not_computed_again(
    cache: Path, env: Any, digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = whole_episode(env, digits)
    (path,) = [path for path in files(cache) if OZ in path.read_text()]
    content = json.loads(path.read_text())
    first = contents(cache)["IrInstructionCountO0"]["value"]
    path.write_text(json.dumps({**content, "value": first - 2 * (first - content["value"])}))
    forget(monkeypatch)
    assert whole_episode(env, digits) == pytest.approx(computed / 2)


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", "null", '{"value": 1}', "1", "[" * 100_000, "\x00", '{"value": NaN}']
)
def test_a_torn_file_is_written_again(
    cache: Path, env: Any, digits: Benchmark, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    computed = whole_episode(env, digits)
    right = {path: path.read_text() for path in files(cache)}
    for path in right:
        path.write_text(broken)
    forget(monkeypatch)
    assert whole_episode(env, digits) == computed
    assert {path: path.read_text() for path in files(cache)} == right


@pytest.mark.parametrize(
    "value", ["true", '"12"', "null", "1e999", "[1]", pytest.param("1" * 400, id="too large")]
)
def test_only_finite_numbers_are_used(cache: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    known = KnownBaselines(SPEC)
    known.put("a" * 64, OZ, 7.0)
    (path,) = files(cache)
    path.write_text(path.read_text().replace("7.0", value))
    forget(monkeypatch)
    assert known.get("a" * 64, OZ) is None


def test_another_version_program_or_compiler_has_none(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KnownBaselines(SPEC).put("a" * 64, OZ, 7.0)
    later = replace(SPEC, version=lambda: {"later": True})
    assert files(cache)
    assert KnownBaselines(SPEC).get("a" * 64, OZ) == 7.0
    assert KnownBaselines(later).get("a" * 64, OZ) is None
    assert KnownBaselines(SPEC).get("b" * 64, OZ) is None
    assert KnownBaselines(SPEC).get("a" * 64, "IrInstructionCountO3") is None
    monkeypatch.setenv("OPTARENA_LIBLLVM", "/another/libLLVM.so")
    assert KnownBaselines(SPEC).get("a" * 64, OZ) is None


def test_a_folder_that_cannot_be_written_is_not_used(cache: Path, env: Any, digits: Benchmark) -> None:
    cache.write_text("a file in its place")
    assert whole_episode(env, digits) == whole_episode(env, digits)
    assert cache.read_text() == "a file in its place"


WRITER = """
import sys
from optarena.env.episode import KnownBaselines
from optarena.specs import environment_spec
import optarena  # noqa: F401 # registers the environments
known = KnownBaselines(environment_spec("optarena/llvm-v0"))
for number in range(200):
    known.put(f"{number:064}", "IrInstructionCountOz", number)
"""


def test_writers_do_not_disturb_each_other(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], env=dict(os.environ)) for _ in range(3)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    forget(monkeypatch)
    known = KnownBaselines(SPEC)
    assert [known.get(f"{number:064}", OZ) for number in range(200)] == list(range(200))
    assert len(list(cache.iterdir())) == 200  # no part is left


def test_the_oldest_files_go_when_there_are_too_many(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episode, "MAX_FILES", 20)
    monkeypatch.setattr(episode, "_WRITES_PER_CHECK", 5)
    known = KnownBaselines(SPEC)
    for number in range(100):
        known.put(f"{number:064}", OZ, number)
        os.utime(max(files(cache), key=lambda path: path.stat().st_mtime_ns), ns=(number, number))
        assert len(files(cache)) <= 25
    forget(monkeypatch)
    assert known.get(f"{99:064}", OZ) == 99
    assert known.get(f"{0:064}", OZ) is None


def test_only_a_session_before_its_first_action_is_believed(cache: Path, env: Any, digits: Benchmark) -> None:
    env.reset(options={"benchmark": digits, "reward_space": None})
    env.step(0)
    _ = env.reward[OZ]
    assert not files(cache)


def test_confined_sessions_neither_give_nor_get_any(cache: Path, digits: Benchmark) -> None:
    KnownBaselines(SPEC).put(digits.sha256, OZ, 1.0)
    before = [path.read_text() for path in files(cache)]
    with gymnasium.make("optarena/llvm-v0", reward_space=OZ, sandbox=True) as made:
        confined = whole_episode(made.unwrapped, digits)
    assert [path.read_text() for path in files(cache)] == before
    for path in files(cache):
        path.unlink()
    with gymnasium.make("optarena/llvm-v0", reward_space=OZ, service="in-process") as made:
        assert whole_episode(made.unwrapped, digits) != confined  # it remembers what was put
