"""``optarena datasets``: the datasets of this installation, and those of a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape

from optarena.cli import options
from optarena.cli.app import FAILED
from optarena.cli.console import number, output, progress_bar, show_error, table
from optarena.client import Client
from optarena.datasets import ParametricDataset, environments_of
from optarena.datasets import datasets as installed
from optarena.datasets.kinds import SUFFIXES, media_type
from optarena.errors import InvalidInput
from optarena.reward import level_order

if TYPE_CHECKING:
    from optarena.datasets import BaseDataset

MAX_SAMPLES: Final = 100_000


@click.group(invoke_without_command=True)
@click.pass_context
def datasets(context: click.Context) -> None:
    """List, describe and download datasets."""
    if context.invoked_subcommand is None:
        context.invoke(show_list)


@datasets.command("list")
def show_list() -> None:
    """List the datasets of this installation."""
    known = installed()
    rows: list[tuple[object, ...]] = []
    unusable: list[str] = []
    for name in known.names:
        try:
            dataset = known[name]
        except InvalidInput as error:
            unusable.append(str(error))
        else:
            about = (escape(dataset.licence), escape(dataset.title))
            rows.append((escape(name), len(dataset), dataset.kind, *about))
    table(("dataset", "benchmarks", "kind", "licence", "title"), rows, numbers=("benchmarks",))
    for problem in unusable:
        show_error(problem)
    if unusable:
        click.get_current_context().exit(FAILED)


@datasets.command("describe")
@click.argument("name")
def describe(name: str) -> None:
    """Show a dataset's benchmarks with their costs at the compiler's own levels; of a range, its ends."""
    dataset = installed()[name]
    console = output()
    console.print(f"[bold]{escape(dataset.name)}[/]  {escape(dataset.title)}")
    console.print(escape(dataset.description))
    console.print()
    if isinstance(dataset, ParametricDataset):
        _show_range(dataset)
    else:
        _show_costs(dataset)


def _show_range(dataset: ParametricDataset) -> None:
    """A range instead of millions of rows, which would all be alike."""
    first, last = (dataset.benchmark_at(index).uri for index in (0, -1))
    facts = {
        "benchmarks": len(dataset),
        "uri": dataset.uri,
        "n": f"from {dataset.low} to {dataset.high}",
        "first": first,
        "last": last,
        "domain": dataset.domain,
        "language": dataset.language,
        "licence": dataset.licence,
        "environment": ", ".join(spec.id for spec in environments_of(dataset.name)),
    }
    for key, value in facts.items():
        output().print(f"{key:<12} {escape(str(value))}")


def _show_costs(dataset: BaseDataset) -> None:
    console = output()
    metrics = list(dict.fromkeys(metric for one in dataset for metric in one.baselines))
    for metric in metrics or [""]:
        levels = level_order(level for one in dataset for level in one.baselines.get(metric, {}))
        rows = (
            (
                escape(one.uri),
                escape(one.domain),
                *(number(one.baseline(metric, level)) for level in levels),
                len(one.workloads),
            )
            for one in dataset
        )
        columns = ("benchmark", "domain", *levels, "workloads")
        console.print(f"[bold]{metric}[/]" if metric else "no baselines")
        table(columns, rows, numbers=columns[2:])
        console.print()


@datasets.command("sample")
@click.argument("name")
@click.option(
    "--count", type=click.IntRange(1, MAX_SAMPLES), default=1, show_default=True, help="How many to draw."
)
@click.option("--seed", type=click.IntRange(min=0), help="For the same ones every time.")
def sample(name: str, count: int, seed: int | None) -> None:
    """Print the URIs of random benchmarks, one a line; one may be drawn more than once."""
    dataset = installed()[name]
    import numpy as np  # noqa: PLC0415 - the other commands do without

    random_state = np.random.default_rng(seed)
    for _ in range(count):
        click.echo(dataset.random_benchmark(random_state).uri)


@datasets.command("download")
@click.argument("name")
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), help="Folder. [default: ./NAME]")
@options.server
def download(name: str, to: Path | None, url: str | None) -> None:
    """Download a dataset's programs from a server; each is checked by its sha256."""
    folder = Path(name).resolve() if to is None else to.resolve()
    with Client(url) as client:
        known = list(client.benchmarks(name))
        listed = [one for one in known if one.get("bitcode_url")]
        ranges = [str(one["uri"]) for one in known if one.get("parameter")]
        if ranges and not listed:
            told = f"{name} is a range of computed benchmarks, {ranges[0]}: there is nothing to download."
            output().print(escape(told))
            return
        folder.mkdir(parents=True, exist_ok=True)
        with progress_bar() as bar:
            task = bar.add_task("downloading", total=len(listed))
            for benchmark in listed:
                _write(folder, str(benchmark["name"]), client.bitcode(benchmark))
                bar.advance(task)
    output().print(f"{len(listed)} programs in {escape(str(folder))}")


def _write(folder: Path, name: str, content: bytes) -> None:
    """Write a program inside the folder, whatever the server calls it."""
    target = (folder / f"{name}{SUFFIXES[media_type(content)]}").resolve()
    if not target.is_relative_to(folder):
        raise click.ClickException(f"The server names a program {name!r}, which lies outside the folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
