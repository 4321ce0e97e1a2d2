"""Searches for files and for a recorded build: what is found is applied, and makes no file larger."""

from __future__ import annotations

import shutil
from itertools import product
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.deploy.exports import UNOPTIMISED
from optarena.deploy.plugin import build_plugin
from optarena.deploy.recipe import LINK, REQUIRED, UNIT, read_recipe
from optarena.deploy.sources import sequences_recipe
from optarena.machine_code.elf import executable_bytes, loaded_bytes
from tests.kit.builds import MADE, NO_PASSES, Work, need
from tests.kit.examples import slow
from tests.kit.folders import ROOT
from tests.kit.tools import CMAKE, MAKE, MESON

if TYPE_CHECKING:
    from pathlib import Path


def invoke(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_files_are_optimised_by_one_command(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.folder)
    done = invoke("optimise", "table.c", "main.c", "--evaluations", "12", "--", "-DX=1")
    assert done.exit_code == 0, done.stderr
    heading, *rows, use = done.stdout.splitlines()
    assert heading.split()[-5:] == ["-Oz", "found", "-Oz", "/", "found"]
    assert [row.split()[:2] for row in rows] == [
        [name, what] for name in ("table.c", "main.c", "together") for what in ("code", "loaded")
    ]
    work.compile("optimised/table.o", "optimised/main.o", "-o", "prog")
    assert work.run("./prog") == MADE
    recipe = read_recipe(work.folder / "optimised/recipe.json")
    assert [(rule.source, len(rule.sequences)) for rule in recipe.rules] == [
        ("table.c", 1), ("main.c", 1), ("*", 1)
    ]  # fmt: skip
    flag = f"-fpass-plugin={build_plugin(sequences_recipe([]), work.folder, work.clang)}"
    for name in ("table", "main"):
        work.run("sh", "-c", f"{work.clang} -c {name}.c -DX=1 {use.partition(': ')[2]}")
        made = work.read(f"optimised/{name}.o")
        assert work.read(f"{name}.o") == made
        work.compile("-c", f"{name}.c", *NO_PASSES, flag)
        assert loaded_bytes(made) <= loaded_bytes(work.read(f"{name}.o"))


# What is written as int is read as float, so a pass may fuse the loops; those of the levels do not.
ALIASES = """
#include <stdio.h>
static int cells[72];
__attribute__((noinline)) static float shifted(int *whole, float *parts) {
  float sum = 0;
  int i = 0, j = 0;
  do whole[i] = i << 24; while (++i < 64);
  do sum += parts[j]; while (++j < 64);
  return sum;
}
int main(int count, char **words) {
  FILE *file = count > 2 ? fopen(words[2], "r") : stdin;
  printf("%g %d\\n", shifted(cells, (float *)(cells + count)), file ? fgetc(file) : 0);
  return 0;
}
"""


def test_sequences_that_change_the_output_are_dropped(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.folder)
    (work.folder / "aliases.c").write_text(ALIASES)
    (work.folder / "b.txt").write_text("B")
    words = ("optimise", "aliases.c", "--agent", "greedy", "--evaluations", "120")
    work.compile("-O0", "aliases.c", "-o", "plain")
    plain = work.run("sh", "-c", "./plain a < main.c")
    sizes = []
    for runs in ((), ("--run", "a < main.c", "--run", "-d b.txt", "--as-found")):
        done = invoke(*words, *runs)
        assert done.exit_code == 0, done.stderr
        sizes.append(int(done.stdout.splitlines()[1].split()[4]))
        work.compile("optimised/aliases.o", "-o", "prog")
        printed = work.run("sh", "-c", "./prog a < main.c")
        assert (printed == plain) == bool(runs)
        assert bool(runs) == ("aliases.c: a smaller one was dropped" in done.stdout)
        assert bool(runs) == ("The program's output is the same in 2 runs." in done.stdout)
    assert sizes[0] < sizes[1]


def test_a_recorded_build_is_tuned(work: Work, tmp_path: Path) -> None:
    place = work.folder.parent / "out of tree"
    place.mkdir()
    for path in (work.folder / "table.c", "../src/main.c"):
        plugin = build_plugin(sequences_recipe([]), tmp_path, work.clang)
        words = ("-c", path, *NO_PASSES, f"-fpass-plugin={plugin}")
        work.run(work.clang, *words, cwd=place, env={"OPTARENA_RECORD": str(tmp_path)})
    target = tmp_path / "tuned.json"
    tune = ("deploy", "tune", tmp_path, "--evaluations", "9", "--output", target, "--agent", "portfolio")
    measured = []
    for more, required in (((), REQUIRED), (("--metric", "text_size_bytes", "--as-found"), "")):
        done = invoke(*tune, *more)
        assert done.exit_code == 0, done.stderr
        recipe = read_recipe(target)
        assert [rule.source for rule in recipe.rules] == ["src/main.c", "table.c", "*"]
        assert all(rule.sequences[0].pipeline == "default<Oz>" for rule in recipe.rules)
        assert recipe.rules[0].sequences[1].origin == {"agent": "portfolio"}
        assert recipe.required == required
        line = next(one for one in done.stderr.splitlines() if one.startswith("src/main.c"))
        measured.append(int(line.split()[1]))
    # The text that it prints is data.
    assert measured[0] - measured[1] == len(b"%d\n\0")


MAKEFILE = """
CC = gcc
prog: main.o libtable.a
\t$(CC) main.o libtable.a -o $@
libtable.a: table.o
\t$(AR) crs $@ table.o
"""
CMAKELISTS = """
cmake_minimum_required(VERSION 3.20)
project(prog LANGUAGES C CXX)
include(CheckFunctionExists)
check_function_exists(puts HAS_PUTS)
add_library(table STATIC table.c)
add_executable(prog main.c)
target_link_libraries(prog table)
"""
MESON_BUILD = """
project('prog', 'c')
assert(meson.get_compiler('c').has_function('puts'))
executable('prog', 'main.c', link_with: static_library('table', 'table.c'))
"""
# As autoconf's scripts try a compiler.
CONFIGURE = """
echo 'int main(void) { return 0; }' > conftest.c
$CC $CFLAGS -o conftest conftest.c && ./conftest || exit 1
sed "s|^CC = .*|CC = $CC|" Makefile.in > Makefile
"""


@pytest.mark.parametrize(
    ("system", "scope"),
    [
        ("make", LINK),
        ("cmake", UNIT),
        *slow([("make", UNIT), ("cmake", LINK), *product(("configure", "meson"), (UNIT, LINK))]),
    ],
)
def test_a_build_is_run_and_tuned(
    work: Work, system: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.folder)
    files = {"cmake": "CMakeLists.txt", "meson": "meson.build", "configure": "Makefile.in"}
    text = {"cmake": CMAKELISTS, "meson": MESON_BUILD}.get(system, MAKEFILE)
    (work.folder / files.get(system, "Makefile")).write_text(text)
    (work.folder / "configure").write_text(CONFIGURE)
    need({"cmake": CMAKE, "meson": MESON}.get(system, MAKE))
    commands = {
        "make": "make -B -j2",
        "configure": "sh ./configure && make -B -j2",
        "cmake": "cmake -G Ninja -B made && cmake --build made --clean-first -j2",
        "meson": "rm -rf made && meson setup --buildtype=release made && meson compile -j2 -C made",
    }
    options = ("--evaluations", "4", "--agent", "portfolio", "--output", "tuned.json", "--scope", scope)
    words = ("deploy", "tune", *options, "--")
    done = invoke(*words, "sh", "-c", commands[system])
    assert done.exit_code == 0, done.stderr
    rules = read_recipe(work.folder / "tuned.json").rules
    assert {rule.source.rpartition("/")[2] for rule in rules} <= {"table.c", "main.c", "*"}
    assert {rule.scope for rule in rules} == {scope}
    rows = [line.split() for line in done.stdout.splitlines()[1:-1]]
    names = {"table.c", "main.c", "together"} if scope == UNIT else {"prog"}
    assert {row[0].rpartition("/")[2] for row in rows} == names
    assert all(int(found) <= int(level) for _, what, level, found, *_ in rows if what == "loaded")
    assert work.run("made/prog" if system in {"cmake", "meson"} else "./prog") == MADE
    # Another build has nothing to compile.
    again = invoke(*words, "true" if system in {"cmake", "meson"} else "make")
    assert again.exit_code == 2
    did = "compiled" if scope == UNIT else "linked"
    assert f"The build {did} nothing that can be tuned" in again.stderr
    if scope == LINK and system == "make":
        again = invoke(*words, "sh", "-c", "test -e once || { touch once; make -B; }")
        assert again.exit_code == 2
        assert "The build did not link the same programs when it was run once more" in again.stderr


def test_a_build_that_fails_is_not_tuned(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.folder)
    words = ("deploy", "tune", "--output", "tuned.json")
    for more, said in (
        (("--", "sh", "-c", "exit 3"), "The build ended with exit code 3: sh -c 'exit 3'."),
        (("--", "sh", "-c", "kill -9 $$"), "The build ended by signal 9"),
        (("--", "unheard-of", "-j2"), "unheard-of cannot be started: No such file or directory."),
        (("nowhere",), "Name a folder of recorded modules, or, behind --, the command of a build."),
        (("--agent", "unheard-of", "--", "touch", "started"), "unheard-of"),
        (("--output", "no/where.json", "--", "touch", "started"), "The folder no does not exist."),
    ):
        done = invoke(*words, *more)
        assert done.exit_code == 2
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not (work.folder / "started").exists()
    assert not (work.folder / "tuned.json").exists()


def test_a_linked_module_is_tuned(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.folder)
    (work.folder / "recorded").mkdir()
    passes = ("-Xlinker", "--lto-newpm-passes=no-op-module", "-Xlinker", "--lto-emit-llvm")
    for number, flags in enumerate(((), UNOPTIMISED)):
        target = ("-o", f"recorded/{f'{number}' * 64}.bc")
        work.compile("-flto", "-Oz", *flags, "-fuse-ld=lld", "main.c", "table.c", *passes, *target)
    (work.folder / "recorded/modules.tsv").write_text(
        "".join(f"{f'{number}' * 64}\t0\t{number}\t0\tprog\n" for number in range(2))
    )
    words = ("--scope", "link", "--evaluations", "1", "--output", "link.json")
    done = invoke("deploy", "tune", "recorded", *words)
    assert done.exit_code == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()[1:-1]] == [
        ["prog", "code"],
        ["prog", "loaded"],
    ]
    assert [rule.scope for rule in read_recipe(work.folder / "link.json").rules] == [LINK]
    files = (work.folder / "recorded/modules.tsv").read_text().replace("\t1\t0\tprog", "\t1\t0\ttable.c")
    (work.folder / "recorded/modules.tsv").write_text(files)
    refused = invoke("deploy", "tune", "recorded", *words)
    assert refused.exit_code == 2
    assert "recorded has no linked program, but modules of single files." in refused.stderr


