"""Releases of step data on a user's machine: written whole, read by their hashes, and refused by name."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optarena.data
from optarena.client import ServerUnreachable
from optarena.data.releases import METADATA, TABLES, Release, find_releases
from optarena.data.tables import DataEntry, DataProgram, ReleaseWriter, read_releases
from optarena.data.walks import DataSequence, in_environments, trace_sequence
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput, UnknownName
from optarena.isolation.tool_files import sha256_of
from optarena.replay import replay
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = DataProgram(uri="benchmark://kernels-v0/sudoku", sha256="0" * 64, split="train", licence="MIT")
OTHER = DataProgram(uri="benchmark://kernels-v0/chacha", sha256="1" * 64, split="test", licence="MIT")
TRACE = {
    "initial": {"digest": "a", "cost": 3},
    "steps": [
        {"name": "sroa", "had_no_effect": False, "digest": "b", "cost": 2},
        {"name": "dce", "had_no_effect": True, "digest": "b", "cost": 2},
        {"name": "gvn", "had_no_effect": False, "digest": "a", "cost": 3},
    ],
}


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's releases are found by their names."""
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path))
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "steps"


def described(name: str, **about: Any) -> Release:
    return Release(
        **({"name": name, "title": "T", "description": "D", "released": "2026-11-29", "tables": {}} | about)
    )


def entry(origin: str = "walk") -> DataEntry:
    return DataEntry(environment="llvm-ic-v0", environment_digest="2" * 64, agent="random", origin=origin)


def written(folder: Path, name: str = "walks-v0", *programs: DataProgram, **about: Any) -> Release:
    with ReleaseWriter(folder, described(name, **about)) as writer:
        for program in programs or (PROGRAM,):
            writer.add(program, entry(program.uri), TRACE)
        return writer.finish()


def test_what_was_written_is_read_again(installed: Path) -> None:
    release = written(installed, "walks-v0", PROGRAM, OTHER)
    data = optarena.data.load("walks-v0")
    assert (release.rows, data.states.num_rows, data.programs.num_rows) == (6, 4, 2)
    assert re.fullmatch(r"<StepData programs: [\d,]+ rows, entries: .* rows, steps: [\d,]+ rows>", repr(data))
    arrays = data.arrays()
    assert [data.actions()[one] for one in arrays["action"]] == ["sroa", "dce", "gvn"] * 2
    assert arrays["cost_before"].tolist() == [3, 2, 2] * 2
    assert arrays["cost_after"].tolist() == [2, 2, 3] * 2
    assert arrays["before"].tolist() == [0, 1, 1, 2, 3, 3], "an action without effect stays in its state"
    frame = data.frame()
    assert frame["digest_after"].tolist() == ["b", "b", "a"] * 2
    assert frame["split"].tolist() == ["train"] * 3 + ["test"] * 3
    assert frame["program"].tolist() == [PROGRAM.uri] * 3 + [OTHER.uri] * 3
    assert read_releases(find_releases("walks-v0")).entries["ratio"].to_pylist() == [None, None]
    assert release.sha256 in optarena.data.installed_releases()["walks-v0"].cite("https://a.org").bibtex


def test_the_description_is_one_of_croissant(installed: Path) -> None:
    import mlcroissant  # noqa: PLC0415 - every process of a run collects this file

    release = written(installed)
    found = mlcroissant.Dataset(str(installed / release.name / METADATA))
    assert not found.metadata.issues.errors
    assert not found.metadata.issues.warnings
    for name in TABLES:
        assert len(list(found.records(name))) == release.tables[name].rows


def test_a_release_is_read_with_those_that_it_follows(installed: Path) -> None:
    written(installed, "walks-01", PROGRAM)
    written(installed, "walks-02", OTHER, PROGRAM, follows="walks-01")
    data = optarena.data.load("walks-02")
    assert [one.name for one in find_releases("walks-02")] == ["walks-01", "walks-02"]
    assert data.programs["uri"].to_pylist() == [PROGRAM.uri, OTHER.uri]
    assert data.entries["program"].to_pylist() == [0, 1, 0]
    assert data.steps["entry"].to_pylist() == [0] * 3 + [1] * 3 + [2] * 3
    assert data.arrays()["cost_after"].tolist() == [2, 2, 3] * 3
    assert data.states["program"].to_pylist() == [0, 0, 1, 1, 0, 0]


