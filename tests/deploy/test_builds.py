"""Builds with an exported recipe: objects are what the passes give, and build systems take each form."""

from __future__ import annotations

import os
import shlex
import shutil
from typing import TYPE_CHECKING, cast

import pytest
from click.testing import CliRunner

import optarena
from optarena.cli import main
from optarena.deploy.exports import FORMS, export, portable_export
from optarena.deploy.plugin import build_plugin
from optarena.deploy.recipe import (
    LINK,
    UNIT,
    Recipe,
    Rule,
    Sequence,
    read_recipe,
    write_recipe,
)
from optarena.deploy.sources import frozen, sequences_recipe
from optarena.errors import InvalidInput
from optarena.llvm.actions import CURATED
from optarena.machine_code.elf import executable_bytes
from optarena.machine_code.libllvm import find_library, required_cxx_libraries
from tests.kit.builds import MADE, NO_PASSES, Work, need
from tests.kit.examples import slow
from tests.kit.tools import CCACHE, CMAKE, MAKE, MESON, OPT

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.envs import LlvmEnv


@pytest.fixture(scope="module")
def plugin(clang: Path, one: Recipe, tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"-fpass-plugin={build_plugin(one, tmp_path_factory.mktemp('a plugin'), clang)}"


def test_objects_are_those_of_the_passes_alone(work: Work, one: Recipe, plugin: str) -> None:
    opt = need(OPT)
    for name, pipeline in (("table", one.rules[0].sequences[0].pipeline), ("main", "default<Oz>")):
        flags = ("-c", "-fPIC", *NO_PASSES)
        work.compile(f"{name}.c", *flags, plugin, "-o", "plugin.o")
        work.compile(f"{name}.c", *flags, "-emit-llvm", "-o", "given.bc")
        work.run(opt, f"-passes={pipeline}", "given.bc", "-o", "made.bc")
        work.compile("-x", "ir", "made.bc", *flags, "-o", "alone.o")
        assert work.read("plugin.o") == work.read("alone.o")
        work.compile(f"{name}.c", *flags, plugin, "-g", "-o", "debug.o")
        assert executable_bytes(work.read("debug.o")) == executable_bytes(work.read("plugin.o"))


def test_a_state_of_the_environment_is_what_the_plugin_makes(work: Work, one: Recipe, plugin: str) -> None:
    source = work.folder / "table.c"
    with optarena.make("llvm-codesize-v0") as env:
        live = cast("LlvmEnv", env.unwrapped)
        env.reset(options={"benchmark": live.make_benchmark(source, clang=work.clang)})
        live.multistep(list(one.rules[0].sequences[0].actions))
        size, bitcode = (live.observation[name] for name in ("ObjectTextSizeBytes", "Bitcode"))
    # The environment measures code for a fixed address.
    work.compile(source, "-c", "-fno-pic", *NO_PASSES, plugin, "-o", "plugin.o")
    (work.folder / "state.bc").write_bytes(bitcode)
    work.compile("-x", "ir", "state.bc", "-c", "-fno-pic", *NO_PASSES, "-o", "state.o")
    objects = [work.read(f"{name}.o") for name in ("plugin", "state")]
    assert [executable_bytes(code) for code in objects] == [size, size]


@pytest.mark.parametrize("level", ["O1", "O2", "O3", "Os"])
def test_a_level_is_clangs_own(work: Work, level: str, tmp_path: Path) -> None:
    plugin = build_plugin(sequences_recipe([], level=level), tmp_path, work.clang)
    for name in ("table", "main"):
        work.compile("-c", f"{name}.c", f"-{level}")
        plain = work.read(f"{name}.o")
        flags = (f"-{level}", *NO_PASSES[1:], f"-fpass-plugin={plugin}")
        assert work.compile("-c", f"{name}.c", *flags) == ""
        assert work.read(f"{name}.o") == plain


def link_recipe() -> Recipe:
    sequence = Sequence.of_actions(
        tuple(map(CURATED.index, ("sroa", "inline", "instcombine", "simplifycfg")))
    )
    return Recipe(rules=(Rule(source="*", scope=LINK, sequences=(sequence,)),))


MAKEFILE = """
CFLAGS = -O2 -Wall
prog: table.o main.o
\t$(CC) $(CFLAGS) $(LDFLAGS) table.o main.o -o $@
%.o: {folder}%.c
\t$(CC) $(CFLAGS) -MMD -c $< -o $@
check: prog
\t./prog | grep -qx 27152
"""
CONFIGURE = """#!/bin/sh
cc=${CC:-cc}
echo 'int main(void) { return 0; }' > conftest.c
$cc $CFLAGS conftest.c -o conftest && ./conftest || { echo "the compiler does not work" >&2; exit 1; }
$cc $CFLAGS -c missing.c 2>conftest.err && exit 1
grep -q missing.c conftest.err || exit 1
sed -e "s|^CFLAGS.*|CFLAGS = $CFLAGS|" -e "1i CC = $cc" "${0%/*}/Makefile.in" > Makefile
"""
CMAKELISTS = """
cmake_minimum_required(VERSION 3.20)
project(prog LANGUAGES C CXX)
add_library(table STATIC table.c)
add_executable(prog main.c)
target_link_libraries(prog table)
enable_testing()
add_test(NAME prog COMMAND sh -c "./prog | grep -qx 27152")
"""
MESON_BUILD = """
project('prog', 'c')
prog = executable('prog', 'main.c', link_with: static_library('table', 'table.c'))
test('prog', find_program('sh'), args: ['-c', '"$1" | grep -qx 27152', 'sh', prog])
"""


def plain_size(work: Work, *flags: str) -> int:
    work.compile("-Oz", *flags, "table.c", "main.c", "-o", "plain")
    assert work.run("./plain") == MADE
    return executable_bytes(work.read("plain"))


@pytest.mark.parametrize(
    ("build", "scope"),
    [
        *(("make", LINK), ("configure", UNIT), ("cmake", LINK), ("meson", UNIT)),
        *slow([("make", UNIT), ("configure", LINK), ("cmake", UNIT), ("meson", LINK)]),
    ],
)
def test_build_systems_take_a_recipe(
    work: Work, build: str, scope: str, eight: Recipe, tmp_path: Path
) -> None:
    recipe = eight if scope == UNIT else link_recipe()
    tool = need({"make": MAKE, "configure": MAKE, "cmake": CMAKE, "meson": MESON}[build])
    # A configure script splits flags at spaces.
    folder = tmp_path / ("exported" if build == "configure" else "somebody's exported recipe")
    exported = export(recipe, "config" if build == "configure" else build, folder, work.clang)
    place = work.folder.parent / "build"
    place.mkdir()
    if build == "make":
        include = exported.use.partition(": ")[2]
        # make splits names of files at spaces, those of a program's sources too.
        (work.folder / "Makefile").write_text(MAKEFILE.format(folder="") + include + "\n")
        work.run(tool, "-j2", "check")
        place = work.folder
    elif build == "configure":
        (work.folder / "configure").write_text(CONFIGURE)
        (work.folder / "Makefile.in").write_text(MAKEFILE.format(folder="../src/"))
        command = f"{work.clang} --config={exported.file}"
        work.run("sh", "../src/configure", cwd=place, env={"CC": command, "CFLAGS": ""})
        work.run(tool, "-j2", "check", cwd=place)
    elif build == "cmake":
        (work.folder / "CMakeLists.txt").write_text(CMAKELISTS)
        toolchain = f"-DCMAKE_TOOLCHAIN_FILE={exported.file}"
        work.run(tool, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", toolchain, work.folder, cwd=place)
        work.run(tool, "--build", ".", "-j2", cwd=place)
        work.run("ctest", "--output-on-failure", cwd=place)
    else:
        (work.folder / "meson.build").write_text(MESON_BUILD)
        work.run(tool, "setup", f"--native-file={exported.file}", place, work.folder)
        work.run(tool, "compile", "-j2", "-C", place)
        work.run(tool, "test", "-C", place)
    flags = () if scope == UNIT else ("-flto", "-fuse-ld=lld")
    size = executable_bytes((place / "prog").read_bytes())
    assert size <= plain_size(work, *flags) or scope == LINK


@pytest.mark.parametrize("form", ["flags", "shell", "link"])
def test_other_forms_are_used_as_they_say(
    work: Work, form: str, one: Recipe, plugin: str, tmp_path: Path
) -> None:
    recipe = Recipe(rules=(*link_recipe().rules, *one.rules))
    exported = export(recipe, form, tmp_path / "an exported recipe", work.clang)
    if form == "shell":
        opt = need(OPT)
        for name in ("table", "main"):
            work.run(exported.file, "-c", f"{name}.c", "-fPIC", env={"OPT": opt})
        work.compile("-c", "table.c", "-fPIC", *NO_PASSES, plugin, "-o", "same.o")
        assert work.read("table.o") == work.read("same.o")
        work.compile("table.o", "main.o", "-o", "prog")
    else:
        text = exported.use.partition(": ")[2]
        command = f"{shlex.quote(str(work.clang))} table.c main.c -o prog {text}"
        work.run("sh", "-c", command)
        work.compile("table.c", "main.c", "-o", "prog", f"@{exported.file}")
    assert work.run("./prog") == MADE


USES = {
    "flags": "clang-22 {use} -c table.c",
    "config": "{use} -c table.c",
    "make": "printf '%s\\n' '{use}' >> Makefile; make table.o",
    "cmake": "{use} -G Ninja -B built . && cmake --build built && cp built/CMakeFiles/table.dir/*.o table.o",
    "meson": "{use} -Ddebug=false built && ninja -C built && cp built/*/table.c.o table.o",
    "shell": "sh compile.sh -c table.c",
    "link": "clang-22 {use} table.c main.c -o prog",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_portable_export_leads_to_the_same_objects(
    work: Work, form: str, one: Recipe, plugin: str, tmp_path: Path
) -> None:
    recipe = Recipe(rules=(*link_recipe().rules, *one.rules))
    exported = portable_export(recipe, form)
    if form == "meson":  # its own files name the folder
        place = work.folder.parent / "somebody's folder"
        work = Work(folder=place, clang=work.clang)
    folder = work.folder / exported.folder
    folder.mkdir(exist_ok=True)
    for name, content in exported.files.items():
        (folder / name).write_bytes(content)
    need({"make": MAKE, "cmake": CMAKE, "meson": MESON, "shell": OPT}.get(form, MAKE))
    (work.folder / "Makefile").write_text(MAKEFILE.format(folder=""))
    (work.folder / "CMakeLists.txt").write_text(CMAKELISTS)
    (work.folder / "meson.build").write_text(MESON_BUILD)
    found = {"PATH": f"{work.clang.parent}:{os.environ['PATH']}"}  # where a user's clang-22 is
    for command in (*exported.commands, USES[form].format(use=exported.use)):
        work.run("sh", "-c", command, env=found)
    if form == "link":
        made = export(recipe, form, tmp_path / "an exported recipe", work.clang)
        work.compile("table.c", "main.c", "-o", "same", f"@{made.file}")
        assert work.read("prog") == work.read("same")
        return
    work.compile("-c", "table.c", *NO_PASSES, plugin, "-o", "same.o")
    assert work.read("table.o") == work.read("same.o")
    if exported.folder:
        assert read_recipe(folder / "recipe.json") == recipe


def test_sequences_may_be_longer_than_a_word_of_a_command_line(work: Work, tmp_path: Path) -> None:
    sequence = Sequence.of_actions((CURATED.index("dce"),) * 5_000)
    unit, link = (
        Recipe(rules=(Rule(source="*", scope=scope, sequences=(sequence,)),)) for scope in (UNIT, LINK)
    )
    shell = export(unit, "shell", tmp_path / "shell", work.clang).file
    work.run(shell, "-c", "table.c", env={"OPT": need(OPT)})
    assert work.read("table.o")
    config = export(link, "config", tmp_path / "config", work.clang).file
    work.compile(f"--config={config}", "table.c", "main.c", "-o", "prog")
    assert work.run("./prog") == MADE
    for form in ("flags", "make", "link"):
        with pytest.raises(InvalidInput, match="150,221 characters; the form"):
            export(link, form, tmp_path / form, work.clang)
        assert not (tmp_path / form).exists()


@pytest.mark.parametrize(
    "flags",
    [
        ("-fPIC", "-shared"),
        ("-static", "-rtlib=libgcc", "--unwindlib=libgcc"),
        ("-march=native", "-save-temps"),
        ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-g"),
    ],
)
def test_options_of_clang_keep_their_meaning(work: Work, flags: tuple[str, ...], plugin: str) -> None:
    work.compile("table.c", "main.c", "-o", "prog", *flags, *NO_PASSES, plugin)
    if "-shared" not in flags:
        assert work.run("./prog") == MADE


CXX = """
#include <coroutine>
#include <cstdio>
#include <stdexcept>
#include <typeinfo>
struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(int one) { value = one; }
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};
struct Base { virtual ~Base() = default; };
struct Derived : Base { thread_local static int count; Derived() { count++; } };
thread_local int Derived::count = 40;
static Derived early;
Task answer() { co_return Derived::count; }
int main() {
  try { throw std::runtime_error("expected"); }
  catch (const std::exception &error) { std::puts(error.what()); }
  Base *base = &early;
  auto task = answer();
  task.handle.resume();
  std::printf("%d %d\\n", dynamic_cast<Derived *>(base) != nullptr, task.handle.promise().value);
  task.handle.destroy();
}
"""


def test_cpp_with_exceptions_types_and_coroutines(work: Work, one: Recipe, tmp_path: Path) -> None:
    sequence = one.rules[0].sequences
    recipe = Recipe(rules=(Rule(source="*", sequences=sequence),))
    plugin = build_plugin(recipe, tmp_path, work.clang)
    (work.folder / "cpp.cpp").write_text(CXX)
    flags = ("--driver-mode=g++", "-std=c++20", *NO_PASSES, f"-fpass-plugin={plugin}")
    work.compile(*flags, "cpp.cpp", "-o", "prog")
    folders = {str(path.parent) for path in required_cxx_libraries(find_library())}
    assert work.run("./prog", env={"LD_LIBRARY_PATH": ":".join(folders)}) == "expected\n1 41\n"


def test_what_must_run_does_so_in_a_program_optimised_as_a_whole(work: Work, tmp_path: Path) -> None:
    flags = f"@{export(link_recipe(), 'link', tmp_path / 'link', work.clang).file}"
    (work.folder / "cpp.cpp").write_text(CXX)
    work.compile("--driver-mode=g++", "-std=c++20", flags, "cpp.cpp", "-o", "prog")
    folders = [str(path.parent) for path in required_cxx_libraries(find_library())]
    found = {"LD_LIBRARY_PATH": ":".join([*folders, str(work.folder)])}
    assert work.run("./prog", env=found) == "expected\n1 41\n"
    assert work.compile("-fPIC", "-shared", flags, "table.c", "-o", "libtable.so") == ""
    work.compile(flags, "main.c", "libtable.so", "-o", "prog")
    assert work.run("./prog", env=found) == MADE
    for sanitizer, source, code, said in (
        ("address", "volatile int x[2]; return x[n + 1];", 1, "stack-buffer-overflow"),
        ("cfi", "void *volatile f = main; return n ? ((int (*)(void))f)() : 0;", -4, ""),
    ):
        (work.folder / "wrong.c").write_text(f"int main(int n, char **words) {{ {source} }}\n")
        more = (f"-fsanitize={sanitizer}", "-fvisibility=hidden", "-rtlib=compiler-rt", "--unwindlib=libgcc")
        work.compile(flags, *more, "wrong.c", "-o", "wrong")
        assert said in work.run("./wrong", code=code)


THREADS = """
#include <pthread.h>
#include <stdio.h>
static _Thread_local int own = 5;
static int order;
__attribute__((constructor(101))) static void first(void) { order = 1; }
__attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void last(void) { printf("%d %d\\n", own, order); }
static void *change(void *to) { own = 7; *(int *)to = own; return NULL; }
int main(void) {
  int other = 0;
  pthread_t thread;
  own++;
  if (pthread_create(&thread, NULL, change, &other) || pthread_join(thread, NULL)) return 1;
  printf("%d ", other);
  return 0;
}
"""


def test_thread_local_variables_and_constructors(work: Work, one: Recipe, tmp_path: Path) -> None:
    (work.folder / "threads.c").write_text(THREADS)
    recipe = Recipe(rules=(Rule(source="*", sequences=one.rules[0].sequences),))
    flag = f"-fpass-plugin={build_plugin(recipe, tmp_path, work.clang)}"
    for more in ((), ("-fPIC", "-ftls-model=global-dynamic")):
        work.compile("threads.c", "-o", "prog", "-pthread", *more, *NO_PASSES, flag)
        assert work.run("./prog") == "7 6 12\n"


def build(recipe: Recipe, work: Work, folder: Path, env: dict[str, str] | None = None) -> dict[str, bytes]:
    """The objects of a build, of each file without and with a further option."""
    shutil.copytree(work.folder, folder)
    flag = f"-fpass-plugin={build_plugin(recipe, folder, work.clang)}"
    for name in ("table", "main"):
        for flags in ((), ("-fno-pic",)):
            object_ = f"{name}{len(flags)}.o"
            words = ("-c", f"{name}.c", "-o", object_, *flags, *NO_PASSES, flag)
            work.run(work.clang, *words, cwd=folder, env=env or {})
    return {path.name: path.read_bytes() for path in folder.glob("*.o")}


def test_two_builds_are_equal_and_a_frozen_recipe_has_the_same_objects(
    work: Work, eight: Recipe, tmp_path: Path
) -> None:
    record, given, target = (tmp_path / name for name in ("record", "eight.json", "frozen.json"))
    record.mkdir()
    objects = build(eight, work, tmp_path / "first", env={"OPTARENA_RECORD": str(record)})
    assert len(objects) == len(list(record.glob("*.bc"))) == 4
    assert build(eight, work, tmp_path / "second folder") == objects
    given.write_text(write_recipe(eight))
    command = ["deploy", "freeze", str(given), str(record), "--output", str(target)]
    assert CliRunner().invoke(main, command).exit_code == 0
    recipe = read_recipe(target)
    assert all(len(rule.sequences) == 1 for rule in recipe.rules)
    assert build(recipe, work, tmp_path / "third") == objects


def test_a_file_that_is_compiled_twice_may_have_two_sequences(
    work: Work, eight: Recipe, tmp_path: Path
) -> None:
    build(eight, work, tmp_path / "first", env={"OPTARENA_RECORD": str(tmp_path)})
    chosen = (0, 3, 2, 2)  # in the order of the build
    lines = [line.split("\t") for line in (tmp_path / "modules.tsv").read_text().splitlines()]
    text = "".join(
        "\t".join([hash_, "0", str(number), "0", f"../{source}\n"])
        for number, (hash_, *_, source) in zip(chosen, lines, strict=True)
    )
    (tmp_path / "modules.tsv").write_text(text)
    recipe = frozen(eight, tmp_path)
    assert [(one.source, bool(one.sha256)) for one in recipe.rules] == [
        ("", True), ("", True), ("main.c", False), ("*", False)
    ]  # fmt: skip
    objects = build(recipe, work, tmp_path / "second")
    for number, name in zip(chosen, ("table0.o", "table1.o", "main0.o", "main1.o"), strict=True):
        rule = Rule(source="*", sequences=(eight.rules[0].sequences[number],))
        alone = build(Recipe(rules=(rule,)), work, tmp_path / f"alone {name}")
        assert objects[name] == alone[name]


def test_a_changed_recipe_is_not_hidden_by_a_cache(work: Work, one: Recipe, tmp_path: Path) -> None:
    ccache = need(CCACHE)
    objects = []
    for recipe in (one, sequences_recipe([])):
        for form in ("flags", "config"):
            file = export(recipe, form, tmp_path / "recipe", work.clang).file
            words = [f"--config={file}"] if form == "config" else file.read_text().split()
            words += ["-c", "table.c", "-o", "table.o"]
            work.run(ccache, work.clang, *words, env={"CCACHE_DIR": str(tmp_path / "cache")})
            objects.append(work.read("table.o"))
    assert objects[0] == objects[1] != objects[2] == objects[3]
