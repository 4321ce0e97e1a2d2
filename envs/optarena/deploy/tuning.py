"""Searches for a build: sequences for the modules that a plugin has recorded. Later builds choose from them.

A search measures position-independent code and data. What counts is what clang makes of the file in the build
itself: there, each sequence is tried beside the level and the portfolio.
"""

from __future__ import annotations

import math
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.agents.catalogue import sources_of
from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Budget, Objective
from optarena.agents.searching import generator
from optarena.datasets import Benchmark
from optarena.deploy.plugin import build_plugin, level_flags
from optarena.deploy.recipe import EVERY, METRICS, REQUIRED, Recipe, Rule, Sequence, default_sequence
from optarena.deploy.sources import MOST, portfolio_sequences, read_record
from optarena.errors import InvalidInput
from optarena.llvm.description import LOAD_SIZE
from optarena.llvm.module import Module
from optarena.machine_code.elf import executable_bytes, loaded_bytes
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.agents.catalogue import AgentSpec

ENVIRONMENT: Final = "llvm-loadsize-v0"
# The levels that a table compares with.
SHOWN: Final = ("O2", "Oz")


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedModule:
    """What a search found for a module.

    Attributes:
        source: The file, as rules name it.
        before: Bytes of the module without optimisation, as the environment measures them.
        found: The same of the best sequence.
        sequence: None if no sequence is better than nothing.
    """

    source: str
    before: float
    found: float
    sequence: Sequence | None


def tune(
    folder: Path, agent: AgentSpec, *, whole: Budget, seed: int = 0, nproc: int = 1
) -> Iterator[TunedModule]:
    """Search on each module that was recorded. All share the time; each has the number of evaluations.

    Raises:
        InvalidInput: Nothing was recorded, or a module cannot be read.
    """
    modules = {hash_: source for hash_, source, *_ in read_record(folder)}
    if not modules:
        message, remedy = f"{folder} has no module.", "Build with a plugin and OPTARENA_RECORD first."
        raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy)
    spec = environment_spec(ENVIRONMENT)
    objective = Objective.of(spec, LOAD_SIZE.name)
    known = sources_of(agent.known(spec.action_table))
    search = agent.make(known, agent.settings({}))
    for hash_, source in modules.items():
        benchmark = _prepared(folder / f"{hash_}.bc")
        budget = Budget(whole.evaluations, whole.seconds / len(modules))
        with Evaluator(spec, benchmark, budget, objective=objective, nproc=nproc) as evaluator:
            best = [evaluator.start, *search(evaluator, budget, generator(seed, hash_))][-1]
            actions = tuple(int(one) for one in best.effective)
            sequence = Sequence.of_actions(actions, origin={"agent": agent.name}) if actions else None
            yield TunedModule(
                source=source,
                before=objective.value(evaluator.start.loss) or math.nan,
                found=objective.value(best.loss) or math.nan,
                sequence=sequence,
            )


def _prepared(path: Path) -> Benchmark:
    # A search would otherwise not see what always_inline makes of the module.
    given = Benchmark.from_file(path)
    module = Module.parse(given.program())
    try:
        module.run(REQUIRED)
        return Benchmark.from_bytes(given.uri, module.bitcode())
    finally:
        module.close()


def choosing_recipe(tuned: list[TunedModule], *, level: str = "Oz", metric: str = METRICS[0]) -> Recipe:
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
    return Recipe(rules=(*rules, last), level=level, metric=metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """Files that clang compiles one by one, with the options of their user before the level."""

    clang: Path
    files: tuple[str, ...]
    options: tuple[str, ...]
    level: str

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
            levels = [self._objects(Path(folder, level), ("-w", f"-{level}"), None) for level in SHOWN]
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
