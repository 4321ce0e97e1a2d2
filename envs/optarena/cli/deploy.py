"""``optarena deploy`` and ``optarena cc``: results in builds."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.cli import console
from optarena.cli.console import chosen_state, counted, output
from optarena.cli.replay import parse_url, require_open
from optarena.client import Client
from optarena.deploy import exports, sources
from optarena.deploy.plugin import build_plugin, find_clang
from optarena.deploy.recipe import (
    LEVELS,
    LINK,
    METRICS,
    REQUIRED,
    UNIT,
    Sequence,
    read_recipe,
    write_recipe,
)
from optarena.state import EnvState

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORD: Final = "modules.tsv"
file_output = click.option(
    "--output",
    "target",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write.",
)
clang_option = click.option("--clang", help="Clang 22. [default: $OPTARENA_CLANG, or the installed one]")


@click.group()
def deploy() -> None:
    """Use results in a build: make a recipe, and export it for a build system."""


@deploy.command()
@click.argument("found", metavar="[FILE|URL|NAME]", default=sources.PORTFOLIO)
@click.option(
    "--source", default="", help="The file it is for, by the end of its path. [default: every file]"
)
@click.option(
    "--scope",
    type=click.Choice([UNIT, LINK]),
    default=UNIT,
    show_default=True,
    help="Single files, or the linked program.",
)
@click.option("--level", type=click.Choice(LEVELS), default="Oz", show_default=True, help="The front end's.")
@click.option(
    "--metric",
    type=click.Choice(METRICS),
    default=METRICS[0],
    show_default=True,
    help="Of which the best has least.",
)
@click.option(
    "--as-found",
    is_flag=True,
    help="Run no passes before: always_inline may not hold, nor coroutines compile.",
)
@click.option("--benchmark", help="Of a file with several rows, the one of this program.")
@console.environment
@file_output
def recipe(found: str, *, target: Path, as_found: bool, **given: Any) -> None:  # noqa: ANN401 # one for each option
    """Make a recipe of states in FILE, of what a submission's or an item's URL has, or of the portfolio NAME.

    For every file, the level and each sequence are tried, and the smallest object counts. With --source, one
    sequence is applied to that file. [default: the package's portfolio]
    """
    options = {name: given[name] for name in ("source", "scope", "level", "metric")}
    if found.startswith(("http://", "https://")):
        sequences = list(_sequences_of_server(found, given["metric"]))
    elif Path(found).is_file() and Path(found).suffix != ".toml":
        sequences = _sequences_of_file(Path(found), given)
    else:
        sequences = list(sources.portfolio_sequences(found))
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
            value = {metric: item["metrics"][metric]} if metric in item["metrics"] else {}
            state = EnvState(benchmark=item["benchmark"], commandline=item["commandline"], claims=value)
            yield sources.state_sequence(state, metric, address=str(item["page_url"]), agent=agent)


@deploy.command()
@click.argument("recipe", metavar="RECIPE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(list(exports.FORMS)), default="config", show_default=True)
@click.option(
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write.",
)
@clang_option
def export(recipe: Path, *, form: str, folder: Path, clang: str | None) -> None:
    """Write RECIPE as a folder for a build: the plugin, its source, and a file in the given form.

    The build needs clang 22 and this folder, but neither OptArena nor Python.
    """
    made = exports.export(read_recipe(recipe), form, folder, find_clang(clang))
    output().print(str(made.file))
    output().print(made.use)


@deploy.command()
@click.argument("recipe", metavar="RECIPE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path))
@file_output
def freeze(recipe: Path, folder: Path, *, target: Path) -> None:
    """Make a recipe with one sequence for each file, from a build with RECIPE that recorded into FOLDER.

    The build records if $OPTARENA_RECORD names the folder. Later builds have the same objects and do not try
    any sequences.
    """
    recorded = (folder / RECORD).read_text(errors="surrogateescape")
    frozen = sources.frozen(read_recipe(recipe), recorded.splitlines())
    target.write_text(write_recipe(frozen), encoding="utf-8")
    output().print(f"{target}: {counted(len(frozen.rules), 'rule')}")


@deploy.command(hidden=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
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
    return subprocess.run(["/bin/sh", script, *words], env=environment, check=False).returncode  # noqa: S603 # the package's own script
