"""What is kept of a build counts only for the very same inputs: each input changes a key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from datasets.builder import build, preprocessing
from datasets.builder.build import Workshop, compile_program, evidence_key
from datasets.builder.reading import read_suite
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.builder.suite import Program
    from tests.kit.packaged import Shelf

pytestmark = pytest.mark.usefixtures("native")

DATES = """
int printf(const char *, ...);
int main(void) { return printf("%s %s %s\\n", __DATE__, __TIME__, __TIMESTAMP__) < 0; }
"""


def keys(suite: Path, cache: Path) -> tuple[set[str], str]:
    """The names that modules and evidence of a suite's one program are kept by."""
    workshop = Workshop.of(read_suite(suite), cache)
    compiled = compile_program(workshop.suite.programs[0], workshop)
    modules = {path.name for path in (cache / "modules").iterdir()}
    for path in (cache / "modules").iterdir():
        path.unlink()
    return modules, evidence_key(compiled, workshop)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("suite.toml", 'flags = ["-DMORE"]', 'flags = ["-DLESS"]'),
        ("suite.toml", 'STEPS = "1000"', 'STEPS = "1001"'),
        ("suite.toml", 'include = ["include"]', 'include = ["include", "src"]'),
        ("suite.toml", '    "-fno-ident",', '    "-fno-ident",\n    "-DX",'),
        ("suite.toml", 'header_folders = ["include"]', 'header_folders = ["include", "more"]'),
        ("drivers/bench.h", "#define BENCH 40", "#define BENCH 41"),
    ],
)
def test_each_input_changes_every_key(shelf: Shelf, tmp_path: Path, file: str, old: str, new: str) -> None:
    suite = shelf.suite()
    modules, evidence = keys(suite, tmp_path / "cache")
    assert len(modules) == 3
    assert keys(suite, tmp_path / "cache") == (modules, evidence)
    text = (suite / file).read_text()
    assert old in text
    (suite / file).write_text(text.replace(old, new, 1))
    changed, other = keys(suite, tmp_path / "cache")
    assert not changed & modules
    assert other != evidence


def test_the_builders_own_rules_change_the_keys(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = shelf.suite()
    modules, evidence = keys(suite, tmp_path / "cache")
    monkeypatch.setattr(build, "EVIDENCE_VERSION", 99)
    same, other = keys(suite, tmp_path / "cache")
    assert same == modules
    assert other != evidence
    monkeypatch.setattr(build, "MODULE_VERSION", 99)
    changed, _ = keys(suite, tmp_path / "cache")
    assert not changed & modules
    monkeypatch.setattr(
        preprocessing, "filled", lambda _, values: f"#define STEPS {values['STEPS']}\n#define FAST 1\n"
    )
    again, _ = keys(suite, tmp_path / "cache")
    assert not again & changed


def test_the_evidences_key_tells_workloads_and_compilers(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop.of(read_suite(shelf.suite()), tmp_path / "cache")
    compiled = compile_program(workshop.suite.programs[0], workshop)
    program = compiled.program
    runs = (replace(program.workloads[0], stdin="x"), *program.workloads[1:])
    changed = (program, replace(program, workloads=runs), replace(program, unsanitized=("shift",)))
    found = [evidence_key(replace(compiled, program=one), workshop) for one in changed]
    found.append(evidence_key(replace(compiled, identity="another"), workshop))
    monkeypatch.setattr(build, "ENGINE_VERSION", "another")
    found.append(evidence_key(compiled, workshop))
    workshop.toolchain.__dict__["sanitizer_version"] = "another"
    found.append(evidence_key(compiled, workshop))
    workshop.toolchain.identity = ("another",)
    found.append(evidence_key(compiled, workshop))
    assert len(set(found)) == len(found)


def test_day_time_and_environment_get_into_nothing(
    make_program: Callable[[str], Program],
    native: Workshop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = make_program(DATES)
    one = compile_program(program, Workshop.of(native.suite, tmp_path / "one")).measured.bitcode
    with Module.parse(one) as module:
        text = module.text()
    assert all(f'c"{said}\\00"' in text for said in ("Jan  1 1970", "00:00:00", "Thu Jan  1 00:00:00 1970"))
    (tmp_path / "stdio.h").write_text("#error no\n")
    monkeypatch.setenv("CPATH", str(tmp_path))
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", "+-DMORE +-g")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert compile_program(program, Workshop.of(native.suite, tmp_path / "two")).measured.bitcode == one
