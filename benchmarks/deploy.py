"""Measures builds with recipes: size of code, loaded bytes, and time, beside builds with -Oz and -flto.

    python benchmarks/deploy.py [--minutes M] [--repeats N] [--programs NAME ...]

The programs are zlib, lz4 and cmark of the suite programs-v0, whose pinned packages are fetched at the first
use. These packages do not have the programs' own build systems: a Makefile compiles the translation units of
the dataset, with its driver, one by one, and links them. Bytes are those of the linked program, so the
start-up code of the C library counts too. Of all repeats the least time counts; CPU is that of make and its
children. Every program runs the dataset's workloads, and must print what that of -Oz prints.

The builds: `apply` runs the portfolio's first sequence on every file. `choose K` tries the level and K
sequences of the portfolio, for code or, in `choose loaded`, for loaded bytes; in `as found` no always_inline
is obeyed before a sequence. `frozen` has what `choose 8` chose. `tuned` is frozen after `optarena deploy
tune`, and `choose tuned` before. `link` has what `optarena deploy tune --scope link` found. Both searches get
M minutes for all programs together.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from kit import ROOT, aim, milliseconds, show

from datasets.builder.preprocessing import Staged, staged_program
from datasets.builder.sources import Sources
from datasets.builder.suite import Program, read_suite
from optarena import paths
from optarena.deploy.exports import export
from optarena.deploy.plugin import find_clang, level_flags
from optarena.deploy.recipe import CODE, EVERY, LINK, LOADED, UNIT, Recipe, Rule, read_recipe
from optarena.deploy.sources import frozen, portfolio_sequences, sequences_recipe
from optarena.machine_code.elf import executable_bytes, loaded_bytes

PROGRAMS = ("zlib", "lz4", "cmark")
# CPU as a multiple of that with -Oz, and how many times smaller code must be.
APPLY, CHOOSE, SMALLER, TUNED, LINKED, WRAPPER = 1.15, 1.25, 1.03, 1.045, 1.01, 5.0


@dataclass(frozen=True, kw_only=True)
class Build:
    code: int
    loaded: int
    cpu: float
    wall: float
    objects: dict[str, bytes]


class Workplace:
    # A program's sources, and the folders of its builds.

    def __init__(self, program: Program, laid_out: Staged, folder: Path, repeats: int) -> None:
        self.clang, self.folder, self._repeats = find_clang(), folder, repeats
        self._program = program
        self.builds: dict[str, Build] = {}
        self._printed: list[tuple[int, bytes]] = []
        flags = shlex.join(["-std=gnu17", "-w", *program.flags, *laid_out.flags])
        names = [f"{number}.o" for number in range(len(laid_out.units))]
        rules = [
            f"{name}: {unit.path}\n\t$(CC) $(CFLAGS) {flags} -c {unit.path} -o $@"
            for name, unit in zip(names, laid_out.units, strict=True)
        ]
        link = f"program: {' '.join(names)}\n\t$(CC) $(CFLAGS) {' '.join(names)} -o $@ -lm"
        self.makefile = folder / "Makefile"
        self.makefile.write_text("\n".join([link, *rules, ""]))

    def command(self, place: Path, compiler: str) -> list[str]:
        place.mkdir(exist_ok=True)
        return ["make", "-s", "-C", str(place), "-f", str(self.makefile), f"CC={compiler}"]

    def build(self, name: str, *flags: str, repeats: int = 0, record: Path | None = None) -> Build:
        changed = {} if record is None else {"OPTARENA_RECORD": str(record)}
        place, times = self.folder / name.replace(" ", "-"), []
        for _ in range(repeats or self._repeats):
            shutil.rmtree(place, ignore_errors=True)
            command = [*self.command(place, str(self.clang)), f"CFLAGS={shlex.join(flags)}"]
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(command, check=True, env={**os.environ, **changed})  # noqa: S603 # ours
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            times.append((used, time.perf_counter() - start))
            changed = {}  # one record is enough
        self._check(place / "program", name)
        content = (place / "program").read_bytes()
        self.builds[name] = Build(
            code=executable_bytes(content),
            loaded=loaded_bytes(content),
            cpu=min(cpu for cpu, _ in times),
            wall=min(wall for _, wall in times),
            objects={path.name: path.read_bytes() for path in place.glob("*.o")},
        )
        return self.builds[name]

    def _check(self, program: Path, name: str) -> None:
        printed = []
        for run in self._program.workloads:
            done = subprocess.run(  # noqa: S603 # ours
                [program, *run.args], input=run.stdin.encode(), capture_output=True, check=False
            )
            printed.append((done.returncode, done.stdout))
        self._printed = self._printed or printed
        if printed != self._printed:
            raise SystemExit(f"{self._program.name}, {name}: the program prints something else")

    def build_with(self, name: str, recipe: Recipe, *, repeats: int = 0, record: Path | None = None) -> Build:
        place = self.folder / f"recipe-{name.replace(' ', '-')}"
        config = export(recipe, "config", place, self.clang).file
        return self.build(name, f"--config={config}", repeats=repeats, record=record)

    def choose_and_freeze(self, recipe: Recipe, chosen: str, name: str) -> None:
        record = self.folder / f"record-{name}"
        record.mkdir()
        self.build_with(chosen, recipe, record=record)
        self.build_with(name, frozen(recipe, record))
        if self.builds[name].objects != self.builds[chosen].objects:
            raise SystemExit(f"{self._program.name}: frozen objects differ from those that were chosen")

    def tune(self, minutes: float, scope: str) -> Recipe:
        target, place = self.folder / f"tuned-{scope}.json", self.folder / f"tuning-{scope}"
        command = self.command(place, "cc")[:-1]  # `tune` names the compiler
        options = ("--scope", scope, "--metric", CODE, "--minutes", minutes, "--output", target)
        optarena("deploy", "tune", *options, "--", *command, "-B")
        return read_recipe(target)


def optarena(*words: object) -> None:
    command = [sys.executable, "-m", "optarena", *map(str, words)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 # ours


def measure(place: Workplace, minutes: float) -> None:
    sequences = list(portfolio_sequences())
    place.build("-Oz", "-Oz")
    place.build_with("apply", Recipe(rules=(Rule(source=EVERY, sequences=(sequences[0],)),)))
    place.build_with("choose 4", sequences_recipe(sequences[:4], metric=CODE))
    place.choose_and_freeze(sequences_recipe(sequences, metric=CODE), "choose 8", "frozen")
    place.build_with("choose loaded", sequences_recipe(sequences, metric=LOADED), repeats=1)
    place.build_with("as found", sequences_recipe(sequences, metric=CODE, required=""), repeats=1)
    place.build("-flto -Oz", "-flto", "-Oz")
    if minutes:
        place.build_with("link", place.tune(minutes, LINK))
        place.choose_and_freeze(place.tune(minutes, UNIT), "choose tuned", "tuned")


def show_table(programs: dict[str, dict[str, Build]]) -> None:
    # Sizes of link recipes are compared with those of -flto -Oz.
    print("program  build             code  smaller   loaded  smaller   CPU s  of -Oz  wall s")
    for program, builds in programs.items():
        plain = builds["-Oz"]
        for name, one in builds.items():
            base = builds["-flto -Oz"] if name.startswith("link") else plain
            sizes = (
                f"{one.code:8,} {base.code / one.code:8.3f} {one.loaded:8,} {base.loaded / one.loaded:8.3f}"
            )
            times = f"{one.cpu:7.2f} {one.cpu / plain.cpu:7.2f} {one.wall:7.2f}"
            print(f"{program:8} {name:14} {sizes} {times}")


def show_bars(programs: dict[str, dict[str, Build]]) -> None:
    def gain(base: str, name: str) -> float:
        return statistics.geometric_mean(one[base].code / one[name].code for one in programs.values())

    def cost(name: str) -> float:
        return max(builds[name].cpu / builds["-Oz"].cpu for builds in programs.values())

    show("CPU of apply, the most", cost("apply"), aim(cost("apply"), APPLY), "x")
    show("CPU of frozen, the most", cost("frozen"), aim(cost("frozen"), APPLY), "x")
    for number in (4, 8):
        value = cost(f"choose {number}")
        show(f"CPU of choose {number}, the most", value, aim(value, CHOOSE * (number + 1)), "x")
    print("  objects of frozen and choose 8 are the same, and so is what all programs print")
    for name, base, least in (
        ("choose 8", "-Oz", SMALLER),
        ("as found", "-Oz", SMALLER),
        ("tuned", "-Oz", TUNED),
        ("link", "-flto -Oz", LINKED),
    ):
        if all(name in builds for builds in programs.values()):
            value = gain(base, name)
            met = "met" if value >= least else "MISSED"
            show(f"code of {base} / {name}, geometric mean", value, f"aim >= {least:g}: {met}", "x")


def wrapper_milliseconds(folder: Path, calls: int = 40) -> float:
    # The script beside clang with the same flags, in turns.
    clang, source = find_clang(), folder / "one.c"
    source.write_text("int one(int a) { return a + 1; }\n")
    exported = export(sequences_recipe([]), "config", folder / "wrapped", clang)
    plugin = exported.file.with_suffix(".so")
    flags = (*level_flags("Oz"), f"-fpass-plugin={plugin}")
    target = ("-c", str(source), "-o", str(folder / "one.o"))
    script = str(ROOT / "envs/optarena/deploy/optarena-cc")
    environment = {**os.environ, "OPTARENA_PASS_PLUGIN": str(plugin), "OPTARENA_CLANG": str(clang)}
    commands = ([str(clang), *target, *flags], [script, *target])
    times = [
        [milliseconds(lambda: subprocess.run(one, env=environment, check=True)) for one in commands]  # noqa: B023, S603 # called at once; ours
        for _ in range(calls)
    ]
    bare, wrapped = (min(one) for one in zip(*times, strict=True))
    return float(wrapped - bare)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20, help="for `tune` of all programs; 0 for none")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--programs", nargs="+", default=PROGRAMS, choices=PROGRAMS)
    given = parser.parse_args()
    suite = read_suite(ROOT / "datasets/suites/programs-v0")
    sources = Sources(paths.cache() / "suite-sources")
    measured: dict[str, dict[str, Build]] = {}
    with tempfile.TemporaryDirectory(prefix="optarena-benchmark-") as folder:
        for name in given.programs:
            program = next(one for one in suite.programs if one.name == name)
            with staged_program(program, suite, sources) as laid_out:
                (place := Path(folder, name)).mkdir()
                work = Workplace(program, laid_out, place, given.repeats)
                measure(work, given.minutes / len(given.programs))
                measured[name] = work.builds
        show_table(measured)
        show_bars(measured)
        value = wrapper_milliseconds(Path(folder))
        show("optarena-cc beside clang with the same flags, a call", value, aim(value, WRAPPER))


if __name__ == "__main__":
    main()
