"""``optarena data``: releases of step data here and on a server, and datasets made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from optarena import limits
from optarena.cli import console as console_module
from optarena.cli.console import counted, output, print_json, progress_bar, read_file, reading_answers, table
from optarena.client import Client
from optarena.data import load
from optarena.data.releases import NAME, Release, find_releases, installed_releases
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.paths import site_data

if TYPE_CHECKING:
    from optarena.data.walks import DataSequence
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState

_NUMBERED: Final = re.compile(r".*-v[0-9]+")


@click.group(context_settings={"show_default": False})  # the help of its options names them
def data() -> None:
    """What each action did: list releases, load one, make one of results."""


@data.command("list")
@console_module.server
@console_module.json_output
@reading_answers
def list_data(*, url: str | None, as_json: bool) -> None:
    """List the releases of this installation. With --url, list those of a server."""
    if url is None:
        rows = [
            {
                "name": one.name,
                "released": one.released,
                "steps": one.rows,
                "size_bytes": one.size_bytes,
                "sha256": one.sha256,
                "follows": one.follows,
            }
            for one in installed_releases().values()
        ]
    else:
        names = ("name", "released", "steps", "size_bytes", "sha256", "follows")
        with Client(url, token="") as client:
            rows = [{name: row[name] for name in names} for row in client.releases()]
    if as_json:
        print_json(rows)
        return
    columns = ("release", "released", "steps", "bytes", "sha256", "follows")
    table(columns, ([*row.values()] for row in rows), numbers=("steps", "bytes"))


@data.command("load")
@click.argument("version")
@console_module.server
@console_module.json_output
def load_data(version: str, *, url: str | None, as_json: bool) -> None:
    """Get a release and those that it follows. Check all files, and say what is in them."""
    from optarena.data.tables import read_releases  # noqa: PLC0415 - brings pyarrow, an extra's

    releases = find_releases(version, url)
    found = read_releases(releases)
    rows = {name: getattr(found, name).num_rows for name in releases[-1].tables}
    if as_json:
        folders = {one.name: str(one.folder) for one in releases}
        print_json({"name": version, "rows": rows, "sha256": releases[-1].sha256, "folders": folders})
        return
    console = output()
    for name, number in rows.items():
        console.print(f"{name:<9} {number:,}")
    console.print(f"sha256    {releases[-1].sha256}")
    for one in releases:
        console.print(f"{one.name} is in {one.folder}")
    console.print(f'In Python: import optarena.data; data = optarena.data.load("{version}")')


_nproc = click.option(
    "--nproc",
    type=console_module.ProcessCount(),
    default="all",
    help="Sequences replayed at a time. [default: all]",
)


@data.command("export")
@click.argument("name")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder in which NAME appears. [default: where `load` finds it]",
)
@click.option("--agent", default="", help="The agent that made the states. [default: the file's name]")
@_nproc
@console_module.environment
def export_data(  # noqa: PLR0913 # one argument for each option
    name: str, files: tuple[Path, ...], *, folder: Path | None, agent: str, nproc: int, env: str | None
) -> None:
    """Make a release NAME of files of states, which are replayed for it.

    A server makes its own: `manage.py export_data`.
    """
    from optarena.data.tables import ReleaseWriter  # noqa: PLC0415 - brings pyarrow, an extra's
    from optarena.data.walks import in_environments, trace_sequence  # noqa: PLC0415 # as above

    if not NAME.fullmatch(name) or len(name) > limits.RELEASE_NAME_LENGTH:
        message, remedy = (
            f"{name!r:.100} is not a name.",
            "Join lower-case words by hyphens, such as mine-v0.",
        )
        raise InvalidInput(message, field="name", value=name, remedy=remedy)
    sequences: list[DataSequence] = []
    specs: dict[str, EnvironmentSpec] = {}
    for file in files:
        spec, states = read_file(file, env)
        specs[spec.slug] = spec
        sequences += _sequences(spec, states, agent or file.stem, file.name)
    if len(specs) > 1:
        message = f"The files are of {', '.join(sorted(specs))}."
        raise InvalidInput(message, field="env", value=None, remedy="Give files of one environment.")
    sequences.sort(key=lambda one: one.benchmark.uri)
    described = Release(
        name=name,
        title="Steps",
        description=f"Steps of {spec.slug}: {', '.join(file.name for file in files)}.",
        released=f"{datetime.now(UTC):%Y-%m-%d}",
        tables={},
    )
    parent = folder or site_data() / "steps"
    with ReleaseWriter(parent, described) as writer, progress_bar() as bar:
        task = bar.add_task("replaying", total=len(sequences))
        for one in in_environments(spec, trace_sequence, sequences, nproc=nproc):
            writer.add(*one)
            bar.advance(task)
        release = writer.finish()
    output().print(f"{counted(release.rows, 'step')} are in {release.folder}")


def _sequences(
    spec: EnvironmentSpec, states: Sequence[EnvState], agent: str, file: str
) -> Iterator[DataSequence]:
    from optarena.data.walks import DataSequence  # noqa: PLC0415 - as above

    for number, state in enumerate(states, start=1):
        action_table, actions = spec.parse(state.commandline)
        yield DataSequence(
            benchmark=datasets().benchmark(state.benchmark),
            actions=tuple(actions),
            agent=agent,
            origin=f"{file}/{number}",
            action_space="" if action_table is spec.action_table else action_table.name,
        )


@data.command("minari")
@click.argument("version")
@click.option(
    "--observations", required=True, metavar="NAME,NAME...", help="The observations, separated by commas."
)
@click.option("--id", "dataset_id", default="", help="Minari's id. [default: optarena/VERSION]")
@click.option("--split", default="", help="Only programs of this split: train, validation or test.")
@click.option("--most", type=click.IntRange(1), help="At most so many sequences.")
@_nproc
@click.option("--env", default="", help="The environment. [default: that of all sequences]")
@console_module.server
def minari_data(  # noqa: PLR0913 # one argument for each option
    version: str,
    *,
    observations: str,
    dataset_id: str,
    split: str,
    most: int | None,
    nproc: int,
    env: str,
    url: str | None,
) -> None:
    """Write a release as a Minari dataset for offline learning.

    Its sequences are replayed, and observed. It needs the extras `data` and `minari`. Minari keeps its
    datasets in $MINARI_DATASETS_PATH.
    """
    from optarena.data.minari_datasets import write_minari  # noqa: PLC0415 - brings minari, an extra's

    name = dataset_id or f"optarena/{version if _NUMBERED.fullmatch(version) else f'{version}-v0'}"
    with progress_bar() as bar:
        task = bar.add_task("replaying", total=None)
        made = write_minari(
            load(version, url),
            name,
            observations=[one.strip() for one in observations.split(",") if one.strip()],
            env=env,
            split=split,
            most=most,
            nproc=nproc,
            on_progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    episodes, steps = counted(made.total_episodes, "episode"), counted(made.total_steps, "step")
    output().print(f"{name} has {episodes} with {steps}: minari.load_dataset('{name}')")