def test_an_interrupted_writer_leaves_nothing(installed: Path) -> None:
    with ReleaseWriter(installed, described("walks-v0")) as writer:
        writer.add(PROGRAM, entry(), TRACE)
    assert list(installed.iterdir()) == []
    written(installed)
    with pytest.raises(InvalidInput, match="A release never changes"):
        written(installed)


def change(folder: Path, **changes: Any) -> None:
    document = json.loads((folder / METADATA).read_bytes())
    document["optarena"] |= changes
    (folder / METADATA).write_text(json.dumps(document))


def rewrite(name: str, changed: Callable[[pa.Table], pa.Table | bytes]) -> Callable[[Path], None]:
    """Damage of a table that the description hides: it has the hash of the changed one."""

    def damage(folder: Path) -> None:
        path = folder / f"{name}.parquet"
        made = changed(pq.read_table(path))
        if isinstance(made, bytes):
            path.write_bytes(made)
        else:
            pq.write_table(made, path)
        tables = json.loads((folder / METADATA).read_bytes())["optarena"]["tables"]
        change(folder, tables=tables | {name: tables[name] | {"sha256": sha256_of(path)}})

    return damage


def cells(name: str, *values: Any) -> Callable[[pa.Table], pa.Table]:
    """Other values for a column."""

    def changed(table: pa.Table) -> pa.Table:
        column = table.schema.get_field_index(name)
        return table.set_column(
            column, table.schema.field(name), pa.array(values, table.schema.types[column])
        )

    return changed


def later(table: pa.Table) -> pa.Table:
    """Written by a later version that did not raise that of the description."""
    return table.replace_schema_metadata({"optarena.schema": "2"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "steps.parquet").unlink(), "steps.parquet is missing, or cannot be read"),
        (lambda folder: (folder / "steps.parquet").write_bytes(b"PAR1"), "steps.parquet is damaged"),
        (lambda folder: change(folder, schema=2), "has version 2 of the schema; this version reads 1"),
        (rewrite("steps", later), "steps.parquet has version 2 of the schema; this version reads 1"),
        (rewrite("steps", lambda table: table.drop_columns(["before"])), "steps .*: its columns are others"),
        (rewrite("steps", lambda table: table.slice(1)), "steps .*: it has 2 rows"),
        (rewrite("steps", lambda _: b"text"), "steps .*: .*[Pp]arquet"),
        (rewrite("steps", cells("before", 0, 1, 2)), "steps .*: before names rows that states lacks"),
        (rewrite("steps", cells("after", 0, 1, -1)), "steps .*: after names rows that states lacks"),
        (rewrite("steps", cells("action", "sroa", None, "gvn")), "steps .*: action lacks values"),
        (rewrite("steps", cells("entry", 0, 0, 1)), "steps .*: entry names rows that entries lacks"),
        (rewrite("steps", cells("index", 0, 2, 1)), "steps .*: index does not count"),
        (rewrite("states", cells("state", 0, 2)), "states .*: state does not count"),
        (rewrite("entries", cells("actions", 2)), "entries .*: actions does not add up"),
        (lambda folder: change(folder, name="other-v0"), "The description of walks-v0 is that of other-v0"),
        (lambda folder: change(folder, follows="walks-v0"), "cannot follow walks-v0"),
        (lambda folder: change(folder, follows="../w"), "optarena.follows: The value must be lower-case"),
        (lambda folder: change(folder, follows="walks-v-1"), "The release walks-v-1, which others follow"),
        (lambda folder: change(folder, tables={}), "optarena.tables.programs"),
        (lambda folder: (folder / METADATA).write_text("{"), "The document is not JSON"),
        (lambda folder: (folder / METADATA).write_text("[]"), "The value must be an object"),
    ],
)
def test_a_release_that_cannot_be_used_is_refused(
    installed: Path, damage: Callable[[Path], object], message: str
) -> None:
    written(installed)
    damage(installed / "walks-v0")
    with pytest.raises(InvalidInput, match=message):
        optarena.data.load("walks-v0")


