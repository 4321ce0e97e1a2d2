"""A folder's files as a dataset, and locks of files."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import optarena
from optarena.datasets import FilesDataset, datasets, registry, store
from optarena.datasets import dataset as known
from optarena.datasets.store import ProgramStore, try_lock
from optarena.errors import InvalidInput, UnknownName
from optarena.llvm import make_benchmark
from optarena.llvm.toolchain import find_clang
from tests.kit.examples import slow
from tests.kit.processes import run_threads
from tests.kit.tools import in_ci

LL = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
SOURCE = "int main(void) { return 0; }\n"


def clang() -> bool:
    try:
        return bool(find_clang(None))
    except InvalidInput:
        return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "programs"
    (root / "sub dir").mkdir(parents=True)
    (root / "b.ll").write_bytes(LL)
    (root / "a.bc").write_bytes(b"BC\xc0\xde")
    (root / "sub dir/ü.c").write_text(SOURCE)
    (root / "notes.txt").touch()
    (root / "d.c").mkdir()
    return root


def test_files_are_benchmarks_in_the_order_of_their_uris(folder: Path) -> None:
    dataset = FilesDataset(folder)
    uris = [f"benchmark://files-v0/{path}" for path in ("a.bc", "b.ll", "sub%20dir/%C3%BC.c")]
    assert list(dataset.uris()) == uris
    assert len(dataset) == 3
    assert all(uri in dataset for uri in uris)
    assert "c.ll" not in dataset
    assert 5 not in dataset
    one = dataset.benchmark("b.ll")
    assert one == dataset.benchmark_at(1) == dataset.benchmark("benchmark://files-v0/b.ll")
    assert (one.program(), one.name, one.title, one.kind) == (LL, "b.ll", "b.ll", "stored")
    assert (dataset.kind, dataset.licence, dataset.splits) == ("stored", "NOASSERTION", ())
    assert "files-v0" in repr(dataset)


@pytest.mark.skipif(not clang() and not in_ci(), reason="clang 22 is not installed")
def test_a_source_is_compiled_when_it_is_asked_for(folder: Path) -> None:
    (folder / "broken.c").write_text("int main(void) {")
    dataset = FilesDataset(folder)
    one = dataset.benchmark("sub%20dir/%C3%BC.c")
    assert one.program().startswith(b"BC\xc0\xde")
    assert one.language == "C"
    assert one is dataset.benchmark_at(3)
    with pytest.raises(InvalidInput, match=r"broken\.c does not compile"):
        dataset.benchmark("broken.c")


@pytest.mark.skipif(not clang() and not in_ci(), reason="clang 22 is not installed")
def test_sources_are_compiled_with_the_flags_that_are_given(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers/four.h").write_text("enum { FOUR = 4 };\n")
    (folder / "n.c").write_text('#include "four.h"\nint main(void) { return N + FOUR; }\n')
    copt = ["-I", str(tmp_path / "headers"), "-DN=3"]
    dataset = FilesDataset(folder, copt=copt)
    copt.clear()
    assert (
        dataset.benchmark("n.c").program()
        == make_benchmark(folder / "n.c", copt=["-I", str(tmp_path / "headers"), "-DN=3"]).program()
    )
    assert dataset.benchmark("b.ll").program() == LL
    assert pickle.loads(pickle.dumps(dataset)).benchmark("n.c").language == "C"  # noqa: S301 # made here
    with pytest.raises(InvalidInput, match=r"n\.c does not compile.*copt="):
        FilesDataset(folder).benchmark("n.c")
    with pytest.raises(InvalidInput, match=r"n\.c does not compile: .*'N'.*copt="):
        FilesDataset(folder, copt=["-I", str(tmp_path / "headers")]).benchmark("n.c")


def test_an_unknown_file_is_answered_with_near_ones(folder: Path) -> None:
    with pytest.raises(UnknownName, match=r"files-v0/b\.ll"):
        FilesDataset(folder).benchmark("bb.ll")
    with pytest.raises(InvalidInput, match="URI as a text"):
        FilesDataset(folder).benchmark(5)  # type: ignore[arg-type] # that is what is tested


def test_a_pattern_chooses(folder: Path) -> None:
    assert list(FilesDataset(folder, pattern="*.ll").uris()) == ["benchmark://files-v0/b.ll"]
    assert len(FilesDataset(folder, pattern="sub*")) == 1
    with pytest.raises(InvalidInput, match=r"no \.bc, \.ll, \.c or \.units file"):
        FilesDataset(folder, pattern="*.cpp")


def test_a_file_that_goes_away_is_named(folder: Path) -> None:
    dataset = FilesDataset(folder)
    (folder / "b.ll").unlink()
    with pytest.raises(InvalidInput, match=r"b\.ll cannot be read"):
        dataset.benchmark("b.ll")


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(InvalidInput, match=f"{wrong} cannot be listed"):
            FilesDataset(wrong)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_part_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "sub dir").chmod(0)
    with pytest.raises(InvalidInput, match="sub dir cannot be listed"):
        FilesDataset(folder)
    (folder / "sub dir").chmod(0o700)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": "files"}, "name"),
        ({"name": "user-v0"}, "name"),
        ({"name": None}, "name"),
        ({"folder": 5}, "folder"),
        ({"pattern": None}, "pattern"),
        ({"title": 5}, "title"),
        ({"environment": None}, "environment"),
        ({"copt": "-DN=3"}, "copt"),
        ({"copt": [3]}, "copt"),
        ({"copt": ["-DN=\0"]}, "copt"),
        ({"copt": ["-DN=\ud800"]}, "copt"),
        ({"copt": ["-fplugin=x.so"]}, "copt"),
        ({"copt": ["more.c"]}, "copt"),
        ({"copt": ["-I"]}, "copt"),
    ],
)
def test_a_useless_argument_is_named(arguments: dict[str, Any], field: str, folder: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        FilesDataset(**{"folder": folder, **arguments})
    assert caught.value.field == field


def test_a_path_that_is_too_long_is_named(folder: Path) -> None:
    deep = folder
    for _ in range(4):
        deep /= "é" * 100
    deep.mkdir(parents=True)
    (deep / "x.ll").write_bytes(LL)
    with pytest.raises(InvalidInput, match="too long for a URI"):
        FilesDataset(folder)


def test_names_that_are_no_text_have_uris_too(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.ll")).write_bytes(LL)
    assert FilesDataset(folder).benchmark("%FF.ll").program() == LL


def test_a_plug_in_registers_a_dataset_of_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "computed", list(known.computed))
    dataset = FilesDataset(folder, "mine-v0", environment="llvm-v0")
    optarena.register(datasets=[dataset])
    optarena.register(datasets=[dataset])
    assert datasets()["mine-v0"] is dataset
    assert [spec.slug for spec in registry.environments_of("mine-v0")] == ["llvm-v0"]
    with gymnasium.make("optarena/llvm-v0", benchmark="mine-v0/b.ll") as env:
        assert env.reset()[1]["benchmark"] == "benchmark://mine-v0/b.ll"
    optarena.register(datasets=[FilesDataset(folder, "mine-v0", environment="llvm-v0")])  # the same again
    with pytest.raises(InvalidInput, match="Another dataset is named 'mine-v0'"):
        optarena.register(datasets=[FilesDataset(folder, "mine-v0")])
    with pytest.raises(UnknownName, match="'nothing-v0', which is not an environment"):
        optarena.register(datasets=[FilesDataset(folder, "more-v0", environment="nothing-v0")])


def test_datasets_of_the_same_files_are_equal(folder: Path) -> None:
    one, two = FilesDataset(folder), FilesDataset(folder)
    assert one == two == pickle.loads(pickle.dumps(one))  # noqa: S301 # made here
    assert hash(one) == hash(two)
    assert FilesDataset(folder, copt=["-DN=3"]) == FilesDataset(folder, copt=("-DN=3",))
    others = (
        FilesDataset(folder, "x-v0"),
        FilesDataset(folder, pattern="*.ll"),
        FilesDataset(folder, title="T"),
        FilesDataset(folder, copt=["-DN=3"]),
    )
    assert not {one} & set(others)
    (folder / "new.ll").write_bytes(LL)
    assert FilesDataset(folder) != one


def test_only_the_last_programs_are_kept(folder: Path) -> None:
    for number in range(80):
        (folder / f"p{number}.ll").write_bytes(LL)
    dataset = FilesDataset(folder, pattern="*.ll")
    first = dataset.benchmark_at(0)
    assert dataset.benchmark_at(0) is first
    assert all(one.program() for one in dataset)
    assert dataset.benchmark_at(0) is not first
    assert dataset.benchmark_at(0) == first


@pytest.mark.skipif(not clang() and not in_ci(), reason="clang 22 is not installed")
def test_what_is_compiled_is_no_benchmark_of_the_users(folder: Path) -> None:
    before = dict(registry._made)
    FilesDataset(folder).benchmark("sub%20dir/%C3%BC.c")
    assert registry._made == before
    made = make_benchmark(folder / "sub dir/ü.c")
    assert datasets().benchmark(made.uri) == made


HOLDS = """
import os, sys, time
from pathlib import Path
from optarena.datasets.store import try_lock
with try_lock(Path(sys.argv[1]), 5):
    child = os.fork() if "fork" in sys.argv else -1
    os.write(1, b"%d\\n" % child)
    time.sleep(60)
