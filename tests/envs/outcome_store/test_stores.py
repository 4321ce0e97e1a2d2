"""Stores of outcomes: rows by keys, the same in memory, in a file and on a server, and their faults."""

from __future__ import annotations

import pickle
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from optarena.datasets import datasets
from optarena.errors import InvalidInput, StoreWarning, ToolMissing
from optarena.outcome_store import (
    MemoryStore,
    OutcomeStore,
    OutcomeTrace,
    ProgramKeys,
    SqliteStore,
    open_store,
)
from optarena.specs import environment_spec
from tests.kit.valkey_server import valkey_server

SPEC = environment_spec("llvm-ic-v0")
PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")
TRACE = OutcomeTrace((9, 8.5, 8.5), (True, False), measured={"text_size_bytes": 7, "ir_instructions": 8.5})
ROWS = {bytes([number]) * 16: b"row %d" % number for number in range(250)}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with valkey_server() as (url, _):
        yield url


@pytest.fixture(params=["memory", "sqlite", "valkey"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OutcomeStore]:
    urls = {"memory": "memory:", "sqlite": str(tmp_path / "store.sqlite")}
    made = open_store(urls.get(request.param) or request.getfixturevalue("server"))
    yield made
    made.close()


def test_rows_are_found_replaced_and_removed(store: OutcomeStore) -> None:
    keys = list(ROWS)
    store.remove(keys)  # other tests have the same Valkey
    assert store.find(keys) == [None] * len(keys)
    store.keep(ROWS)
    assert store.find([*keys[::-1], b"unknown"]) == [*list(ROWS.values())[::-1], None]
    store.keep({keys[0]: b"another"})
    store.remove(keys[1:3])
    assert store.find(keys[:4]) == [b"another", None, None, b"row 3"]
    store.close()
    store.remove(keys)
    assert store.find(keys) == [None] * len(keys), "a closed store is opened again"
    assert store.find([]) == []


def test_a_copy_in_another_process_opens_the_same_store(tmp_path: Path, server: str) -> None:
    stores = [open_store(url) for url in (f"sqlite:{tmp_path}/store.sqlite", server)]
    for one in stores:
        one.keep({b"k" * 16: b"value"})
    code = "import pickle, sys; print([s.find([b'k' * 16]) for s in pickle.load(sys.stdin.buffer)])"
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(stores), capture_output=True, check=True
    )
    assert done.stdout == b"[[b'value'], [b'value']]\n"
    empty: MemoryStore = pickle.loads(pickle.dumps(MemoryStore()))  # noqa: S301 # of this test
    assert len(empty) == 0


def test_a_copy_in_another_folder_opens_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    one = open_store("sqlite:store.sqlite")
    one.keep({b"k" * 16: b"value"})
    one.close()
    monkeypatch.chdir("elsewhere")
    assert pickle.loads(pickle.dumps(one)).find([b"k" * 16]) == [b"value"]  # noqa: S301 # of this test
    gone = open_store("sqlite:gone.sqlite")
    gone.close()
    Path("gone.sqlite").unlink()
    with pytest.warns(StoreWarning, match="unable to open"):
        assert gone.find([b"k" * 16]) == [None]
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_store_in_memory_stays_within_its_bound_and_forgets_what_was_not_used() -> None:
    store = MemoryStore(most_bytes=10_000)
    for number in range(100):
        store.keep({b"%d" % number: bytes(50)})
        assert store.find([b"0"]) == [bytes(50)]
    assert 20 < len(store) < 40
    assert store.find([b"1"]) == [None]


def test_a_trace_survives_as_a_row_and_nothing_else_is_read() -> None:
    failed = OutcomeTrace((9,), (), error="crashed: ü")
    for trace in (TRACE, failed, replace(TRACE, is_final=True, measured={})):
        assert OutcomeTrace.of_row(trace.to_row()) == trace
    row = TRACE.to_row()
    for end in range(len(row)):
        assert OutcomeTrace.of_row(row[:end]) is None, "a row that was cut off"
    for wrong in (b"", b"\x02" + row[1:], row.replace(row[7:15], b"\xff" * 8), failed.to_row() + b"\xff"):
        assert OutcomeTrace.of_row(wrong) is None


def test_a_trace_ends_a_sequence_or_does_not() -> None:
    assert TRACE.ends((1, 2))
    assert not TRACE.ends((1,))
    assert not TRACE.ends((1, 2, 3))
    assert replace(TRACE, is_final=True).ends((1, 2, 3))
    assert replace(TRACE, error="failed").ends((1, 2, 3))
    assert not replace(TRACE, error="failed").ends((1, 2))
    assert not replace(TRACE, effects=(True,)).ends((1,))


