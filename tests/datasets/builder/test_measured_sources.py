"""Suites for GCC: preprocessed units, the outputs of the base, GCC's levels as baselines, and refusals."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from datasets.builder import preprocessing
from datasets.builder.files import ToolchainMissing
from datasets.builder.toolchain import Processes
from optarena.datasets import Dataset
from optarena.gcc.compiling import Compiler
from optarena.gcc.units import unpack
from tests.kit.gcc import needs_gcc, pinned_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.packaged import Shelf

pytestmark = [pytest.mark.usefixtures("native"), needs_gcc]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of built datasets."""
    try:
        preprocessing.own_headers()
    except ToolchainMissing as error:
        pytest.skip(str(error))  # names the package
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    return tmp_path / "site/datasets"


def build(suite: Path, site: Path, **options: Any) -> Path:
    call_command("build_dataset", suite, cache=site.parent / "cache", jobs=1, **options)
    return site / suite.name


def for_gcc(shelf: Shelf, more: str = "") -> Path:
    folder = shelf.suites / "gcc-sums-v0"
    folder.mkdir(exist_ok=True)
    (folder / "suite.toml").write_text(
        'schema = 1\nname = "gcc-sums-v0"\ntitle = "T"\ndescription = "D"\nlicence = "MIT"\n'
        f'base = "sums-v0"\ncompiler = "gcc"\n{more}'
    )
    return folder


def test_units_are_preprocessed_and_do_what_the_base_does(
    shelf: Shelf, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = for_gcc(shelf, 'title_of_nothing = ""\n')
    base = shelf.suite()
    with pytest.raises(CommandError, match="title_of_nothing"):
        build(suite, site)
    suite = for_gcc(shelf)
    with pytest.raises(CommandError, match="its base sums-v0 is not built yet: build it first"):
        build(suite, site)
    (known,) = Dataset.from_folder(build(base, site))
    folder = build(suite, site)
    (made,) = Dataset.from_folder(folder)
    units = {unit.name: unit.data for unit in unpack(made.program())}
    assert list(units) == ["sums/src/sum.c", "sums/src/gcd.c", "drivers/sums.c"]
    assert not [data for data in units.values() if b"#" in data]
    assert b'(n < 1000) ? (void)0 : __assert_fail("n < STEPS", "sum.c", ' in units["sums/src/sum.c"]
    assert (made.workloads, made.source, made.split) == (known.workloads, known.source, known.split)
    assert made.baselines["load_size_bytes"].keys() == {"O0", "O1", "O2", "O3", "Os", "Oz"}
    assert made.baselines["load_size_bytes"]["Oz"] < made.baselines["load_size_bytes"]["O0"]
    (entry,) = json.loads((folder / "manifest.json").read_text())["benchmarks"]
    assert entry["file"] == f"blobs/{made.sha256}.units"
    assert [path.name for path in (folder / "blobs").iterdir()] == [f"{made.sha256}.units.xz"]
    capsys.readouterr()
    build(suite, site, check=True)
    assert "is up to date" in capsys.readouterr().out
    (folder / f"blobs/{made.sha256}.units.xz").write_bytes(b"damaged")
    with pytest.raises(CommandError, match=r"\.units is not the program that was built"):
        build(suite, site, check=True)


def test_a_base_that_is_not_the_locked_one_is_refused(shelf: Shelf, site: Path) -> None:
    base = build(shelf.suite(), site)
    text = (base / "manifest.json").read_text()
    (base / "manifest.json").write_text(text.replace("42042751", "42042750"))
    with pytest.raises(CommandError, match="is not the dataset of its lock file: build it again"):
        build(for_gcc(shelf), site)


def test_a_program_that_is_left_out_has_a_reason(shelf: Shelf, site: Path) -> None:
    shelf.suite()
    with pytest.raises(CommandError, match="The base does not have this program"):
        build(for_gcc(shelf, '[excluded]\nsuns = "too large"\n'), site)


def test_flags_that_a_benchmark_would_lose_are_named(shelf: Shelf, site: Path) -> None:
    base = shelf.suite()
    build(base, site)
    text = (base / "suite.toml").read_text()
    (base / "suite.toml").write_text(text.replace('"-DMORE"', '"-DMORE", "-include", "bench.h", "-fwrapv"'))
    with pytest.raises(CommandError, match=r"beside -D, -U and -include: -fwrapv$"):
        build(for_gcc(shelf), site)


def test_other_headers_are_not_believed(tmp_path: Path) -> None:
    folder = tmp_path / "usr/lib/gcc/x86_64-linux-gnu/12/include"
    folder.mkdir(parents=True)
    (folder / "stddef.h").write_text("typedef int size_t;\n")
    with pytest.raises(ToolchainMissing, match="install Debian 12's package libgcc-12-dev"):
        preprocessing.own_headers(tmp_path)


def test_intrinsics_compile_at_every_level(tmp_path: Path) -> None:
    (tmp_path / "shift.c").write_text(
        "#define _MM_MALLOC_H_INCLUDED\n#include <emmintrin.h>\n"
        "__m128i shift(__m128i x) { return _mm_slli_si128(x, 3); }\n"
    )
    spec: Any = SimpleNamespace(flags=("-O1",), header_folders=())
    program: Any = SimpleNamespace(flags=())
    units = [SimpleNamespace(name="shift.c", path=tmp_path / "shift.c")]
    laid_out: Any = SimpleNamespace(flags=(), units=units)
    try:
        source = preprocessing.Preprocessor(spec, None, Processes()).container(program, laid_out)
    except ToolchainMissing as error:
        pytest.skip(str(error))
    for level in ("-O0", "-O2"):
        assert b"pslldq" in Compiler(pinned_gcc(), tmp_path / level, source).assembly([level])
