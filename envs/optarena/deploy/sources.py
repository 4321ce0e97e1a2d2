"""Where recipes come from: the package's portfolio, states of a file, what submissions found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from optarena.agents.known_sequences import find_portfolio
from optarena.datasets import datasets
from optarena.deploy.recipe import (
    EVERY,
    LINK,
    METRICS,
    REQUIRED,
    UNIT,
    Recipe,
    Rule,
    Sequence,
    default_sequence,
)
from optarena.errors import InvalidInput, OptArenaError
from optarena.llvm.actions import CURATED
from optarena.llvm.toolchain import CLANG_MAJOR
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from optarena.state import EnvState

PORTFOLIO: Final = "builds-v0"
# Of the programs that its sequences were found on: these datasets are not shipped with the package.
_LICENCES: Final = {
    "units-cpp-v0/box2d": "Zlib",
    "units-v0/hiredis": "BSD-3-Clause",
    "units-v0/bcrypt": "ISC AND BSD-3-Clause",
    "units-cpp-v0/libsass": "MIT AND BSL-1.0",
    "units-v0/quickjs": "MIT",
    "units-v0/minimap2": "MIT",
}
MOST: Final = 8
LEVEL: Final = "Oz"
FAST: Final = "O3"
RECORD: Final = "modules.tsv"
# What a build compares where an environment measured this.
_COMPARED: Final = {"ir_instructions": METRICS[0], **{metric: metric for metric in METRICS}}
_ABOVE: Final = re.compile(r"^(\.{1,2}/)+")
# Files and programs by which autoconf, CMake and Meson try the compiler; they do not belong to what is built.
_PROBE: Final = re.compile(
    r"(^|/)(conftest\w*(\.(c|cc|cpp|cxx|C))?$|CMakeFiles/CMake(Scratch|Tmp)/|share/cmake[^/]*/Modules/|"
    r"CMakeC(XX)?Compiler(Id|ABI)\.|CompilerIdC(XX)?/|meson-private/|sanitycheckc(pp)?\.c)"
)


def portfolio_sequences(name: str = PORTFOLIO) -> Iterator[Sequence]:
    """The first sequences of a portfolio; the errors of ``find_portfolio``."""
    for one in find_portfolio(name, CURATED).sequences[:MOST]:
        actions = tuple(int(action) for action in one.actions if not isinstance(action, tuple))
        program = "/".join(one.origin.split("/")[2:4])
        found = origin(benchmark=one.origin, licence=_LICENCES.get(program, ""))
        yield Sequence.of_actions(actions, origin=found)


def state_sequence(state: EnvState, metric: str, **more: str) -> Sequence:
    """The sequence of a state; ``more`` says where it was found.

    Raises:
        InvalidInput: It has no actions, or its actions are not whole passes of LLVM.
    """
    try:
        actions = CURATED.parse(state.commandline)
    except InvalidInput as error:
        message = f"The state of {state.benchmark} is not a sequence of {CURATED.name}: {error.message}"
        remedy = "Builds take sequences of whole passes; choose a state whose command line is one of opt."
        raise InvalidInput(message, field="commandline", value=error.value, remedy=remedy) from error
    if not actions:
        message = f"The state of {state.benchmark} has no actions."
        raise InvalidInput(message, field="commandline", remedy="Choose another state.")
    found = origin(benchmark=state.benchmark, **more)
    return Sequence.of_actions(actions, origin=found, expected=state.claims.get(metric))


def why_not_in_builds(environment: str, version: Mapping[str, Any]) -> str:
    """Why clang cannot run what an environment found; empty if it can.

    Args:
        environment: Its id.
        version: What the version depends on, as ``EnvironmentSpec.version_spec`` says it.
    """
    spec = environment_spec(environment)
    if spec.action_table is not CURATED:
        return (
            f"Builds take sequences of passes of clang {CLANG_MAJOR}, and results of {spec.slug} are none: "
            f"{spec.title}."
        )
    given = str(version.get("engine_version", ""))
    if given.partition(".")[0] != str(CLANG_MAJOR):
        return f"The result is of LLVM {given or 'unknown'}, and passes belong to one major version."
    return ""


def build_metric(metric: str) -> str | None:
    """What a build compares where an environment measured a metric; None for times."""
    return _COMPARED.get(metric)


def item_recipe(sequence: Sequence, metric: str) -> Recipe:
    """The recipe of one sequence that was found for a metric of the environments.

    It has a rule for whole programs, too. If the metric is a time, the sequence is applied to every file: a
    build cannot find out which of two is faster.
    """
    compared, one = build_metric(metric), (sequence,)
    link = Rule(source=EVERY, scope=LINK, sequences=one)
    if compared is None:
        return Recipe(rules=(Rule(source=EVERY, sequences=one), link), level=FAST)
    made = sequences_recipe(one, metric=compared)
    return replace(made, rules=(*made.rules, link))


def sequences_recipe(  # noqa: PLR0913 # the fields of a recipe, by name
    sequences: Iterable[Sequence],
    *,
    source: str = "",
    scope: str = UNIT,
    level: str = LEVEL,
    metric: str = METRICS[0],
    required: str = REQUIRED,
) -> Recipe:
    """The recipe of some sequences.

    For files in general, and where there are several, the compiler's level is tried first and wins if the
    sequences give nothing less: one that is good for a program may be bad for others. A single sequence for
    one file or for a whole program is applied.

    Raises:
        InvalidInput: There are too many sequences.
    """
    different = tuple({one.pipeline: one for one in sequences}.values())
    most = 1 if scope == LINK else MOST
    if len(different) > most:
        message = f"The recipe would have {len(different)} sequences for each file; at most {most} are tried."
        raise InvalidInput(message, field="sequences", remedy="Name one program by --benchmark.")
    default = default_sequence(level)
    is_applied = scope == LINK or (bool(source) and len(different) == 1)
    rules = [
        Rule(
            source=source or EVERY, scope=scope, sequences=different if is_applied else (default, *different)
        )
    ]
    if source:
        rules.append(Rule(source=EVERY, sequences=(default,)))
    return Recipe(rules=tuple(rules), level=level, metric=metric, required=required)


def read_record(folder: Path) -> list[tuple[str, str, int, int]]:
    """What plugins recorded in a folder: hash, file, rule and number of the sequence of each module.

    Files by which a build only tried its compiler are left out. The others are named as rules should: without
    the folder that all have in common, so that they are found wherever the next build lies.

    Raises:
        InvalidInput: The folder has no such record, or it is damaged.
    """
    remedy = "Name the folder that OPTARENA_RECORD named during a build with a plugin."
    path = folder / RECORD
    try:
        lines = path.read_text(errors="backslashreplace").splitlines()
        rows = [line.split("\t", 4) for line in lines]
        found = [
            (hash_, source, int(rule), int(number))
            for hash_, rule, number, _, source in rows
            if not _PROBE.search(source)
        ]
    except (FileNotFoundError, ValueError) as error:
        message = f"{path} {'does not exist' if isinstance(error, OSError) else 'is damaged'}."
        raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy) from error
    absolute = [PurePosixPath(one[1]).parent for one in found if one[1].startswith("/")]
    common = f"{os.path.commonpath(absolute)}/" if absolute else ""
    return [
        (hash_, _ABOVE.sub("", one.removeprefix(common)), rule, number) for hash_, one, rule, number in found
    ]


def frozen(recipe: Recipe, folder: Path) -> Recipe:
    """The recipe with one sequence for each file: the one that a build with it chose and recorded.

    Raises:
        InvalidInput: Nothing was recorded there, or it is of another recipe.
    """
    rules = recipe.of_scope(UNIT)
    chosen: dict[str, dict[str, Sequence]] = {}
    for hash_, source, rule, number in read_record(folder):
        try:
            chosen.setdefault(source, {})[hash_] = rules[rule].sequences[number]
        except IndexError as error:
            message, remedy = "What was recorded is of another recipe.", "Name the recipe that the build had."
            raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy) from error
    made = []
    # A longer path may end as a shorter one does.
    for source, found in sorted(chosen.items(), key=lambda pair: (-len(pair[0]), pair[0])):
        sequences = {one.pipeline: one for one in found.values()}
        if len(sequences) == 1:
            made.append(Rule(source=source, sequences=tuple(sequences.values())))
        else:  # compiled with different options, such as -fPIC
            made += [Rule(sha256=hash_, sequences=(one,)) for hash_, one in found.items()]
    default = Rule(source=EVERY, sequences=(default_sequence(recipe.level),))
    return replace(recipe, rules=(*made, default, *recipe.of_scope(LINK)))


def origin(**known: str) -> dict[str, str]:
    """Where a sequence was found, with the licence of the program where it or the package says it."""
    with suppress(OptArenaError):
        known["licence"] = (
            known.get("licence") or datasets().benchmark(known["benchmark"], files=False).licence
        )
    return {name: value for name, value in known.items() if value}
