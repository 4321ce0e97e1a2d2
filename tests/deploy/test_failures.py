"""What goes wrong in a build: the plugin leaves no code plain in silence, and the wrapper hands over."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from optarena.deploy.plugin import BUILD, build_plugin, plugin_name, plugin_source
from optarena.deploy.sources import portfolio_sequences, sequences_recipe
from tests.kit.builds import MADE, NO_PASSES, Work

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.deploy.recipe import Recipe

    Run = Callable[..., str]

WRAPPER = resources.files("optarena.deploy").joinpath("optarena-cc")
UNKNOWN = ("function(sroa<modify-cfg>)", "function(unheard-of)")


def altered(work: Work, source: str, *defined: str) -> str:
    """The flag for a plugin of this source."""
    place = work.folder.parent
    (place / "altered.c").write_text(source)
    work.compile(*BUILD, *defined, place / "altered.c", "-o", place / "altered.so")
    return f"-fpass-plugin={place / 'altered.so'}"


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        (
            UNKNOWN,
            "table",
            "optarena: table.c: compiled with the passes of -Oz instead: unknown function pass",
        ),
        (("#define MAJOR 22", "#define MAJOR 23"), "table", "instead: the recipe is of another LLVM"),
        (
            ('{"*", "", 1, pipelines_1},', ""),
            "main",
            "main.c: compiled with the passes of -Oz instead: no rule",
        ),
    ],
)
def test_without_the_passes_of_a_recipe_those_of_its_level_run(
    work: Work, change: tuple[str, str], name: str, said: str, one: Recipe
) -> None:
    source = plugin_source(one)
    assert change[0] in source
    flag = altered(work, source.replace(*change))
    assert said in work.compile("table.c", "main.c", "-c", *NO_PASSES, flag)
    made = work.read(f"{name}.o")
    level = altered(work, plugin_source(sequences_recipe([])))
    assert work.compile(f"{name}.c", "-c", *NO_PASSES, level) == ""
    assert work.read(f"{name}.o") == made


def test_trials_that_crash_or_hang_lose_unseen(work: Work, eight: Recipe, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.mkdir()
    test = "-DTRIAL_TEST(i)=if(i==1)abort();if(i==2)for(;;);if(i==3)_exit(0);if(i==4)kill(getpid(),11)"
    flag = altered(work, plugin_source(eight), test, "-DTRIAL_SECONDS=1")
    command = ("table.c", "main.c", "-o", "prog", *NO_PASSES)
    assert work.compile(*command, flag, env={"OPTARENA_RECORD": str(record)}) == ""
    assert work.run("./prog") == MADE
    chosen = [line.split("\t")[2] for line in (record / "modules.tsv").read_text().splitlines()]
    assert len(chosen) == 2
    assert not {"1", "2", "3", "4"} & set(chosen)

    flag = altered(work, plugin_source(eight), "-DTRIAL_TEST(i)=abort()", "-DTRIAL_SECONDS=1")
    printed = work.compile(*command, flag)
    assert printed.count("every sequence failed when it was tried; the first is used") == 2
    assert work.run("./prog") == MADE


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("-fsanitize=address",), 1, "sanitize_address needs clang's own passes"),
        (("-fsanitize=thread",), 1, "sanitize_thread needs clang's own passes"),
        (("-fprofile-instr-generate", "-fcoverage-mapping"), 1, "profiling needs clang's own passes"),
        (("--coverage",), 1, "coverage needs clang's own passes"),
        (("-fsanitize=undefined", "-fsanitize-trap=undefined"), 0, ""),
        (("-O2",), 0, "table.c: -Oz is not in force"),
        (("-O0",), 0, "table.c: -Oz is not in force"),
    ],
)
def test_what_the_plugin_refuses_or_warns_of(
    work: Work, options: tuple[str, ...], code: int, said: str, plugin: Path
) -> None:
    command = ("-c", "table.c", *NO_PASSES, f"-fpass-plugin={plugin}", *options)
    printed = work.compile(*command, code=code)
    assert said in printed
    assert bool(printed) == bool(said)
    assert (work.folder / "table.o").exists() == (code == 0)


def test_a_folder_that_takes_no_record_is_named(work: Work, plugin: Path) -> None:
    flag = f"-fpass-plugin={plugin}"
    printed = work.compile("-c", "table.c", *NO_PASSES, flag, env={"OPTARENA_RECORD": "/nowhere"})
    assert printed == "optarena: table.c: the module cannot be recorded in /nowhere\n"


def test_clang_19_does_not_load_the_plugin_and_says_so(work: Work, plugin: Path) -> None:
    old = shutil.which("clang-19")
    if old is None:
        pytest.skip("clang-19 is missing")
    command = ("-c", "table.c", *NO_PASSES, f"-fpass-plugin={plugin}")
    assert "Got version 2, supported version is 1" in work.run(old, *command, code=1)
    environment = {"OPTARENA_PASS_PLUGIN": str(plugin), "OPTARENA_CLANG": old}
    printed = work.run("sh", str(WRAPPER), "-c", "table.c", env=environment)
    said = f"{old} does not load {plugin}, which is for clang 22; compiled as usual, without them"
    assert printed == f"optarena: table.c: {said}\n"
    assert work.read("table.o")


@pytest.fixture(scope="module")
def plugin(clang: Path, eight: Recipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_plugin(eight, tmp_path_factory.mktemp("a plugin"), clang)


@pytest.fixture
def wrapped(work: Work, plugin: Path) -> Run:
    """Runs the wrapper as the C compiler in the program's folder."""
    environment = {"OPTARENA_PASS_PLUGIN": str(plugin), "OPTARENA_CLANG": str(work.clang)}

    def call(*words: str, code: int = 0, **changed: str) -> str:
        return work.run(str(WRAPPER), *words, code=code, env={**environment, **changed})

    return call


