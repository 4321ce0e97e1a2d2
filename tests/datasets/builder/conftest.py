"""The real suite, the real compilers, and a writer of small suites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from datasets.builder.build import Workshop
from datasets.builder.files import ToolchainMissing
from datasets.builder.suite import Program, RunSpec, Suite, read_suite
from optarena.datasets import Dataset, datasets
from tests.kit.packaged import Shelf

SUITE_FOLDER = Path(__file__).resolve().parents[3] / "datasets/suites/kernels-v0"

GOOD_SOURCE = """
int printf(const char *, ...);
static int square(int x) { return x * x; }
static int sum(int n)
{
    int total = 0, i;
    for (i = 0; i < n; i++)
        total += square(i);
    return total;
}
int main(int argc, char **argv)
{
    (void)argv;
    printf("%d\\n", sum(argc * 10));
    return 0;
}
"""


@pytest.fixture(scope="session")
def suite() -> Suite:
    return read_suite(SUITE_FOLDER)


@pytest.fixture(scope="session")
def kernels() -> Dataset:
    dataset = datasets()["kernels-v0"]
    assert isinstance(dataset, Dataset)
    return dataset


@pytest.fixture(scope="session")
def workshop(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    workshop = Workshop(suite, tmp_path_factory.mktemp("build"))
    try:
        workshop.prepare()
    except ToolchainMissing as error:
        pytest.skip(str(error))  # names the tool and how to install it
    return workshop


@pytest.fixture(scope="session")
def native(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The same on a machine that can link its programs."""
    try:
        workshop.toolchain.check_native(tmp_path_factory.mktemp("probe"))
    except ToolchainMissing as error:
        pytest.skip(str(error))  # names the tool and how to install it
    return workshop


@pytest.fixture
def make_program() -> Callable[[str], Program]:
    def make(text: str, name: str = "sample") -> Program:
        return Program(
            name=name,
            title="Sample",
            description="Made by a test.",
            domain="test",
            language="C",
            licence="MIT",
            source=f"src/{name}.c",
            text=text.encode(),
            workloads=tuple(
                RunSpec(name=f"run{n}", args=("x",) * n, stdin="abcdefghijkl" * n) for n in range(1, 4)
            ),
        )

    return make


@pytest.fixture(scope="session")
def make_suite() -> Callable[[Path], Path]:
    """Writes the suite small-v0, which has one good program, in a folder."""

    def make(parent: Path) -> Path:
        folder = parent / "small-v0"
        (folder / "src").mkdir(parents=True)
        (folder / "src/squares.c").write_text(GOOD_SOURCE)
        header = (SUITE_FOLDER / "suite.toml").read_text().partition("[[program]]")[0]
        runs = "".join(f'[[program.workload]]\nname = "run{n}"\nargs = {["x"] * n}\n' for n in range(3))
        (folder / "suite.toml").write_text(
            header.replace("kernels-v0", "small-v0")
            + '[[program]]\nname = "squares"\ntitle = "Squares"\ndescription = "A sum."\ndomain = "test"\n'
            + f'language = "C"\nsource = "src/squares.c"\n{runs}'
        )
        return folder

    return make


@pytest.fixture
def small_suite(make_suite: Callable[[Path], Path], tmp_path: Path) -> Path:
    return make_suite(tmp_path)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A package index of this test alone, and a folder for suites."""
    (tmp_path / "index").mkdir()
    (tmp_path / "suites").mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return Shelf(tmp_path / "index", tmp_path / "suites")
