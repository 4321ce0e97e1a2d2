"""``optarena datasets``: the datasets of this installation, and those of a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.cli import options
from optarena.cli.app import FAILED
from optarena.cli.console import counted, output, plain, progress_bar, show_error, table
from optarena.cli.describing import show_benchmark, show_citation, show_dataset
from optarena.client import Client, server_url
from optarena.datasets import (
    BenchmarkUri,
    Dataset,
    ParametricDataset,
    RemoteDataset,
    environments_of,
    remote_dataset,
)
from optarena.datasets import datasets as installed
from optarena.datasets.citing import licence_counts
from optarena.datasets.collection import USER_DATASET
from optarena.datasets.installing import default_folder, holds
from optarena.errors import InvalidInput
from optarena.specs.uri import FILE_SCHEME

if TYPE_CHECKING:
    from optarena.datasets import BaseDataset

MAX_SAMPLES: Final = 100_000
_DEFAULT_SERVER: Final = ""
_KILOBYTE: Final = 1_000


@click.group(invoke_without_command=True)
@click.pass_context
def datasets(context: click.Context) -> None:
    """List, describe, cite and download datasets."""
    if context.invoked_subcommand is None:
        context.invoke(show_list)


@datasets.command("list")
@click.option(
    "--server",
    is_flag=False,
    flag_value=_DEFAULT_SERVER,
    metavar="[URL]",
    help="List those of a server instead; without URL, those of $OPTARENA_URL.",
)
@click.option("--all", "with_deprecated", is_flag=True, help="List deprecated ones too.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def show_list(*, server: str | None = None, with_deprecated: bool = False, as_json: bool = False) -> None:
    """List the datasets of this installation, or those of a server."""
    found, unusable = _installed(with_deprecated=with_deprecated) if server is None else (_listed(server), [])
    shown = [one for one in found if with_deprecated or not one["deprecated"]]
    if as_json:
        click.echo(json.dumps(shown, indent=1, ensure_ascii=False))
    else:
        columns = ("dataset", "benchmarks", "kind", "licence", "title")
        rows = [
            (plain(one["name"]), one["benchmarks"], plain(one["kind"]), _licence(one), _title(one))
            for one in shown
        ]
        table(columns, rows, numbers=("benchmarks",))
    for problem in unusable:
        show_error(problem)
    if unusable:
        click.get_current_context().exit(FAILED)


def _licence(one: dict[str, Any]) -> str:
    """The licence of all programs, or the number of licences."""
    licences = one["licences"] or [one["licence"]]
    return plain(licences[0]) if len(licences) == 1 else f"{len(licences)} licences"


def _title(one: dict[str, Any]) -> str:
    return plain(f"{one['title']}  [deprecated: {one['deprecated']}]" if one["deprecated"] else one["title"])


def _installed(*, with_deprecated: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """The datasets that are installed, and what is wrong with those that cannot be used."""
    known = installed()
    found: list[dict[str, Any]] = []
    unusable: list[str] = []
    for name in sorted({*known.names, *(known.deprecated if with_deprecated else ())}):
        try:
            one = known.find(name)
        except InvalidInput as error:
            unusable.append(str(error))
        else:
            found.append(
                {
                    "name": name,
                    "benchmarks": len(one),
                    "kind": one.kind,
                    "licence": one.licence,
                    "licences": sorted(licence_counts(one)),
                    "title": one.title,
                    "deprecated": one.deprecated,
                }
            )
    return found, unusable


def _listed(url: str) -> list[dict[str, Any]]:
    with Client(url or None, token="") as client:
        return [
            {
                "benchmarks": count if isinstance(count := one.get("benchmark_count"), int) else None,
                **{key: str(one.get(key) or "") for key in ("name", "kind", "licence", "title")},
                "licences": [str(licence) for licence in _listing(one.get("licences"))],
                "deprecated": str(one.get("deprecated") or ""),
            }
            for one in client.datasets()
        ]


def _listing(value: object) -> list[Any]:
    return value if isinstance(value, list) else []  # a server may answer anything


def _found(name: str, url: str | None) -> BaseDataset:
    """The installed dataset, else that of the server, if one is named."""
    known = installed()
    return known.find(name) if url is None or name in known else remote_dataset(name, url)


@datasets.command("describe")
@click.argument("name")
@click.argument("benchmark", required=False)
@click.option("--benchmarks", "every", is_flag=True, help="Show each benchmark of a large dataset too.")
@options.server
def describe(name: str, benchmark: str | None, url: str | None, *, every: bool) -> None:
    """Show the dataset NAME: its licences, its origin, and the baselines of its benchmarks.

    With BENCHMARK, or where NAME is a benchmark's URI, show that benchmark. If the dataset is not installed,
    the server is asked.
    """
    if benchmark is not None:
        show_benchmark(_found(name, url).benchmark(benchmark))
    elif "/" not in name.rpartition("://")[2].rstrip("/"):
        show_dataset(_found(name, url), every=every)
    else:
        uri = BenchmarkUri.parse(name)
        here = uri.scheme == FILE_SCHEME or uri.dataset == USER_DATASET
        show_benchmark(installed().benchmark(name) if here else _found(uri.dataset, url).benchmark(name))


@datasets.command("sample")
@click.argument("name")
@click.option(
    "--count", type=click.IntRange(1, MAX_SAMPLES), default=1, show_default=True, help="How many to draw."
)
@click.option("--seed", type=click.IntRange(min=0), help="Makes the draw repeatable.")
def sample(name: str, count: int, seed: int | None) -> None:
    """Print the URIs of random benchmarks, one per line; a benchmark may be drawn more than once."""
    dataset = installed().find(name)
    import numpy as np  # noqa: PLC0415 - the other commands do not need it

    random_state = np.random.default_rng(seed)
    for _ in range(count):
        click.echo(dataset.random_benchmark(random_state).uri)


@datasets.command("cite")
@click.argument("name")
@options.server
def cite(name: str, url: str | None) -> None:
    """Print how to cite the dataset NAME: as text, and for BibTeX."""
    source = click.get_current_context().get_parameter_source("url")
    # The server of the variable need not have the dataset that is installed here.
    is_given = source is click.core.ParameterSource.COMMANDLINE
    show_citation(_found(name, url), server_url(url) if is_given else "")


@datasets.command("download")
@click.argument("name")
@click.option(
    "--to",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for its programs and their manifest. [default: $OPTARENA_SITE_DATA/datasets/NAME]",
)
@options.server
def download(name: str, to: Path | None, url: str | None) -> None:
    """Install the dataset NAME of a server; every program is checked by its sha256.

    The folder appears when it is complete. Programs that it has already are not downloaded again.
    """
    dataset = remote_dataset(name, url)
    console = output()
    if not isinstance(dataset, RemoteDataset):
        told = (
            f"{name} is a range of computed benchmarks, {_range_uri(dataset)}; there is nothing to download."
        )
        console.print(plain(told))
        return
    if dataset.deprecated:
        show_error(f"The dataset {name} is deprecated: {dataset.deprecated}", kind="warning")
    folder = _place(dataset, to)
    is_there = folder is not None and holds(dataset, folder)
    if folder is None or not is_there:
        with progress_bar() as bar:
            task = bar.add_task("downloading, kB", total=None)

            def progress(done: int, total: int) -> None:
                bar.update(task, completed=done // _KILOBYTE, total=max(total // _KILOBYTE, 1))

            folder = dataset.install(to, progress=progress)
    elif folder in (to, default_folder(dataset.name)):  # not one of the package or of a plug-in
        dataset.install(folder)  # only records that it has been deprecated since
    already = "already there: " if is_there else ""
    console.print(plain(f"{already}{counted(len(dataset), 'program')} in {folder}"), soft_wrap=True)
    console.print(plain(_usage(dataset, None if to is None else folder)), soft_wrap=True)


def _place(dataset: RemoteDataset, to: Path | None) -> Path | None:
    """Where the dataset may exist already: in the given folder, or among the installed ones.

    Raises:
        InvalidInput: A different edition of it is installed, which would hide the new one.
    """
    known = installed()
    if to is not None or dataset.name not in known:
        return to
    here = known.find(dataset.name)
    if isinstance(here, Dataset) and here.manifest == dataset.manifest:
        return here.folder
    message = f"Another dataset is already installed as {dataset.name}"
    place = f", in {here.folder}." if isinstance(here, Dataset) else "."
    remedy = "Remove it, or give another folder by --to."
    raise InvalidInput(message + place, field="name", value=dataset.name, remedy=remedy)


def _range_uri(dataset: BaseDataset) -> str:
    return dataset.uri if isinstance(dataset, ParametricDataset) else dataset.name


def _usage(dataset: RemoteDataset, folder: Path | None) -> str:
    """The next step: a line that can be pasted into Python.

    Args:
        dataset: The downloaded dataset.
        folder: The folder that was requested; None for the default.
    """
    name = dataset.name
    place = None if folder is None else folder.expanduser().absolute()
    if place is not None and place != default_folder(name):
        made = f"Dataset.from_folder(Path({str(place)!r}))"
        imports = "from pathlib import Path; from optarena.datasets import Dataset"
        if name in installed():  # this name finds the installed one
            return f"{imports}; dataset = {made}"
        return f"{imports}; import optarena; optarena.register(datasets=[{made}])"
    environments = environments_of(name)
    if environments:
        uri = dataset.benchmark_at(0).uri
        return f"import gymnasium, optarena; env = gymnasium.make({environments[0].id!r}, benchmark={uri!r})"
    return f"from optarena.datasets import datasets; dataset = datasets()[{name!r}]"
