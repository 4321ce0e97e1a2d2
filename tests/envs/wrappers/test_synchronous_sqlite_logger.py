"""The database of steps: what is in it, many writers, and files that cannot be used."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from gymnasium.error import ResetNeeded

from optarena.datasets import Benchmark
from optarena.errors import DeviceUnavailable, InvalidAction, InvalidInput, OptArenaError, UnknownName
from optarena.llvm.actions import CURATED
from optarena.wrappers import CommandlineWithTerminalAction, ForkOnStep, SynchronousSqliteLogger, TimeLimit
from optarena.wrappers.logging import Database, json_text, sql_value

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.env import CompilerEnv

PROGRAM = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
MEM2REG, GVN, SIMPLIFYCFG = map(CURATED.index, ("mem2reg", "gvn", "simplifycfg"))


def query(path: Path, statement: str, *values: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement, values).fetchall()


def test_an_episode_can_be_read_back(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with SynchronousSqliteLogger(env, path, ["IrInstructionCount", "Autophase", "Bitcode"]) as logged:
        assert logged.episode == ""
        logged.reset()
        rewards = [logged.step(MEM2REG)[1], logged.multistep([SIMPLIFYCFG, GVN])[1], logged.step(GVN)[1]]
        with pytest.raises(InvalidAction):
            logged.step(-1)
        digest = logged.observation["IrSha1"]
        features = logged.observation["Autophase"].tolist()
        bitcode = logged.observation["Bitcode"]
        assert query(path, "SELECT count(*) FROM Steps") == [(0,)]  # not written yet
    assert sorted(one.name for one in tmp_path.iterdir()) == ["log.db"]
    [(episode, parent, environment, benchmark, reward_space)] = query(
        path, "SELECT episode, parent, environment, benchmark, reward_space FROM Episodes"
    )
    assert (episode, parent) == (logged.episode, None)
    assert (environment, benchmark) == ("optarena/llvm-v0", env.benchmark.uri)
    assert reward_space == "IrInstructionCount"
    steps = query(path, "SELECT step, actions, reward, terminated, truncated, error_type FROM Steps")
    actions = [[], [MEM2REG], [SIMPLIFYCFG, GVN], [GVN]]
    assert [json.loads(step[1]) for step in steps] == actions
    assert [step[2] for step in steps] == [None, *rewards]
    assert {step[3:] for step in steps} == {(0, 0, None)}
    final = "SELECT name, value FROM Observations JOIN Steps USING (state) WHERE step = 3"
    values = dict(query(path, final))
    assert json.loads(values["Autophase"]) == features
    assert values["Bitcode"] == bitcode
    assert values["IrInstructionCount"] == features[51]
    reached = "SELECT state, commandline FROM States JOIN Steps USING (state) WHERE step = 2"
    assert query(path, reached) == [(digest, CURATED.commandline([MEM2REG, SIMPLIFYCFG, GVN]))]


def test_failures_and_ends_are_logged(sorter: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    ended = CommandlineWithTerminalAction(sorter)
    with SynchronousSqliteLogger(ended, path, flush_every=1) as logged:
        logged.reset()
        logged.multistep([0, ended.terminal_action])
        assert query(path, "SELECT terminated FROM Steps") == [(0,), (1,)]
        logged.reset()
        logged.unwrapped._episode.session.close()
        logged.step(0)
    [(state, kind, details)] = query(
        path, "SELECT state, error_type, error_details FROM Steps WHERE error_type IS NOT NULL"
    )
    assert state is None
    assert kind
    assert details


def test_what_cannot_be_observed_at_first_is_logged_and_looked_at_again(
    env: CompilerEnv, digits: Benchmark, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    with SynchronousSqliteLogger(env, path, ["Runtime"]) as logged:
        logged.reset(options={"benchmark": digits})
        cannot_run = Benchmark.from_bytes("benchmark://tests-v0/bare", PROGRAM)
        for act in (lambda: logged.reset(options={"benchmark": cannot_run}), lambda: logged.step(0)):
            with pytest.raises(InvalidInput, match="has no workloads"):
                act()
    rows = query(
        path, "SELECT step, state IS NULL, error_details IS NULL FROM Steps WHERE episode = ?", logged.episode
    )
    assert rows == [(0, 1, 0), (1, 1, 0)]


def test_actions_whose_values_cannot_be_had_now_are_logged_and_counted(
    env: CompilerEnv, digits: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise DeviceUnavailable("Others measure.")

    monkeypatch.setattr("optarena.llvm.timing.read", refuse)
    path = tmp_path / "log.db"
    logged = SynchronousSqliteLogger(TimeLimit(env, 2), path)
    logged.reset(options={"benchmark": digits})
    for action in (MEM2REG, GVN):
        with pytest.raises(DeviceUnavailable):
            logged.step(action, observation_spaces=["Runtime"])
    with pytest.raises(ResetNeeded, match="2 actions allowed"):
        logged.step(GVN)
    logged.flush()
    with SynchronousSqliteLogger(env, path, ["Runtime"]) as measured, pytest.raises(DeviceUnavailable):
        measured.reset()
    told = query(
        path, "SELECT actions, state IS NULL, error_type, error_details FROM Steps WHERE error_type <> ''"
    )
    error = ("service", "Others measure.")
    assert sorted(told) == sorted([(f"[{MEM2REG}]", 0, *error), (f"[{GVN}]", 0, *error), ("[]", 1, *error)])


def test_a_state_that_no_command_line_leads_to_has_observations_alone(
    env: CompilerEnv, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    with SynchronousSqliteLogger(env, path, ["IrInstructionCount"]) as logged:
        logged.reset()
        logged.parameter("llvm.apply_baseline_optimizations", "-Oz", keep=True)
        logged.reset()
        rewards = [logged.step(action)[1] for action in (MEM2REG, CURATED.index("licm"))]
    rows = query(path, "SELECT reward, error_type FROM Steps WHERE episode = ?", logged.episode)
    assert rows == [(reward, None) for reward in (None, *rewards)]
    assert query(path, "SELECT count(*), count(States.state) FROM Steps LEFT JOIN States USING (state)") == [
        (4, 1)
    ]
    assert query(
        path, "SELECT count(*) FROM Steps LEFT JOIN Observations USING (state) WHERE value IS NULL"
    ) == [(0,)]


def test_forks_are_episodes_that_name_their_parents(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with SynchronousSqliteLogger(env, path) as logged:
        logged.reset()
        logged.step(MEM2REG)
        assert len(logged.peek([GVN, SIMPLIFYCFG])) == 2  # nothing of it is logged
        with logged.fork() as fork, logged.fork():  # the second does nothing and leaves nothing
            fork.step(GVN)
            assert fork.episode != logged.episode
        logged.step(GVN)
    assert query(path, "SELECT parent, parent_step FROM Episodes WHERE parent IS NOT NULL") == [
        (logged.episode, 1)
    ]
    assert query(path, "SELECT step FROM Steps WHERE episode = ?", fork.episode) == [(2,)]
    assert query(path, "SELECT count(*) FROM States") == [(3,)]


def test_what_was_undone_is_kept_as_a_branch(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with ForkOnStep(SynchronousSqliteLogger(env, path)) as undoable:
        undoable.reset()
        undoable.step(MEM2REG)
        undoable.undo()
        undoable.step(GVN)
    steps = query(path, "SELECT actions FROM Steps JOIN Episodes USING (episode) ORDER BY started")
    assert sorted(json.loads(actions) for (actions,) in steps) == sorted([[], [MEM2REG], [GVN]])


def _write(path: Path, number: int) -> None:
    for at in range(10):
        state = {"environment": "e", "state": f"{at}", "benchmark": "b", "commandline": "c"}
        observed = {"environment": "e", "state": f"{number}", "name": f"{at}", "value": at}
        Database(path, [("States", state), ("States", state), ("Observations", observed)]).write()


def test_many_processes_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    Database(path).prepare()
    context = multiprocessing.get_context("fork")  # no other thread of this process holds a lock
    writers = [context.Process(target=_write, args=(path, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 3
    assert query(path, "SELECT count(*) FROM Observations") == [(30,)]
    assert query(path, "SELECT count(*) FROM States") == [(10,)]


def test_unusable_files_are_refused(env: CompilerEnv, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database, but long enough to look like a file of something else\n" * 20)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE Other (one)")
    for path in (text, other, tmp_path / "none/log.db", tmp_path):
        with pytest.raises(InvalidInput, match="Give the path of a new file"):
            SynchronousSqliteLogger(env, path)
    assert query(other, "SELECT name FROM sqlite_schema") == [("Other",)]
    path = tmp_path / "log.db"
    for _ in range(2):  # a file of ours may be used again
        SynchronousSqliteLogger(env, path)
    with pytest.raises(UnknownName, match="'Autophase'"):
        SynchronousSqliteLogger(env, path, ["Autophas"])
    for names in ("Autophase", None, 5):
        with pytest.raises(InvalidInput, match="list of names"):
            SynchronousSqliteLogger(env, path, names)  # type: ignore[arg-type] # that is what is tested
    with pytest.raises(InvalidInput, match="flush_every"):
        SynchronousSqliteLogger(env, path, flush_every=0)


def test_rows_that_cannot_be_written_are_kept(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    logged = SynchronousSqliteLogger(env, path)
    logged.reset()
    path.rename(tmp_path / "moved.db")
    with pytest.raises(OptArenaError, match="cannot be written"):
        logged.flush()
    path.unlink()
    (tmp_path / "moved.db").rename(path)
    logged.flush()
    assert query(path, "SELECT count(*) FROM Steps") == [(1,)]
    logged.close()


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (5, 5),
        (2**70, str(2**70)),
        (b"\xff", b"\xff"),
        ("text", "text"),
        (None, None),
        ({"a": (1, b"\xff")}, '{"a":[1,"\\u00ff"]}'),
    ],
)
def test_values_are_kept_as_sqlite_has_them(value: Any, kept: Any) -> None:
    assert sql_value(value) == kept
    assert json.loads(json_text(value)) is not None or value is None
