"""Tests of the baselines that a machine keeps: exact, bounded, and never in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

import optarena  # noqa: F401 # registers the environments
from optarena.env import episode
from optarena.env.episode import KnownBaselines
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.datasets import Benchmark

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


def test_a_kept_baseline_is_not_computed_again(
    cache: Path, env: Any, digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = whole_episode(env, digits)
    (path,) = [path for path in files(cache) if OZ in path.read_text()]
    content = json.loads(path.read_text())
    kept = contents(cache)
    assert {one["program"] for one in kept.values()} == {digits.sha256}
    first = kept["IrInstructionCountO0"]["value"]
    path.write_text(json.dumps({**content, "value": first - 2 * (first - content["value"])}))
    forget(monkeypatch)
    assert whole_episode(env, digits) == pytest.approx(computed / 2)


@pytest.mark.parametrize("broken", ["", "[]", '{"value": 1}', "[" * 100_000, '{"value": NaN}'])
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
def test_a_value_that_is_not_a_number_is_not_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    known = KnownBaselines(SPEC)
    known.put("a" * 64, OZ, 7.0)
    (path,) = files(cache)
    path.write_text(path.read_text().replace("7.0", value))
    forget(monkeypatch)
    assert known.get("a" * 64, OZ) is None


def test_another_version_another_program_or_another_compiler_has_none(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
for number in range(30):
    known.put(f"{number:064}", "IrInstructionCountOz", number)
"""


@pytest.mark.soak
def test_writers_do_not_disturb_each_other(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], env=dict(os.environ)) for _ in range(2)]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    forget(monkeypatch)
    known = KnownBaselines(SPEC)
    assert [known.get(f"{number:064}", OZ) for number in range(30)] == list(range(30))
    assert len(list(cache.iterdir())) == 30  # no part is left


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
