"""``optarena deploy`` and ``optarena cc``: results in builds."""

from __future__ import annotations

import functools
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

import click

from optarena.agents.catalogue import AgentSpec, agent_named
from optarena.agents.outcomes import Budget
from optarena.cli import console
from optarena.cli.console import chosen_state, counted, output
from optarena.cli.replay import parse_url, require_open
from optarena.client import Client
from optarena.deploy import exports, sources, tuning
from optarena.deploy.plugin import build_plugin, find_clang
from optarena.deploy.recipe import (
    LEVELS,
    LINK,
    METRICS,
    REQUIRED,
    UNIT,
    Recipe,
    Sequence,
    parse_recipe,
    read_recipe,
    write_recipe,
)
from optarena.errors import InvalidInput
from optarena.state import EnvState

_MINUTES: Final = 5.0
# What follows a board's address in those of its recipe.
_OF_BOARD: Final = re.compile(r"(?<=/)(?:build|export)/?(?:\?format=\w+)?(?=[?#]|$)")
file_output = click.option(
    "--output", "target", required=True, type=console.NEW_FILE, help="The file to write."
)
as_found_option = click.option(
    "--as-found",
    is_flag=True,
    help="Run no passes before: always_inline may not hold, nor coroutines compile.",
)
scope_option = click.option(
    "--scope", type=click.Choice([UNIT, LINK]), default=UNIT, help="Single files, or the linked program."
)
clang_option = click.option("--clang", help="Clang 22. [default: $OPTARENA_CLANG, or the installed one]")


@click.group()
def deploy() -> None:
    """Use results in a build: make a recipe, and export it for a build system."""


@deploy.command()
@click.argument("found", metavar="[FILE|URL|NAME]", default=sources.PORTFOLIO)
@click.option(
    "--source",
    default="",
    show_default=False,
    help="The file it is for, by the end of its path. [default: every file]",
)
@scope_option
@click.option("--level", type=click.Choice(LEVELS), default="Oz", help="The front end's.")
@click.option(
    "--metric",
    type=click.Choice(METRICS),
    help=f"Of which the best has least. [default: what the board compares, or {METRICS[0]}]",
)
@as_found_option
@click.option("--benchmark", help="Of a file with several rows, the one of this program.")
@console.environment
@file_output
def recipe(found: str, *, target: Path, as_found: bool, **given: Any) -> None:  # noqa: ANN401 # one for each option
    """Make a recipe of results.

    The results are states in FILE, an item, submission or board at URL, or the portfolio NAME. The recipe of
    a board has the best sequences that everybody may read. For every file, the level and each sequence are
    tried, and the object with least of the metric counts. With --source, one sequence is applied to that
    file. [default: the package's portfolio]
    """
    is_url, address = found.startswith(("http://", "https://")), _OF_BOARD.sub("", found)
    is_board = is_url and console.BOARD_ADDRESS.match(address) is not None
    is_file = not is_url and Path(found).is_file() and Path(found).suffix != ".toml"
    unused = {name: given[name] for name in ("env", "benchmark")}
    if is_url:
        console.refuse_unused(found, **unused)
    of_board = _recipe_of_board(address) if is_board else None
    given["metric"] = given["metric"] or (of_board.metric if of_board else METRICS[0])
    options = {name: given[name] for name in ("source", "scope", "level", "metric")}
    if of_board is not None:
        is_same = of_board.metric == given["metric"]
        sequences = [
            one if is_same else replace(one, expected=None)
            for rule in of_board.of_scope(UNIT)
            for one in rule.sequences
            if one.actions
        ]
    elif is_url:
        sequences = list(_sequences_of_server(found, given["metric"]))
    elif is_file:
        sequences = _sequences_of_file(Path(found), given)
    else:
        sequences = list(sources.portfolio_sequences(found))
        console.refuse_unused(found, **unused)
    made = sources.sequences_recipe(sequences, required="" if as_found else REQUIRED, **options)
    target.write_text(write_recipe(made), encoding="utf-8")
    output().print(
        f"{target}: {counted(len(made.rules[0].sequences), 'sequence')} for {made.rules[0].source}"
    )


def _sequences_of_file(path: Path, given: dict[str, Any]) -> list[Sequence]:
    _, states = console.read_file(path, given["env"])
    if given["benchmark"]:
        states = [chosen_state(path, states, given["benchmark"])]
    return [sources.state_sequence(one, given["metric"]) for one in states]