"""
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"  # of b"test"


def test_one_has_it_and_another_waits_with_an_end(tmp_path: Path) -> None:
    path = tmp_path / "folder/lock"
    with try_lock(path, 1) as first, try_lock(path, 0.05) as second:
        assert (first, second) == (True, False)
    with try_lock(path, 0) as third:
        assert third
    assert list(path.parent.iterdir()) == []


def test_threads_have_it_one_after_another(tmp_path: Path) -> None:
    path, inside, most = tmp_path / "lock", [], []

    def use() -> None:
        for _ in range(5):
            with try_lock(path, 30) as is_had:
                assert is_had
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.001)
                inside.pop()

    run_threads([use] * 6)
    assert most == [1] * 30
    assert not path.exists()


def test_without_a_place_for_it_one_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with try_lock(tmp_path / "file/lock", 5) as is_had:
        assert not is_had


@pytest.mark.parametrize("how", ["fork", *slow(["alone"])])
def test_it_is_free_when_who_had_it_dies_whatever_it_forked(how: str, tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, path, how], stdout=subprocess.PIPE) as process:
        children = {int(process.stdout.readline()) for _ in range(2 if how == "fork" else 1)} - {-1, 0}
        try:
            with try_lock(path, 0) as is_had:
                assert not is_had
            process.kill()
            process.wait()
            with try_lock(path, 5) as is_had:
                assert is_had
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)


def test_another_program_is_not_waited_for(tmp_path: Path) -> None:
    kept = ProgramStore(tmp_path, 1000)
    other = DIGEST[:-1] + "9"  # which begins as this one

    def make() -> bytes:
        return kept.get_or_make(DIGEST, lambda: b"test")

    began = time.monotonic()
    kept.get_or_make(other, make)
    assert time.monotonic() - began < 5
    assert kept.get(DIGEST) == b"test"


def test_who_makes_it_for_ever_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MAKING_SECONDS", 0.1)
    kept, begun, ends = ProgramStore(tmp_path, 1000), threading.Event(), threading.Event()

    def make() -> bytes:
        begun.set()
        ends.wait(60)
        return b"test"

    slow = threading.Thread(target=lambda: kept.get_or_make(DIGEST, make))
    slow.start()
    begun.wait()
    try:
        assert kept.get_or_make(DIGEST, lambda: b"test") == b"test"
    finally:
        ends.set()
        slow.join()
    assert [path.name for path in tmp_path.glob(".locks/*")] == []


def test_a_damaged_file_that_cannot_be_removed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / DIGEST[:2] / DIGEST
    path.mkdir(parents=True)  # which neither can be read nor unlinked, whoever runs this
    assert ProgramStore(tmp_path, 1000).get_or_make(DIGEST, lambda: b"test") == b"test"


READ_ONLY = """
import os, sys
from pathlib import Path
from optarena.datasets.store import ProgramStore
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
print(ProgramStore(Path(sys.argv[1]), 1000).get_or_make(sys.argv[2], lambda: b"test").decode())
"""


@pytest.mark.soak
def test_a_damaged_file_of_a_cache_that_may_only_be_read_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "cache" / DIGEST[:2] / DIGEST
    path.parent.mkdir(parents=True)
    path.write_bytes(b"oh")
    for folder in (path.parent, path.parent.parent):
        folder.chmod(0o555)
    parents = [one for one in tmp_path.parents if one.stat().st_uid == os.geteuid() and len(one.parts) > 2]
    for folder in (tmp_path, *parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    script = [sys.executable, "-c", READ_ONLY, str(tmp_path / "cache"), DIGEST]
    ended = subprocess.run(script, capture_output=True, text=True, check=False)
    path.parent.chmod(0o700)
    path.parent.parent.chmod(0o700)
    assert (ended.stdout, ended.returncode) == ("test\n", 0), ended.stderr
