"""Programs of the user's own: ``optarena search --program`` and ``optarena show``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from optarena.cli import main
from optarena.state import read_states
from tests.kit.gcc import needs_gcc
from tests.kit.llvm.releases import needs_llvm_23

SOURCE = """
#include <stdio.h>
static int square(int x) { return x * x; }
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < N * argc; i++) sum += square(i) % 7;
  printf("%d\\n", sum);
  return 0;
}
"""
PREPROCESSED = "int twice(int x) { int y = x; return y + x; }\nint main(void) { return twice(21); }\n"
FILES = {
    "sum.c": SOURCE,
    "twice.i": PREPROCESSED,
    "bad.c": "int main( {",
    "empty.c": "",
    "header.c": '#include "mine.h"\n',
    "program": "\x7fELF",
    "binary.bc": "\x7fELF",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.c").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: Any, code: int = 0) -> Any:
    done = CliRunner().invoke(main, [*map(str, arguments)])
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


def test_a_search_on_a_source_leaves_results_that_every_command_reads(folder: Path) -> None:
    search = ("search", "portfolio", "--program", "sum.c", "--evaluations", 5, "--output", "results.csv")
    done = run(*search, "--", "-DN=9")
    assert re.search(r"^sum-\w+ +\d+ +\d+ +[01]\.\d{4} +5 ", done.stdout, re.MULTILINE)
    assert "`optarena show results.csv` shows what was found" in done.stdout
    [state] = read_states(Path("results.csv").read_bytes(), format="csv", metrics=["ir_instructions"])
    [program] = folder.glob("sum-*.bc")
    assert state.benchmark == program.as_uri()
    run(*search, "--", "-DN=9")
    assert "evaluations" in run(*search[:5], 6, *search[6:], "--", "-DN=9", code=2).stderr
    assert "1 of 1 states are valid" in run("validate", "results.csv", "--repeats", 1).stdout
    shown = run("show", "results.csv", "--output", "best.ll").stdout
    found = f"{state.claims['ir_instructions']:.0f}"
    for line in (
        rf"found +{found} ",
        r"-Oz +\d+ +1\.0000",
        r"1  +\S+ +\d+ +[-+]?\d+ .*█",
        r"kind of instr|Each",
    ):
        assert re.search(line, shown), line
    assert state.commandline in shown
    assert "define" in Path("best.ll").read_text()
    again = run("show", "best.ll").stdout
    assert re.search(rf"as given +{found} ", again)


def test_a_search_that_ends_behind_the_compilers_level_says_so(folder: Path) -> None:
    search = ("search", "random", "--program", "sum.c", "--program", "twice.i", "--evaluations", 1)
    done = run(*search, "--set", "length=1", "--output", "r.csv", "--", "-DN=9")
    assert re.search(r"programs? ended behind -Oz: sum-\w+ \(\d+; -Oz has \d+\)", done.stdout)
    many = run("show", "r.csv", code=2)
    assert "r.csv has 2 rows" in many.stderr
    [twice] = re.findall(r"twice-\w+", many.stderr)
    assert "as given" in run("show", "r.csv", "--benchmark", twice).stdout


def test_a_sequence_is_shown_by_the_names_of_its_actions(folder: Path) -> None:
    names = "sroa indvars instcombine gvn<no-pre> simplifycfg<late> mem2reg"
    shown = run("show", "kernels-v0/sha256", "--state", names).stdout
    for line in (
        r"-Oz +682 +1\.0000",
        r"found +629 +1\.0843",
        r"1 +sroa +863 +-486 +0\.7903",
        r"1 action without an effect is left out",
        r"main +81 +266 +35 +-231",
        r"store +153 +57 +30 +-27",
    ):
        assert re.search(line, shown), line


@pytest.mark.parametrize(
    ("env", "level", "names"),
    [
        ("llvm-inliner-v0", "-Oz", "default default-1000"),  # after which the episode is over
        ("llvm-inliner-o2-v0", "-O2", "default default-1000"),
        pytest.param("llvm-23-v0", "-O2 minsize", "sroa", marks=needs_llvm_23),
    ],
)
def test_a_sequence_is_compared_with_the_level_of_its_environment(
    env: str, level: str, names: str, folder: Path
) -> None:
    shown = run("show", "kernels-v0/sha256", "--env", env, "--state", names).stdout
    assert re.search(rf"^{level} +\d+ +1\.0000", shown, re.MULTILINE)
    assert f"ratio to {level} " in shown
    assert re.search(rf"^ +{level} +\d+ +1\.0000", shown, re.MULTILINE), "below the walk"
    assert "kind of instruction" in shown
    assert level == "-Oz" or env == "llvm-inliner-o2-v0" or "-Oz" not in shown


def test_functions_add_up_to_the_programs_instructions(folder: Path) -> None:
    # With a switch, whose text has several lines, and names in quotes.
    Path("odd.ll").write_text(
        'target triple = "x86_64-unknown-linux-gnu"\n'
        'define i32 @"a b"(i32 %x) {\n'
        "  switch i32 %x, label %d [\n    i32 1, label %e\n    i32 2, label %d\n  ]\n"
        "d:\n  ret i32 0\ne:\n  %y = add i32 %x, 1\n  %z = sub i32 %y, 1\n  ret i32 %z\n}\n"
    )
    shown = run("show", "odd.ll", "--state", "dse").stdout
    assert re.search(r"as given +5 ", shown)
    assert re.search(r"^a b +5 +\d+ +5 ", shown, re.MULTILINE)


def test_a_warning_is_one_line(folder: Path) -> None:
    Path("half.ll").write_text(
        'target triple = "x86_64-unknown-linux-gnu"\n'
        "define i32 @f() {\n  ret i32 0\n}\n"
        "define i32 @g() noinline optnone {\n  ret i32 0\n}\n"
    )
    command = [sys.executable, "-m", "optarena", "show", "half.ll"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    [line] = done.stderr.splitlines()
    assert line.startswith("warning: half.ll: functions that are marked optnone")


def test_the_mark_optnone_can_be_removed(folder: Path) -> None:
    Path("whole.ll").write_text(
        'target triple = "x86_64-unknown-linux-gnu"\n'
        "define i32 @g() noinline optnone {\n  %p = alloca i32\n  %x = add i32 1, 2\n  ret i32 %x\n}\n"
    )
    assert "--drop-optnone" in run("show", "whole.ll", code=2).stderr
    assert re.search(r"found +1 ", run("show", "whole.ll", "--drop-optnone", "--state", "instcombine").stdout)
    search = ("search", "portfolio", "--evaluations", 2, "--output", "results.csv", "--drop-optnone")
    run(*search, "--program", "whole.ll")
    assert "--drop-optnone" in Path("results.run.json").read_text()
    assert re.search(r"found +1 ", run("show", "results.csv").stdout)
    for command in ((*search, "--dataset", "kernels-v0"), ("show", "results.csv", "--drop-optnone")):
        assert "--drop-optnone is for a program of your own" in run(*command, code=2).stderr


@needs_gcc
def test_gcc_shows_preprocessed_programs_at_its_own_levels(folder: Path) -> None:
    gcc = ("--env", "gcc-v0")
    shown = run("show", "twice.i", *gcc, "--state", "gcc -Os -c program.c -o program.o").stdout
    assert re.search(r"-Os +\d+ +[\d.]+", shown)
    assert re.search(r"found +\d+ +[\d.]+", shown)
    assert "`gcc -E -P program.c > program.i`" in run("show", "sum.c", *gcc, code=2).stderr
    assert "does not compile with clang" in run("show", "twice.i", *gcc, "--", "-O1", code=2).stderr
    assert "make_benchmark" not in run("show", "nothing.i", *gcc, code=2).stderr
    assert "without removing" in run("show", "twice.i", *gcc, "--drop-optnone", code=2).stderr
    search = ("search", "local", "--program", "twice.i", "--board", "gcc-codesize", "--evaluations", 1)
    assert "the folder examples has one" in run(*search, code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--program", "nothing.c"), "The file does not exist"),
        (("--program", "folder.c"), "not a regular file"),
        (("--program", "empty.c"), "The file is empty"),
        (("--program", "program"), "Unknown file type.*other languages as IR of LLVM 22"),
        (("--program", "binary.bc"), "holds machine code, and no IR"),
        (("--program", "bad.c"), "does not compile: .*expected"),
        (("--program", "header.c"), "-- -I FOLDER in a command"),
        (("--program", "sum.c", "--", "-fplugin=x"), "is not allowed"),
        (("--program", "twice.i", "--", "more.c"), "'more.c' is not expected here"),
        (("--program", "twice.i", "--dataset", "kernels-v0"), "--dataset and --program both choose programs"),
        (("--benchmark", "kernels-v0/sha256", "--", "-O1"), "'-O1' is not expected here"),
        (("--benchmark", "sum.c"), "write --program sum.c"),
        (("--benchmark", "file://sum.c"), "write --program sum.c"),
        (("--benchmark", "FOLDER/sum.c"), "write --program /.*sum.c"),
        (("--benchmark", "file://FOLDER/sum.c"), "is a source, .* --program /.*sum.c"),
    ],
)
def test_what_is_not_a_program_is_one_line_and_writes_nothing(
    arguments: tuple[str, ...], said: str, folder: Path
) -> None:
    words = [one.replace("FOLDER", str(folder)) for one in arguments]
    done = run("search", "oz-list", "--evaluations", 1, "--output", "r.csv", *words, code=2)
    assert re.search(said, done.stderr)
    assert done.stderr.count("\n") == 1
    assert {one.name for one in folder.iterdir()} == {*FILES, "folder.c"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "The file does not exist"),
        (("nothing.csv",), "No such file"),
        (("kernels-v0/sha257",), "Did you mean"),
        (("kernels-v0/sha256", "--", "-O1"), "'-O1' is not expected here"),
        (("kernels-v0/sha256", "--state", "sroaa"), "'sroa'"),
        (("kernels-v0/sha256", "--state", ""), "wrong form"),
        (("kernels-v0/sha256", "--benchmark", "sha256"), "--benchmark chooses among results"),
        (("kernels-v0/sha256", "--output", "x.o"), "does not end in .ll or .bc"),
        (("loop_tool-cpu-v0/256",), "measures nothing exactly"),
        (("results.csv", "--benchmark", "json"), "has no row of json"),
        (("results.csv", "--state", "sroa"), "--state is another one"),
        (("missing.c",), 'such as "gcc -DN=1 a.c b.c".'),
    ],
)
def test_what_cannot_be_shown_is_one_line(arguments: tuple[str, ...], said: str, folder: Path) -> None:
    (folder / "results.csv").write_text(
        "benchmark,commandline\nbenchmark://kernels-v0/sha256,opt input.bc -o output.bc\n"
    )
    done = run("show", *arguments, code=2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_clang_the_remedy_is_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_CLANG", "no-such-clang")
    said = run("show", "sum.c", code=2).stderr
    assert "pip install 'optarena[build]'" in said
    assert "by $OPTARENA_CLANG or, in Python," in said