@console.reading_answers
def _sequences_of_server(url: str, metric: str) -> Iterator[Sequence]:
    base, submission, position = parse_url(url)
    with Client(base, token=console.token_for(base)) as client:
        submission = console.submission_id(client, submission)
        agent = str(client.submission(submission)["agent"])
        positions = (
            [one["position"] for one in client.items(submission)] if position is None else [int(position)]
        )
        for one in positions:
            item = client.item(submission, one)
            require_open(item)
            if item["verdict"] != "verified":
                message = f"Item {one} is not verified: {item['verdict']}."
                remedy = "Only verified sequences become recipes; name a verified item by its address."
                raise InvalidInput(message, field="verdict", value=item["verdict"], remedy=remedy)
            value = {metric: item["metrics"][metric]} if metric in item["metrics"] else {}
            state = EnvState(benchmark=item["benchmark"], commandline=item["commandline"], claims=value)
            yield sources.state_sequence(state, metric, address=str(item["page_url"]), agent=agent)


@console.reading_answers
def _recipe_of_board(address: str) -> Recipe:
    base, slug = console.board_address(address)
    with Client(base, token=console.token_for(base or "")) as client:
        return parse_recipe(client.board_recipe(slug))


@deploy.command()
@click.argument("recipe", metavar="RECIPE", type=console.FILE)
@click.option("--format", "form", type=click.Choice(list(exports.FORMS)), default="config")
@click.option("--output", "folder", required=True, type=console.FOLDER, help="The folder to write.")
@clang_option
def export(recipe: Path, *, form: str, folder: Path, clang: str | None) -> None:
    """Write RECIPE as a folder for a build.

    The folder has the plugin, its source, and a file in the given form. The build needs clang 22 and this
    folder, but neither OptArena nor Python.
    """
    made = exports.export(read_recipe(recipe), form, folder, find_clang(clang))
    output().print(str(made.file))
    output().print(made.use)


@deploy.command()
@click.argument("recipe", metavar="RECIPE", type=console.FILE)
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path))
@file_output
def freeze(recipe: Path, folder: Path, *, target: Path) -> None:
    """Make a recipe with one sequence for each file.

    A build with RECIPE records into FOLDER which sequence it chose for each file, if $OPTARENA_RECORD names
    the folder. Later builds have the same objects and do not try any sequences.
    """
    frozen = sources.frozen(read_recipe(recipe), folder)
    target.write_text(write_recipe(frozen), encoding="utf-8")
    output().print(f"{target}: {counted(len(frozen.rules), 'rule')}")


_search_options = functools.partial(
    console.with_options,
    (
        click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Together. [default: 5]"),
        click.option(
            "--evaluations", type=click.IntRange(1), help="Sequences to try on each file, instead of a time."
        ),
        click.option("--agent", default="local", help="One of `optarena search --list`."),
        click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Of random choices."),
        click.option("--nproc", type=console.ProcessCount(), default=1, help="Processes of the search."),
        click.option("--metric", type=click.Choice(METRICS), default=METRICS[0], help="What to make small."),
        click.option("--level", type=click.Choice(LEVELS), default="Oz", help="The front end's."),
        as_found_option,
    ),
)


def _tuned(
    folder: Path, agent: AgentSpec, chosen: dict[str, Any], scope: str = UNIT
) -> list[tuning.TunedModule]:
    evaluations, minutes = chosen["evaluations"], chosen["minutes"]
    seconds = math.inf if minutes is None and evaluations else 60 * (minutes or _MINUTES)
    budget, found = Budget(evaluations, seconds), []
    options = {name: chosen[name] for name in ("metric", "seed", "nproc")}
    for one in tuning.tune(folder, agent, whole=budget, scope=scope, required=_required(chosen), **options):
        console.errors().print(
            f"{one.source}: {one.before:.0f} bytes without passes, {one.found:.0f} by the best sequence tried"
        )
        found.append(one)
    return found


def _required(chosen: dict[str, Any]) -> str:
    return "" if chosen["as_found"] else REQUIRED


def _choosing_recipe(found: list[tuning.TunedModule], chosen: dict[str, Any]) -> Recipe:
    return tuning.choosing_recipe(
        found, level=chosen["level"], metric=chosen["metric"], required=_required(chosen)
    )


def _show_sizes(levels: tuple[str, ...], sizes: Iterable[tuple[str, str, list[int]]]) -> None:
    columns = ("file", "bytes of", *(f"-{one}" for one in levels), "found", f"-{levels[-1]} / found")
    rows = list(sizes)
    if len({name for name, *_ in rows}) > 1:
        for what in dict.fromkeys(what for _, what, _ in rows):
            own = (values for _, one, values in rows if one == what)
            rows.append(("together", what, [sum(values) for values in zip(*own, strict=True)]))
    texts = [
        (name, what, *map(str, values), f"{values[-2] / values[-1]:.3f}" if values[-1] else "")
        for name, what, values in rows
    ]
    console.table(columns, texts, numbers=columns[2:])