@pytest.mark.parametrize("name", ["walks-v1", "../walks-v0", "", "Walks", "w" * 61])
def test_an_unknown_release_is_named(installed: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written(installed)
    monkeypatch.setattr("optarena.client._FIRST_PAUSE_SECONDS", 0.0)
    expected: Any = UnknownName if name != "walks-v1" else ServerUnreachable
    with pytest.raises(expected, match="release"):
        optarena.data.load(name, "http://127.0.0.1:1")


def test_without_pyarrow_only_tables_are_missing(installed: Path) -> None:
    written(installed)
    script = """if True:
        import sys
        sys.modules["pyarrow"] = None
        import optarena.data
        print(list(optarena.data.installed_releases()))
        optarena.data.load("walks-v0")
    """
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert "walks-v0" in done.stdout
    assert "ToolMissing: Step data need the package pyarrow" in done.stderr
    assert "pip install 'optarena[data]'" in done.stderr


def test_walks_are_traced_as_a_replay_traces_them() -> None:
    spec, sudoku = environment_spec("llvm-ic-v0"), datasets().benchmark("benchmark://kernels-v0/sudoku")
    names = spec.action_table.names
    actions = tuple(names.index(one) for one in ("mem2reg", "mem2reg", "simplifycfg"))
    sequences = [
        DataSequence(benchmark=sudoku, actions=actions[:count], agent="a", origin=f"{count}")
        for count in range(4)
    ]
    found = list(in_environments(spec, trace_sequence, sequences, nproc=2))
    assert [one.entry.origin for one in found] == ["0", "1", "2", "3"]
    replayed = replay(environment=spec, benchmark=sudoku, actions=actions, metrics=())
    stored = replayed.as_dict()
    assert found[-1].trace["initial"] == stored["initial"]
    for step, other in zip(found[-1].trace["steps"], stored["steps"], strict=True):
        assert step == {name: other[name] for name in step}
    assert found[-1].entry.value == stored["steps"][-1]["cost"]
    refused = DataSequence(benchmark=sudoku, actions=(999,), agent="a", origin="")
    with CompilerEnv(spec) as env, pytest.raises(InvalidInput, match="999"):
        trace_sequence(env, refused)


def test_the_release_of_the_package_has_splits_without_common_programs_or_states() -> None:
    data = optarena.data.load("steps-v0")
    frame = data.frame()
    assert len(frame) >= 200_000
    assert set(frame["split"]) == {"train", "validation", "test"}
    for name in ("digest_before", "digest_after", "program"):
        splits = frame.groupby(name, observed=True)["split"].nunique()
        assert splits.max() == 1, f"in several splits: {list(splits[splits > 1].index)}"
    bytes_each = optarena.data.installed_releases()["steps-v0"].size_bytes / len(frame)
    assert bytes_each <= 40


def test_a_damaged_release_does_not_hide_others(installed: Path) -> None:
    written(installed)
    written(installed, "broken-v0")
    (installed / "broken-v0" / METADATA).write_text("{")
    found = optarena.data.installed_releases()
    assert "walks-v0" in found
    assert "broken-v0" not in found
    assert optarena.data.load("walks-v0").steps.num_rows == 3


def test_programs_of_one_uri_with_other_bytes_are_two(installed: Path) -> None:
    written(installed, "walks-v0", PROGRAM, replace(PROGRAM, sha256="3" * 64))
    data = optarena.data.load("walks-v0")
    assert data.programs["sha256"].to_pylist() == [PROGRAM.sha256, "3" * 64]
    assert data.frame()["program"].tolist() == [PROGRAM.uri] * 6


def test_of_two_writers_of_one_name_the_first_to_end_makes_it(installed: Path) -> None:
    with ReleaseWriter(installed, described("walks-v0")) as slow:
        slow.add(PROGRAM, entry(), TRACE)
        release = written(installed)
        with pytest.raises(InvalidInput, match="A release never changes"):
            slow.finish()
    assert read_releases([release]).steps.num_rows == 3
    assert [path.name for path in installed.iterdir()] == ["walks-v0"]


def test_what_a_killed_writer_left_is_removed_by_the_next(installed: Path) -> None:
    (installed / ".other-v0.0.part").mkdir(parents=True)
    written(installed)
    assert [path.name for path in installed.iterdir()] == ["walks-v0"]


def test_a_writer_on_a_full_disk_leaves_nothing(installed: Path) -> None:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, most[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            written(installed)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert list(installed.iterdir()) == []
