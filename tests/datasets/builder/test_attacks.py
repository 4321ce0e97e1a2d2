"""Suites, caches and folders that would break a build, or bring into it what no lock file tells."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from datasets.builder.files import store_content, stored_content, tree_digest, whole_file
from datasets.builder.reading import read_suite, refused_flags
from datasets.builder.sources import Sources
from datasets.builder.toolchain import CompileError, Processes
from optarena import limits
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.build import Workshop
    from tests.kit.packaged import Shelf


def build(suite: Path, place: Path, **options: Any) -> None:
    call_command("build_dataset", suite, output=place / "out", cache=place / "cache", jobs=2, **options)


def fields_of(folder: Path) -> dict[str, str]:
    with pytest.raises(InvalidDocument) as caught:
        read_suite(folder)
    return {problem.field: f"{problem.message} {problem.value}" for problem in caught.value.problems}


def test_a_file_of_this_machine_cannot_be_included(shelf: Shelf, tmp_path: Path, native: Workshop) -> None:
    assert native.toolchain.spec.clang
    outside = tmp_path / "some where/out#side$.h"
    outside.parent.mkdir()
    outside.write_text("#define OUTSIDE 1\n")
    driver = shelf.suite() / "drivers/sums.c"
    driver.write_text(f'#include "{outside}"\n{driver.read_text()}')
    with pytest.raises(CommandError) as caught:
        build(driver.parents[1], tmp_path)
    assert f"sums.c includes {outside}, which belongs neither to the suite nor" in str(caught.value)


@pytest.mark.parametrize(
    "flags",
    [
        *(
            ["-MD"],
            ["-MF", "file"],
            ["-o", "file"],
            ["-march=native"],
            ["-mcpu=x"],
            ["-mtune=native"],
            ["-O3"],
        ),
        *(["--target=arm64"], ["-fplugin=x.so"], ["-fpass-plugin=x.so"], ["-Xclang", "-load"], ["@file"]),
        *(["-save-temps=cwd"], ["-Wp,-MD,file"], ["-include", "/etc/x.h"], ["-include"], ["-I/usr/include"]),
        *(["-frecord-gcc-switches"], ["-fno-record-gcc-switches"], ["-frecord-command-line"]),
        *(
            ["-fno-sanitize=all"],
            ["-fno-sanitize=shift"],
            ["-fsanitize=shift"],
            ["-fno-sanitize-recover=all"],
        ),
        *(["-fproc-stat-report=file"], ["-foptimization-record-file=file"], ["-fsave-optimization-record"]),
        *(["-fopt-info-all=file"], ["-fstack-usage"], ["-ftest-coverage"], ["-fprofile-generate"]),
        *(["-fcs-profile-generate"], ["-fcoverage-mapping"], ["-fcallgraph-info"], ["-fdump-tree-all"]),
        *(
            ["-ftime-trace=file"],
            ["-ftime-report"],
            ["-fcrash-diagnostics-dir=x"],
            ["-fdebug-prefix-map=a=b"],
        ),
        *(["-fmodules"], ["-fembed-bitcode"], ["-ffile-prefix-map=a=b"], ["-fmacro-prefix-map=a=b"]),
        *(["-fuse-ld=lld"], ["-fthinlto-index=x"], ["-flto=thin"], ["-fvisibility=hidden"]),
        *(["-frandom-seed=1"], ["-fnew-flag-of-another-version"], ["-fno-ident\n"], ["-fplugin-arg-x-y"]),
        *(["-m32"], ["-mx32"], ["-mrecord-mcount"], ["-mllvm=x"]),
    ],
)
def test_flags_that_name_outputs_machines_or_files(flags: list[str]) -> None:
    assert list(refused_flags(flags))
    of_a_toolchain = flags[0].startswith(("--target=", "-O"))
    assert of_a_toolchain or list(refused_flags(flags, toolchain=True))


def test_flags_of_the_language_are_taken() -> None:
    flags = ["-Df(x)=/y", "-UN", "-std=c11", "-fno-builtin", "-Wall", "-mno-sse3", "-include", "a/b.h"]
    assert list(refused_flags(flags)) == []
    code = (
        "-fno-builtin-memcpy -fwrapv -fno-strict-aliasing -fsigned-char -ffp-contract=off -fno-ident "
        "-fno-stack-protector -ffreestanding -fno-math-errno -fno-common -fPIC -fno-exceptions "
        "-ftls-model=local-exec -fno-delete-null-pointer-checks -fno-unroll-loops -mfpmath=sse -mno-red-zone"
    )
    assert list(refused_flags(code.split())) == []
    assert list(refused_flags(code.split(), toolchain=True)) == []


def test_a_refused_flag_is_named(shelf: Shelf) -> None:
    file = shelf.suite() / "suite.toml"
    file.write_text(file.read_text().replace('["-DMORE"]', '["-DMORE", "-march=native"]'))
    assert "-march=native" in fields_of(file.parent)["program[sums].flags"]


@pytest.mark.parametrize("is_file", [False, True])
def test_what_is_no_dataset_is_not_replaced(shelf: Shelf, tmp_path: Path, *, is_file: bool) -> None:
    place = tmp_path / "out/sums-v0"
    precious = place if is_file else place / "precious.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("precious")
    with pytest.raises(CommandError, match=r"sums-v0 exists and does not have the dataset's .* move it away"):
        build(shelf.suite(), tmp_path)
    assert precious.read_text() == "precious"


def test_numbers_that_cannot_be_shown(shelf: Shelf) -> None:
    file = shelf.suite() / "suite.toml"
    text = file.read_text().replace('title = "Sums"', f"title = 0x{'f' * 5000}", 1)
    file.write_text(text.replace("size_bytes = ", "size_bytes = 99999999999999", 1))
    found = fields_of(file.parent)
    assert found.keys() == {"title", "package[sums].size_bytes"}
    assert "too large to be shown" in found["title"]


@pytest.mark.skipif(os.geteuid() == 0, reason="The superuser writes everywhere.")
def test_a_lock_that_cannot_be_written_leaves_no_dataset(
    shelf: Shelf, tmp_path: Path, native: Workshop
) -> None:
    assert native.toolchain.spec.clang
    suite = shelf.suite()
    suite.chmod(0o555)
    try:
        with pytest.raises(CommandError, match="Permission denied"):
            build(suite, tmp_path)
    finally:
        suite.chmod(0o755)
    assert not (tmp_path / "out/sums-v0").exists()


def test_an_unpacked_package_of_odd_files_is_made_again(shelf: Shelf, tmp_path: Path) -> None:
    package = read_suite(shelf.suite()).package("sums")
    folder = Sources(tmp_path / "cache").unpacked(package)
    whole, digest = tree_digest(folder), folder.with_name("all.sha256")

    def folder_instead() -> None:
        digest.unlink()
        digest.mkdir()

    (folder / "LICENSE").unlink()
    os.mkfifo(folder / "LICENSE")
    for damage in (
        lambda: None,
        lambda: (folder / "link").symlink_to("nowhere"),
        lambda: digest.write_bytes(b"\xff\xfe"),
        folder_instead,
    ):
        damage()
        assert tree_digest(Sources(tmp_path / "cache").unpacked(package)) == whole


def test_what_is_kept_in_a_pipe_or_folder_is_made_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        assert stored_content(tmp_path / name) is None
        store_content(tmp_path / name, b"x")
        assert stored_content(tmp_path / name) == b"x"


def test_a_process_gets_only_so_much_memory(tmp_path: Path) -> None:
    done = Processes().run(
        ["/bin/sh", "-c", "sleep 0.3; ulimit -v"], cwd=tmp_path, seconds=9, env={}, memory_bytes=1 << 30
    )
    assert done.stdout == b"1048576\n"


def test_a_compiler_without_memory_is_named(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOOL_MEMORY_BYTES", 400 << 20)
    (tmp_path / "big.c").write_text(
        "#define A(x) x,x,x,x,x,x,x,x,x,x\nint a[] = { A(A(A(A(A(A(A(1))))))) };\n"
    )
    with pytest.raises(CompileError, match=r"clang (needed more than 419430400 bytes|was ended by SIG)"):
        workshop.toolchain.bitcode(tmp_path / "big.c")


@pytest.mark.parametrize("name", ["drivers/sums.c", "drivers/zz.h", "suite.toml"])
def test_only_plain_files_are_read(shelf: Shelf, name: str) -> None:
    file = shelf.suite() / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    (message,) = fields_of(file.parent if name == "suite.toml" else file.parents[1]).values()
    assert "it is not a regular file" in message
    assert name in message


def test_a_file_gets_its_name_last_and_not_after_an_error(tmp_path: Path) -> None:
    """The lock file is ready before its dataset is replaced."""
    target = tmp_path / "lock.json"
    target.write_text("old")
    during: set[str] = set()

    def fail() -> None:
        with whole_file(target, b"new"):
            during.update(path.read_text() for path in tmp_path.iterdir())
            assert target.read_text() == "old"
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert during == {"old", "new"}
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
