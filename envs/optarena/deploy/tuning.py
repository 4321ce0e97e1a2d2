"""Searches for a build: sequences for the modules that a plugin has recorded. Later builds choose from them.

A search measures position-independent code and data. What counts is what clang makes of the file in the build
itself: there, each sequence is tried beside the level and the portfolio.

A program that is optimised as a whole is recorded by the linker: of files that had clang's own passes, as
-flto has them, and of those for a sequence, which had none. The one sequence of its recipe is chosen here,
by what the linker makes of it.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import shlex
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Words
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from optarena.agents.catalogue import AgentSpec, sources_of
from optarena.agents.evaluator import Evaluator
from optarena.agents.known_sequences import find_portfolio
from optarena.agents.outcomes import Budget, Objective
from optarena.agents.searching import generator
from optarena.datasets import Benchmark, Workload
from optarena.deploy.exports import UNOPTIMISED, find_archiver, find_lld, link_passes
from optarena.deploy.plugin import build_plugin, level_flags
from optarena.deploy.recipe import (
    CODE,
    EVERY,
    LINK,
    LOADED,
    METRICS,
    REQUIRED,
    UNIT,
    Recipe,
    Rule,
    Sequence,
    default_sequence,
    linked_prefix,
)
from optarena.deploy.sources import (
    MOST,
    PORTFOLIO,
    RECORD,
    frozen,
    portfolio_sequences,
    read_record,
    sequences_recipe,
)
from optarena.env.confined import judge
from optarena.errors import InvalidInput
from optarena.limits import COMPILE_SECONDS
from optarena.llvm import toolchain
from optarena.llvm.actions import CURATED
from optarena.llvm.description import LOAD_SIZE, TEXT_SIZE
from optarena.llvm.execution import run_program
from optarena.llvm.linking import Part, link
from optarena.llvm.making import make_benchmark
from optarena.llvm.module import Module
from optarena.llvm.observations import PIC_TEXT_SIZE
from optarena.machine_code.elf import executable_bytes, loaded_bytes
from optarena.specs import environment_spec

ENVIRONMENT: Final = "llvm-loadsize-v0"
LINK_SECONDS: Final = 600.0
_MEASURED: Final = {LOADED: LOAD_SIZE, CODE: replace(TEXT_SIZE, observation=PIC_TEXT_SIZE)}
_BYTES: Final = {LOADED: loaded_bytes, CODE: executable_bytes}
# What make takes as one word.
_LEAST_SECONDS: Final = 0.001  # of a file that comes when the time is up: its start alone is measured
_ONE_WORD: Final = re.compile(r"[\w./+-]+")
# Gives the linked module instead of the program.
_UNOPTIMISED: Final = "--lto-newpm-passes=no-op-module --lto-emit-llvm"
_LINKER: Final = """\
#!/bin/sh
# Links, and once more to keep the module before the linker optimises it.
{lld} "$@" || exit
target=a.out before=
for word; do
  [ "$before" != -o ] || target=$word
  before=$word