LINKED = """
all: prog lzhuff
prog: main.o table.o
lzhuff: lzhuff.o
prog lzhuff:
\t$(CC) $(LDFLAGS) $^ -o $@
"""


@pytest.mark.parametrize("programs", [*slow([(("prog",),)]), ("prog", "lzhuff")])
def test_whole_programs_get_what_the_linker_makes_smallest(
    work: Work, programs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.folder)
    (work.folder / "Makefile").write_text(LINKED)
    shutil.copy(ROOT / "datasets/suites/kernels-v0/src/lzhuff.c", work.folder)
    options = ("--scope", "link", "--metric", "text_size_bytes", "--output", "link.json")
    done = invoke("deploy", "tune", *options, "--evaluations", "24", "--", need(MAKE), "-B", *programs)
    assert done.exit_code == 0, done.stderr
    heading, *rows = [line.split() for line in done.stdout.splitlines()[:-1]]
    assert heading[-7:] == ["-flto", "-Oz", "found", "-flto", "-Oz", "/", "found"]
    names = [*programs, "together"] if len(programs) > 1 else programs
    assert [row[:2] for row in rows] == [[name, what] for name in names for what in ("code", "loaded")]
    assert invoke("deploy", "export", "link.json", "--format", "config", "--output", "made").exit_code == 0
    config = next((work.folder / "made").glob("*.cfg"))
    sources = {"prog": ("main.c", "table.c"), "lzhuff": ("lzhuff.c",)}
    saved = []
    for name in programs:
        for flags in (("-Oz", "-flto", "-fuse-ld=lld"), (f"--config={config}",)):
            work.compile(*flags, *sources[name], "-o", "made/prog")
            saved.append(executable_bytes(work.read("made/prog")))
    level, found = map(int, rows[-2][2:4])
    assert sum(saved[::2]) - sum(saved[1::2]) == level - found
    [rule] = read_recipe(work.folder / "link.json").rules
    assert (rule.sequences[0].pipeline == "lto<Oz>") == (level == found)
    assert ("newpm-passes" in config.read_text()) == (level > found)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["optimise", "wrong.c"], "wrong.c does not compile; clang says why."),
        (["optimise", "missing.c"], "missing.c does not compile"),
        (["optimise", "table.c", "other/table.c"], "Two files are named table."),
        (["optimise", "--", "-DX"], "No file is named."),
        (["optimise", "table.c", "--agent", "unheard-of"], "unheard-of"),
        (["optimise", "table.c", "--run", "-d <"], "'-d <' is not a run: one file must follow <."),
        (["optimise", "table.c", "--run", "'"], "is not a run: No closing quotation."),
        (["optimise", "table.c", "--run", "< missing"], "is not a run: No such file or directory."),
        (["optimise", "table.c", "--run", ""], "main"),
        (["deploy", "tune", ".", "--output", "x.json"], "modules.tsv does not exist."),
        (["deploy", "tune", "damaged", "--output", "x.json"], "modules.tsv is damaged."),
        (["deploy", "tune", "empty", "--output", "x.json"], "empty has no module."),
        (["deploy", "freeze", "recipe.json", "damaged", "--output", "x.json"], "modules.tsv is damaged."),
        (["deploy", "freeze", "recipe.json", "another", "--output", "x.json"], "of another recipe."),
    ],
)
def test_what_cannot_be_tuned(
    words: list[str], said: str, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.folder)
    (work.folder / "wrong.c").write_text("int f(void) { return missing; }\n")
    assert invoke("deploy", "recipe", "--output", "recipe.json").exit_code == 0
    for name, text in (("empty", ""), ("damaged", "a\tb\n"), ("another", f"{'0' * 64}\t0\t99\t0\tx.c\n")):
        (work.folder / name).mkdir()
        (work.folder / name / "modules.tsv").write_text(text)
    done = invoke(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