@deploy.command()
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="FOLDER|[-- COMMAND...]")
@file_output
@scope_option
@_search_options
@clang_option
def tune(words: tuple[str, ...], *, target: Path, scope: str, clang: str | None, **chosen: Any) -> None:  # noqa: ANN401 # click's options
    """Search for each module that a build compiles.

    COMMAND is the build. It is run, and what was found is written as a recipe.

    With FOLDER, search for what a build with a plugin has recorded there. A build with this recipe tries, for
    each file, the level, what was found for it and the portfolio; record this build as well, and
    `optarena deploy freeze` its choices.

    With --scope link, the build links with -flto, and the search is for each linked program. COMMAND is run
    twice, and must make everything anew, as `make -B` does. The recipe has the one sequence
    that makes them smallest together, or the linker's own passes if none is better.
    """
    compiler, agent = find_clang(clang), agent_named(chosen["agent"])
    if not target.absolute().parent.is_dir():
        message = f"The folder {target.parent} does not exist."
        raise InvalidInput(message, field="output", value=str(target), remedy="Make it, or name another one.")
    with tempfile.TemporaryDirectory(prefix="optarena-tune-") as place:
        if len(words) == 1 and Path(words[0]).is_dir():
            folder = Path(words[0])
        else:
            folder = tuning.record_build(words, Path(place), compiler, level=chosen["level"], scope=scope)
        found, level = _tuned(folder, agent, chosen, scope), chosen["level"]
        if scope == LINK:
            options = {"level": level, "metric": chosen["metric"], "required": _required(chosen)}
            made, sizes = tuning.linked_recipe(folder, found, compiler, **options)
            target.write_text(write_recipe(made), encoding="utf-8")
            _show_sizes((f"flto -{level}",), sizes)
        else:
            made = _choosing_recipe(found, chosen)
            target.write_text(write_recipe(made), encoding="utf-8")
            _show_sizes((level,), tuning.recorded_sizes(folder, found, made, compiler))
    output().print(f"{target}: {counted(len(made.rules), 'rule')}")


@click.command()
@click.argument(
    "words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="FILE... [-- CLANG OPTION...]"
)
@click.option(
    "--output",
    "folder",
    default="optimised",
    type=console.FOLDER,
    help="The folder for objects, recipe and plugin.",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="ARGUMENTS",
    help="A run of the program whose output must stay: '-9 a.txt', or '-d < a.lz'. Repeatable.",
)
@_search_options
def optimise(words: tuple[str, ...], *, folder: Path, runs: tuple[str, ...], **chosen: Any) -> None:  # noqa: ANN401 # click's options
    """Search for passes that make C and C++ files small, and write objects, and the flags that lead to them.

    Each file is compiled by clang as your options say. No object is larger than with the level's own passes.
    With --run, the files must be a whole program: passes that change its output are dropped. Without, whether
    it still works is for your tests to show.
    """
    files = list(itertools.takewhile(lambda word: not word.startswith("-"), words))
    if not files:
        remedy = "Name sources, and clang's options behind --."
        raise InvalidInput("No file is named.", field="words", value=words[0], remedy=remedy)
    agent = agent_named(chosen["agent"])
    compilation = tuning.Compilation(
        clang=find_clang(), files=tuple(files), options=words[len(files) :], level=chosen["level"]
    )
    with tempfile.TemporaryDirectory(prefix="optarena-optimise-") as place:
        first = Path(place)
        compilation.compile(sources.sequences_recipe([], level=compilation.level), first, record=first)
        workloads = tuning.recorded_workloads(first, runs) if runs else ()
        recipe = _choosing_recipe(_tuned(first, agent, chosen), chosen)
    frozen, dropped = tuning.chosen_recipe(compilation, recipe, workloads)
    exported = exports.export(frozen, "flags", folder, compilation.clang)
    made = compilation.compile(frozen, folder, "-w")
    _show_sizes(compilation.shown, compilation.sizes(made))
    for line in dropped:
        output().print(line)
    if runs:
        output().print(f"The program's output is the same in {counted(len(runs), 'run')}.")
    output().print(exported.use)


@deploy.command(hidden=True)
@click.argument("folder", type=console.FOLDER)
def plugin(folder: Path) -> None:
    """Build the plugin of the package's portfolio into FOLDER, for `optarena-cc`."""
    output().print(
        str(build_plugin(sources.sequences_recipe(sources.portfolio_sequences()), folder, find_clang()))
    )


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENT]...")
def cc(words: tuple[str, ...]) -> int:
    """Run clang with the passes of a recipe: `optarena-cc`, which starts faster."""
    script = str(resources.files("optarena.deploy").joinpath("optarena-cc"))
    path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"
    environment = {"OPTARENA_CLANG": str(find_clang()), **os.environ, "PATH": path}
    done = subprocess.run(["/bin/sh", script, *words], env=environment, check=False)  # noqa: S603 # its own
    return done.returncode