def test_the_wrapper_compiles_as_clang_with_the_flags(work: Work, plugin: Path, wrapped: Run) -> None:
    assert wrapped("-c", "table.c", "-O2", "-MMD", "-o", "wrapped.o") == ""
    work.compile("-c", "table.c", *NO_PASSES, f"-fpass-plugin={plugin}", "-o", "flags.o")
    assert work.read("wrapped.o") == work.read("flags.o")
    assert "table.h" in (work.folder / "wrapped.d").read_text()
    assert wrapped("table.c", "main.c", "-o", "prog") == ""
    assert work.run("./prog") == MADE
    (work.folder / "all.h").write_text('#include <stdio.h>\n#include "table.h"\n')
    wrapped("-x", "c-header", "all.h", "-o", "all.h.pch")
    wrapped("-include-pch", "all.h.pch", "-c", "main.c", "-o", "main.o")
    wrapped("wrapped.o", "main.o", "-o", "prog")
    assert work.run("./prog") == MADE


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("-fsanitize=address",), "-fsanitize=address"),
        (("-fsanitize=undefined",), "-fsanitize=undefined"),
        (("-fprofile-instr-generate",), "-fprofile-instr-generate"),
        (("--coverage",), "--coverage"),
        (("-O0",), "-O0"),
        (("-O2", "-Og"), "-Og"),
        (("-flto",), "-flto"),
    ],
)
def test_the_wrapper_hands_over_what_needs_clangs_own_passes(
    work: Work, options: tuple[str, ...], reason: str, wrapped: Run
) -> None:
    said = wrapped("-c", "table.c", *options)
    assert said == f"optarena: {reason}: compiled as usual, without the passes of a recipe\n"
    made = work.read("table.o")
    work.compile("-c", "table.c", *options)
    assert work.read("table.o") == made


def test_the_wrapper_takes_standard_input_and_keeps_intermediate_files(
    work: Work, plugin: Path, wrapped: Run
) -> None:
    assert wrapped("-c", "table.c", "-save-temps") == ""
    kept = {path.name for path in work.folder.glob("table.*")}
    assert {"table.i", "table.bc", "table.s", "table.o"} <= kept
    work.compile("-c", "table.c", *NO_PASSES, f"-fpass-plugin={plugin}", "-o", "flags.o")
    assert work.read("table.o") == work.read("flags.o")
    environment = {"OPTARENA_PASS_PLUGIN": str(plugin), "OPTARENA_CLANG": str(work.clang)}
    given = f"{shlex.quote(str(WRAPPER))} -x c - -c -o input.o < main.c"
    assert work.run("sh", "-c", given, env=environment) == ""
    assert wrapped("table.o", "input.o", "-o", "prog") == ""
    assert work.run("./prog") == MADE