def test_a_key_is_of_digest_program_space_and_actions() -> None:
    other_program = datasets().benchmark("benchmark://kernels-v0/sha256")
    other_digest = replace(SPEC, version=lambda: {"compiler": "another"})
    keys = {
        ProgramKeys(spec, program, space, what).key(actions)
        for spec in (SPEC, other_digest)
        for program in (PROGRAM, other_program)
        for space in ("passes", "other")
        for what in ("trace", "step")
        for actions in ((), (0,), (0, 0), (1, 2), (2, 1))
    }
    assert len(keys) == 2 * 2 * 2 * 2 * 5


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "is not the URL of a store"),
        ("mysql://host/0", "mysql: is not the scheme of a store"),
        ("valky://host", "'valkey'"),
        ("memory:rows", "is not the URL"),
        ("valkey://host:port/0", "address of the store is wrong"),
        ("valkey://127.0.0.1:1/0", "does not answer"),
        ("valkey://127.0.0.1:1/rows", "'rows' is not the number of a database"),
        ("valkey://127.0.0.1:1/0?nonsense=1", "option that is not known: .*nonsense"),
        ("valkey+unix:///nowhere/socket", "does not answer"),
        ("/nowhere/store.sqlite", "cannot be used as a store"),
        ("sqlite:", "does not name a file"),
        ("sqlite://store.sqlite", "is not the URL"),
        ("sqlite:a\0b", "does not name a file"),
    ],
)
def test_what_is_wrong_with_a_url_is_said(url: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        open_store(url)
    assert caught.value.remedy


def test_a_password_is_not_repeated() -> None:
    for url in ("valkey://ada:secret@127.0.0.1:1/0", "valkey://127.0.0.1:1/0?password=secret"):
        with pytest.raises(InvalidInput, match="does not answer") as caught:
            open_store(url)
        assert "secret" not in str(caught.value)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ToolMissing, match=r"optarena\[store\]"):
        open_store("valkey://127.0.0.1/0")


def test_files_of_something_else_are_left_alone(tmp_path: Path) -> None:
    text, database = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("not a database " * 100)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE Mine (value)")
    for path in (text, database):
        before = path.read_bytes()
        with pytest.raises(InvalidInput, match="cannot be used as a store"):
            open_store(str(path))
        assert path.read_bytes() == before


def test_a_full_disk_is_warned_of_once_and_what_is_kept_is_still_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.sqlite")
    store.keep({b"k" * 16: b"value"})
    said: list[str] = []
    store.on_warning = said.append
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most[1]))
    try:
        for number in range(4):
            store.keep({b"%d" % number: bytes(200_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert len(said) == 1
    assert "keeps nothing more in it" in said[0]
    assert store.find([b"k" * 16]) == [b"value"]
    assert not store.is_writable
    store.close()
    assert SqliteStore(tmp_path / "store.sqlite").find([b"k" * 16, b"0"]) == [b"value", None]


def test_a_server_that_goes_is_warned_of_once() -> None:
    with valkey_server() as (url, process):
        store = open_store(url)
        store.keep({b"k" * 16: b"value"})
        process.kill()
        process.wait()
        with pytest.warns(StoreWarning, match="goes on without it"):
            assert store.find([b"k" * 16]) == [None]
        said: list[str] = []
        store.on_warning = said.append
        assert store.find([b"k" * 16, b"l"]) == [None, None]
        store.keep({b"k" * 16: b"value"})
        store.remove([b"k" * 16])
        assert said == []


OPENERS = """
import multiprocessing, sys
from optarena.outcome_store import SqliteStore

def opened(folder):
    for number in range(20):
        barrier.wait(60)
        store = SqliteStore(f"{folder}/{number}.sqlite")
        store.keep({b"k": b"value"})
        assert store.is_writable

barrier = multiprocessing.get_context("fork").Barrier(6)
processes = [multiprocessing.get_context("fork").Process(target=opened, args=sys.argv[1:]) for _ in range(6)]
for one in processes:
    one.start()
for one in processes:
    one.join(250)
    one.kill()
sys.exit(any(one.exitcode for one in processes))
"""


@pytest.mark.soak
def test_processes_that_begin_at_once_make_one_store(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", OPENERS, str(tmp_path)], check=True)


WRITER = """
import sys
from optarena.outcome_store import SqliteStore
store = SqliteStore(sys.argv[1])
for number in range(int(sys.argv[2]), 200, 2):
    store.keep({b"%d" % other: b"value %d" % other for other in range(number, number + 5)})
assert store.is_writable
"""


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    writers: list[Any] = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), first]) for first in ("0", "1")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    keys = [b"%d" % number for number in range(203)]
    assert SqliteStore(path).find(keys) == [b"value " + key for key in keys]