done
case $target in /*) ;; *) target=$PWD/$target ;; esac
module=$OPTARENA_RECORD/$$
{lld} "$@" -o "$module" {unoptimised} 2>/dev/null
if [ -f "$module" ] && [ "$(head -c 2 "$module")" = BC ]; then  # else no part of it is LLVM's
  hash=$(sha256sum <"$module") hash=${{hash%% *}} given=${{OPTARENA_LTO_FLAGS:+1}}
  mv "$module" "$OPTARENA_RECORD/$hash.bc"
  printf '%s\\t0\\t%s\\t0\\t%s\\n' "$hash" "${{given:-0}}" "$target" >>"$OPTARENA_RECORD/{record}"
fi
rm -f "$module"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedModule:
    """What a search found for a module.

    Attributes:
        hash: The module's, which names its file in the folder.
        source: The file, as rules name it, or the linked program.
        before: Bytes of the module without optimisation, as the environment measures them.
        found: The same of the best sequence.
        sequence: None if no sequence is better than nothing.
    """

    hash: str
    source: str
    before: float
    found: float
    sequence: Sequence | None


def record_build(command: Words[str], folder: Path, clang: Path, *, level: str, scope: str = UNIT) -> Path:
    """Run a build whose compiler keeps each module, and return the folder of modules, below the given one.

    The compiler is set by CC and CXX, and in Makefiles that assign these too. For whole programs, files are
    compiled for link-time optimisation, and the linker keeps the modules. The build is then run twice:
    without clang's own passes on each file, and with them.

    Raises:
        InvalidInput: The build cannot be started or fails, or it compiled nothing, or not the same twice.
        ToolMissing: This clang does not load the plugin, or the linker is missing.
    """
    record = folder / "record"
    record.mkdir()
    tools = _compilers(folder)
    if scope == UNIT:
        plugin = build_plugin(sequences_recipe([], level=level), folder, clang)
        keepers = [{"OPTARENA_PASS_PLUGIN": str(plugin)}]
    else:
        linker = _recording_linker(folder, clang, level)
        keepers = [{**linker, "OPTARENA_LTO_FLAGS": words} for words in (" ".join(UNOPTIMISED), "")]
    changed = {
        "OPTARENA_CLANG": str(clang),
        "OPTARENA_RECORD": str(record),
        "CCACHE_DISABLE": "1",  # what is not compiled is not recorded
        **tools,
    }
    flags = [os.environ.get("MAKEFLAGS", ""), *(f"{name}={value}" for name, value in tools.items())]
    changed["MAKEFLAGS"] = " ".join(flags).strip()
    for keeper in keepers:
        _run_build(command, {**os.environ, **changed, **keeper})
    _check_record(record, shlex.join(command), scope)
    return record


def _run_build(command: Words[str], environment: Mapping[str, str]) -> None:
    text = shlex.join(command)
    try:
        # The build's output is not this command's result.
        done = subprocess.run(command, env=environment, stdout=2, check=False)  # noqa: S603 # the user's
    except OSError as error:
        message = f"{command[0]} cannot be started: {error.strerror}."
        remedy = "Name a folder of recorded modules, or, behind --, the command of a build."
        raise InvalidInput(message, field="command", value=text, remedy=remedy) from error
    if done.returncode:
        ended = (
            f"with exit code {done.returncode}" if done.returncode > 0 else f"by signal {-done.returncode}"
        )
        message, remedy = f"The build ended {ended}: {text}.", "Its output stands above; correct it."
        raise InvalidInput(message, field="command", value=text, remedy=remedy)


def _check_record(record: Path, text: str, scope: str) -> None:
    rows = read_record(record) if (record / RECORD).exists() else []
    did, kept = (
        ("compiled", "-O0, as Meson does by default, or -flto") if scope == UNIT else ("linked", "-O0")
    )
    if scope == LINK and rows and len(linked_modules(record)) < len({source for _, source, *_ in rows}):
        message = f"The build did not link the same programs when it was run once more: {text}."
        remedy = (
            "For whole programs it is run twice: let the command make everything anew, as `make -B` and "
            "`cmake --build … --clean-first` do, or remove what it made before."
        )
    elif not rows:
        message = f"The build {did} nothing that can be tuned: {text}."
        remedy = (
            "Remove what it made before, for example by `make clean`, and leave CC= out of the command. If "
            "CMake, Meson or a configure script has stored the compiler, let the command configure a new "
            f"folder as well, by `-- sh -c '…'`. Files compiled with {kept} are left as they are."
        )
    else:
        return
    raise InvalidInput(message, field="command", value=text, remedy=remedy)


def linked_modules(folder: Path) -> dict[str, tuple[str, str]]:
    """For each linked program the hashes of its modules, of files with clang's own passes and without.

    Raises:
        InvalidInput: Nothing was recorded there.
    """
    found: tuple[dict[str, str], dict[str, str]] = {}, {}
    for hash_, source, _, number in read_record(folder):
        found[bool(number)][source] = hash_
    return {source: (hash_, found[1][source]) for source, hash_ in found[0].items() if source in found[1]}


def _recording_linker(folder: Path, clang: Path, level: str) -> dict[str, str]:
    # The variables by which builds link with it, and find an archiver, which not all of them need.
    linker = folder / f"optarena-{level}-linker"  # optarena-cc reads the level
    text = _LINKER.format(lld=shlex.quote(str(find_lld(clang))), unoptimised=_UNOPTIMISED, record=RECORD)
    linker.write_text(text, encoding="utf-8")
    linker.chmod(0o755)
    tools, archiver = folder / "tools", find_archiver(clang)
    tools.mkdir()
    for name in ("ar", "ranlib", "llvm-ar", "llvm-ranlib"):  # it does what its name says
        if archiver is not None:
            (tools / name).symlink_to(archiver)
    return {"OPTARENA_LLD": str(linker), "PATH": f"{tools}:{os.environ.get('PATH', os.defpath)}"}


def _compilers(folder: Path) -> dict[str, str]:
    # A configured build keeps the path, which should last. Makefiles split it at spaces.
    chosen = {}
    for variable, name in (("CC", "optarena-cc"), ("CXX", "optarena-c++")):
        packaged = Path(str(resources.files(__package__).joinpath(name)))
        installed = Path(sysconfig.get_path("scripts"), name)
        # A checkout may be newer than what is installed.
        is_same = installed.is_file() and installed.read_bytes() == packaged.read_bytes()
        places = [installed, packaged] if is_same else [packaged]
        lasting = next((path for path in places if _ONE_WORD.fullmatch(str(path))), None)
        if lasting is None:
            lasting = folder / name
            lasting.symlink_to(places[0])
        chosen[variable] = str(lasting)
    return chosen


def tune(  # noqa: PLR0913 # all but the first two by keyword
    folder: Path,
    agent: AgentSpec,
    *,
    whole: Budget,
    metric: str = METRICS[0],
    scope: str = UNIT,
    required: str = REQUIRED,
    seed: int = 0,
    nproc: int = 1,
) -> Iterator[TunedModule]:
    """Search on each module that was recorded. All share the time; each has the number of evaluations.

    Args:
        folder: Where they were recorded.
        agent: The agent.
        whole: What may be spent.
        metric: One of a recipe's.
        scope: What the modules are: single files, or linked programs.
        required: What runs before each sequence.
        seed: Of random choices.
        nproc: Processes of the search.

    Raises:
        InvalidInput: Nothing was recorded, or a module cannot be read.
    """
    if scope == UNIT:
        modules = {hash_: source for hash_, source, *_ in read_record(folder)}
    else:
        modules = {hash_: source for source, (_, hash_) in linked_modules(folder).items()}
    if not modules:
        message, remedy = f"{folder} has no module.", "Build with a plugin and OPTARENA_RECORD first."
        if scope == LINK:
            message = f"{folder} has no linked program, but modules of single files."
            remedy = "Name the command of the build behind --, which then links and records."
        raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy)
    spec = environment_spec(ENVIRONMENT)
    objective = Objective(_MEASURED[metric], Objective.of(spec).cost)
    # A level's passes are in no portfolio.
    known = agent.known(CURATED, {"portfolio": find_portfolio(PORTFOLIO, CURATED)})
    search = agent.make(sources_of(known), agent.settings({}))
    until = time.monotonic() + whole.seconds
    for number, (hash_, source) in enumerate(modules.items()):
        passes = required if scope == UNIT else linked_prefix(required)
        benchmark = _prepared(folder / f"{hash_}.bc", passes)
        seconds = (until - time.monotonic()) / (len(modules) - number)
        budget = Budget(whole.evaluations, max(seconds, _LEAST_SECONDS))
        with Evaluator(spec, benchmark, budget, objective=objective, nproc=nproc) as evaluator:
            best = [evaluator.start, *search(evaluator, budget, generator(seed, hash_))][-1]
            actions = tuple(int(one) for one in best.effective)
            sequence = Sequence.of_actions(actions, origin={"agent": agent.name}) if actions else None
            yield TunedModule(
                hash=hash_,
                source=source,
                before=objective.value(evaluator.start.loss) or math.nan,
                found=objective.value(best.loss) or math.nan,
                sequence=sequence,
            )


def _prepared(path: Path, required: str) -> Benchmark:
    # A search would otherwise not see what always_inline makes of the module.
    given = Benchmark.from_file(path)
    if not required:
        return given
    module = Module.parse(given.program())
    try:
        module.run(required)
        return Benchmark.from_bytes(given.uri, module.bitcode())
    finally:
        module.close()


def choosing_recipe(
    tuned: list[TunedModule], *, level: str = "Oz", metric: str = METRICS[0], required: str = REQUIRED
) -> Recipe:
    """The recipe that tries, for each file, the level, what was found for it, and the portfolio."""
    default = default_sequence(level)
    portfolio = tuple(portfolio_sequences())[: MOST - 1]
    found: dict[str, dict[str, Sequence]] = {}
    for one in tuned:
        if one.sequence is not None:
            found.setdefault(one.source, {})[one.sequence.pipeline] = one.sequence
    rules = [
        Rule(source=source, sequences=(default, *list(own.values())[:MOST], *portfolio))
        for source, own in sorted(found.items(), key=lambda pair: (-len(pair[0]), pair[0]))
    ]
    last = Rule(source=EVERY, sequences=(default, *portfolio))
    return Recipe(rules=(*rules, last), level=level, metric=metric, required=required)


def linked_recipe(  # noqa: PLR0913 # all but the first three by keyword
    folder: Path,
    tuned: list[TunedModule],
    clang: Path,
    *,
    level: str = "Oz",
    metric: str = METRICS[0],
    required: str = REQUIRED,
) -> tuple[Recipe, list[tuple[str, str, list[int]]]]:
    """The recipe with the sequence that makes the linked programs smallest, and their sizes.

    The linker tries its own passes, what was found for each program, and the portfolio. The sizes are
    as ``Compilation.sizes`` has them: with -flto at the level, and with the recipe.

    Raises:
        InvalidInput: The linker fails with its own passes.
        ToolMissing: The linker is missing.
    """
    linker, default = find_lld(clang), default_sequence(level, LINK)
    found = (one.sequence for one in tuned if one.sequence is not None)
    options = {"scope": LINK, "level": level, "metric": metric, "required": required}
    every = [sequences_recipe([one], **options) for one in (default, *found, *portfolio_sequences())]
    modules = linked_modules(folder)
    sizes = [
        [
            _linked_sizes(linker, folder / f"{hashes[bool(link_passes(one))]}.bc", one)
            for hashes in modules.values()
        ]
        for one in every
    ]
    plain = sizes[0]
    if not all(plain):
        message, remedy = "The linker fails with its own passes.", "Link with -flto, and see what it says."
        raise InvalidInput(message, field="command", remedy=remedy)
    # Of equal ones the first, which may be the level.
    best = min(
        range(len(every)), key=lambda one: math.fsum(bytes_.get(metric, math.inf) for bytes_ in sizes[one])
    )
    rows = [
        (source, what, [before[which], after[which]])
        for source, before, after in zip(modules, plain, sizes[best], strict=True)
        for what, which in (("code", CODE), ("loaded", LOADED))
    ]
    return every[best], rows


def _linked_sizes(linker: Path, module: Path, recipe: Recipe) -> dict[str, int]:
    # By metric, of what the linker makes of a module that it has linked; empty if it fails.
    with tempfile.TemporaryDirectory(prefix="optarena-linked-") as place:
        made, given = Path(place, "made.o"), Path(place, "options")
        level = recipe.level[1]
        options = [f"--lto-O{level if level.isdigit() else 2}", "-r", "-o", shlex.quote(str(made))]
        if passes := link_passes(recipe):
            options.append(f"--lto-newpm-passes={passes}")
        given.write_text("\n".join(options))  # a word of a command line may not be as long
        with contextlib.suppress(TimeoutError):
            ended = toolchain.run(
                [str(linker), f"@{given}", str(module.absolute())], folder=Path(place), seconds=LINK_SECONDS
            )
            if not ended.code:
                content = made.read_bytes()
                return {metric: measure(content) for metric, measure in _BYTES.items()}
    return {}


def recorded_sizes(
    folder: Path, tuned: list[TunedModule], recipe: Recipe, clang: Path
) -> Iterator[tuple[str, str, list[int]]]:
    """For each module that was recorded, what ``Compilation.sizes`` says: at the level, and with the recipe.

    Clang compiles the modules as for position-independent programs.
    """
    files = tuple(str(folder / f"{one.hash}.bc") for one in tuned)
    compilation = Compilation(
        clang=clang, files=files, options=("-x", "ir"), level=recipe.level, shown=(recipe.level,)
    )
    sources = dict(zip(files, (one.source for one in tuned), strict=True))
    with tempfile.TemporaryDirectory(prefix="optarena-tuned-") as place:
        for file, what, sizes in compilation.sizes(compilation.compile(recipe, Path(place), "-w")):
            yield sources[file], what, sizes


def recorded_workloads(folder: Path, runs: Words[str]) -> tuple[Workload, ...]:
    """Runs of the program whose modules a compilation has recorded, with the output that they must keep.

    Args:
        folder: Where they were recorded.
        runs: For each run the arguments, as in a shell. ``<`` stands before the file of the standard input.
            Files among the arguments can be read.

    Raises:
        InvalidInput: The modules are not a program that can be run, or its output depends on chance.
    """
    given = [_workload(f"run {number}", text) for number, text in enumerate(runs, start=1)]
    modules = [str(folder / f"{hash_}.bc") for hash_, *_ in read_record(folder)]
    return make_benchmark(modules, name="program", workloads=given, record_workloads=True).workloads


def _workload(name: str, text: str) -> Workload:
    try:
        words = shlex.split(text)
        place = words.index("<") if "<" in words else len(words)
        args, given = words[:place], words[place + 1 :]
        if len(given) != (place < len(words)):
            raise ValueError("one file must follow <")  # noqa: TRY301 # told as shlex's errors are
        stdin = Path(given[0]).read_bytes() if given else b""
        files = {one: Path(one).read_bytes() for one in args if one and Path(one).is_file()}
        return Workload(name=name, args=tuple(args), stdin=stdin, files=files)
    except (ValueError, OSError) as error:
        message = f"{text!r:.200} is not a run: {getattr(error, 'strerror', None) or error}."
        remedy = "Give a program's arguments as in a shell, such as '-9 text.txt' or '-d < packed.bin'."
        raise InvalidInput(message, field="run", value=text, remedy=remedy) from error


def chosen_recipe(
    compilation: Compilation, recipe: Recipe, workloads: Words[Workload]
) -> tuple[Recipe, list[str]]:
    """The recipe with the sequence for each file that makes it smallest and keeps the program's output.

    The list says for which files sequences were dropped.

    Raises:
        InvalidInput: Even the level's own passes change the output.
    """
    said: list[str] = []
    while True:
        with tempfile.TemporaryDirectory(prefix="optarena-chosen-") as place:
            folder = Path(place)
            compilation.compile(recipe, folder, "-w", record=folder)
            changing = _changing(recipe, folder, workloads) if workloads else {}
            if not changing:
                return frozen(recipe, folder), said
        said += [line for lines in changing.values() for line in lines]
        kept = (
            replace(one, sequences=tuple(each for each in one.sequences if each.pipeline not in changing))
            for one in recipe.rules
        )
        recipe = replace(recipe, rules=tuple(kept))


def _changing(recipe: Recipe, folder: Path, workloads: Words[Workload]) -> dict[str, list[str]]:
    # The chosen sequences with which the program prints something else, each with what it does. A level is
    # no sequence that can be dropped. A module that is read has other orders of uses than clang's, so passes
    # may do otherwise with it: what counts is what the plugin made.
    plain, made, chosen = {}, {}, {}
    for hash_, source, rule, number in read_record(folder):
        pipeline = recipe.rules[rule].sequences[number].pipeline
        plain[source] = (folder / f"{hash_}.bc").read_bytes()
        made[source] = (folder / f"{hash_}.made").read_bytes()
        if number:  # the level comes first
            chosen[source] = pipeline
    problem = _problem(made, workloads)
    if not problem:
        return {}
    alone = {source: _problem({**plain, source: made[source]}, workloads) for source in chosen}
    guilty = {source: told for source, told in alone.items() if told} or dict.fromkeys(chosen, problem)
    if not guilty:
        message, remedy = (
            f"The passes of -{recipe.level} change the output: {problem}",
            "Correct the program.",
        )
        raise InvalidInput(message, field="run", remedy=remedy)
    dropped: dict[str, list[str]] = {}
    for source, told in guilty.items():
        line = f"{source}: a smaller one was dropped, since it changes the program. {told}"
        dropped.setdefault(chosen[source], []).append(line)
    return dropped


def _problem(modules: Mapping[str, bytes], workloads: Words[Workload]) -> str:
    # What the linked modules do otherwise than expected; empty if nothing.
    parts = [Part(name=name, data=data) for name, data in modules.items()]
    program = link(parts, seconds=COMPILE_SECONDS, runnable=True)
    for one in workloads:
        execution = run_program(program, args=one.args, stdin=one.stdin, files=one.files)
        result = judge(one, execution)
        if not result.ok:
            return f"{one.name}: {result.detail}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """Files that clang compiles one by one, with the options of their user before the level.

    Attributes:
        shown: The levels that a table compares with.
    """

    clang: Path
    files: tuple[str, ...]
    options: tuple[str, ...]
    level: str
    shown: tuple[str, ...] = ("O2", "Oz")

    def __post_init__(self) -> None:
        names = [Path(one).stem for one in self.files]
        twice = next((one for one in names if names.count(one) > 1), None)
        if twice is not None:
            message, remedy = f"Two files are named {twice}.", "Give files whose objects differ in name."
            raise InvalidInput(message, field="files", value=twice, remedy=remedy)

    def compile(self, recipe: Recipe, folder: Path, *more: str, record: Path | None = None) -> list[Path]:
        """The objects in a folder, which is made, and gets the plugin.

        Raises:
            InvalidInput: A file does not compile; clang has said why.
            ToolMissing: This clang does not load the plugin.
        """
        plugin = build_plugin(recipe, folder, self.clang)
        return self._objects(folder, (*more, *level_flags(recipe.level), f"-fpass-plugin={plugin}"), record)

    def sizes(self, made: list[Path]) -> Iterator[tuple[str, str, list[int]]]:
        """For each file the bytes of code, and those loaded: at the levels shown, and as it was made."""
        with tempfile.TemporaryDirectory(prefix="optarena-levels-") as folder:
            levels = [self._objects(Path(folder, level), ("-w", f"-{level}"), None) for level in self.shown]
            for name, *objects in zip(self.files, *levels, made, strict=True):
                contents = [one.read_bytes() for one in objects]
                yield name, "code", [executable_bytes(one) for one in contents]
                yield name, "loaded", [loaded_bytes(one) for one in contents]

    def _objects(self, folder: Path, flags: tuple[str, ...], record: Path | None) -> list[Path]:
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        environment = {name: value for name, value in os.environ.items() if name != "OPTARENA_RECORD"}
        if record is not None:
            environment["OPTARENA_RECORD"] = str(record)
        for file in self.files:
            target = folder / f"{Path(file).stem}.o"
            command = [str(self.clang), *self.options, *flags, "-c", file, "-o", str(target)]
            done = subprocess.run(command, env=environment, check=False)  # noqa: S603 # clang
            if done.returncode:
                message = f"{file} does not compile; clang says why."
                raise InvalidInput(message, field="files", value=file, remedy="Correct it, or its options.")
            made.append(target)
        return made