def test_the_wrapper_ends_as_clang_does(work: Work, one: Recipe, tmp_path: Path, wrapped: Run) -> None:
    (work.folder / "wrong.c").write_text("int f(void) { return missing; }\n")
    plain = work.compile("-c", "wrong.c", code=1)
    assert wrapped("-c", "wrong.c", code=1) == plain
    assert "clang version" in wrapped("--version")
    assert "int mix" in wrapped("-E", "table.c")
    # A pass that fails, which is neither the source's fault nor seen.
    source = plugin_source(one).replace(
        "static bool run(",
        "__attribute__((constructor)) static void end(void) { abort(); }\nstatic bool run(",
        1,
    )
    altered(work, source)
    broken = tmp_path / "optarena-Oz-0123456789ab.so"
    (work.folder.parent / "altered.so").rename(broken)
    said = wrapped("-c", "table.c", OPTARENA_PASS_PLUGIN=str(broken))
    assert said == "optarena: table.c: the passes of the recipe failed; compiled as usual, without them\n"
    assert (work.folder / "table.o").exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"OPTARENA_PASS_PLUGIN": "/nowhere/optarena-Oz-0.so"}, "/nowhere/optarena-Oz-0.so is not a file."),
        ({"OPTARENA_PASS_PLUGIN": "/bin/sh"}, "/bin/sh is not the plugin of a recipe, by its name."),
    ],
)
def test_a_wrapper_that_cannot_find_its_plugin_says_so(
    changed: dict[str, str], said: str, wrapped: Run
) -> None:
    printed = wrapped("-c", "table.c", code=2, **changed)
    assert said in printed
    assert len(printed.splitlines()) == 1


def test_without_a_recipe_the_wrapper_takes_the_portfolio(work: Work, tmp_path: Path, wrapped: Run) -> None:
    recipe = sequences_recipe(portfolio_sequences())
    named = plugin_name(recipe, plugin_source(recipe))
    assert f"\nportfolio={named}\n" in WRAPPER.read_text(), f"write portfolio={named} there"
    (tmp_path / "optarena").write_text(f'#!/bin/sh\nexec {sys.executable} -m optarena "$@"\n')
    (tmp_path / "optarena-cc").write_text(WRAPPER.read_text())
    for name in ("optarena", "optarena-cc"):
        (tmp_path / name).chmod(0o755)
    changed = {"OPTARENA_CACHE": str(tmp_path / "cache"), "OPTARENA_CLANG": str(work.clang)}
    assert work.run(tmp_path / "optarena-cc", "-c", "table.c", env=changed) == ""
    assert [path.name for path in (tmp_path / "cache/deploy").glob("*.so")] == [f"{named}.so"]
    made = work.read("table.o")
    command = (sys.executable, "-m", "optarena", "cc", "-c", "table.c")
    assert work.run(*command, env={"OPTARENA_CACHE": changed["OPTARENA_CACHE"]}) == ""
    assert work.read("table.o") == made
    assert work.compile("table.o", "main.c", "-o", "prog") == ""
    assert work.run("./prog") == MADE


def test_the_wrapper_compiles_cpp_under_its_second_name(work: Work, plugin: Path) -> None:
    second = str(WRAPPER).removesuffix("cc") + "c++"
    (work.folder / "cpp.cpp").write_text("#include <new>\nint main() { delete new int; }\n")
    changed = {"OPTARENA_PASS_PLUGIN": str(plugin), "OPTARENA_CLANG": str(work.clang)}
    assert work.run(second, "cpp.cpp", "-o", "prog", env=changed) == ""


@pytest.mark.parametrize(
    ("option", "source", "said"),
    [
        (
            "address",
            "volatile char *p = malloc(4); p[count + 3] = 1;",
            "AddressSanitizer: heap-buffer-overflow",
        ),
        ("undefined", "volatile int big = 2147483647; big += count;", "signed integer overflow"),
    ],
)
def test_sanitizers_still_find_errors_with_the_wrapper(
    work: Work, option: str, source: str, said: str, wrapped: Run
) -> None:
    text = f"#include <stdlib.h>\nint main(int count, char **words) {{ {source} return 0; }}\n"
    (work.folder / "wrong.c").write_text(text)
    # Clang of `pip` links with an unwinder of its own, which is not where programs look for it.
    flags = (f"-fsanitize={option}", f"-fno-sanitize-recover={option}", "-rtlib=compiler-rt")
    assert "compiled as usual" in wrapped("-O2", *flags, "--unwindlib=libgcc", "wrong.c", "-o", "wrong")
    assert said in work.run("./wrong", code=1)
