"""``optarena datasets`` and ``envs``: what this installation has, and the datasets of a server."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.cli import console as console_module
from optarena.cli.app import FAILED
from optarena.cli.console import (
    counted,
    echo,
    in_style,
    number,
    output,
    print_json,
    progress_bar,
    show_error,
    table,
)
from optarena.client import Client, server_url
from optarena.datasets import (
    SPLITS,
    BaseDataset,
    Benchmark,
    BenchmarkUri,
    Dataset,
    FilesDataset,
    ParametricDataset,
    RemoteDataset,
    environments_of,
    remote_dataset,
)
from optarena.datasets import cite as cite_dataset
from optarena.datasets import datasets as installed
from optarena.datasets.citing import content_sha256, licence_counts
from optarena.datasets.registry import USER_DATASET
from optarena.datasets.remote import default_folder, holds
from optarena.errors import InvalidInput
from optarena.specs import EnvironmentSpec, board_specs, environment_spec, environment_specs
from optarena.specs.benchmark import FILE_SCHEME
from optarena.specs.rewards import UNOPTIMISED, level_order, level_text

if TYPE_CHECKING:
    from pathlib import Path


# For a dataset with more benchmarks a summary is shown, unless all are requested.
MOST_ROWS: Final = 40
_HINT: Final = "To show all of them, use --benchmarks."
_SHOWN_TEXT: Final = 60


def show_dataset(dataset: BaseDataset, *, every: bool) -> None:
    console = output()
    console.print(in_style(dataset.name, "bold"), f" {dataset.title}")
    console.print(dataset.description)
    console.print()
    if isinstance(dataset, ParametricDataset):  # millions of rows would all be alike
        _show_facts(
            {
                "benchmarks": len(dataset),
                "uri": dataset.uri,
                "n": f"from {dataset.low} to {dataset.high}",
                "first": dataset.uri.replace("{n}", str(dataset.low)),
                "last": dataset.uri.replace("{n}", str(dataset.high)),
                **{name: getattr(dataset, name) for name in ("domain", "language", "licence")},
                "environment": ", ".join(spec.id for spec in environments_of(dataset.name)),
            }
        )
        return
    facts = _facts(dataset)
    _show_facts(facts)
    if isinstance(dataset, Dataset):
        width = _width(facts)
        for change in dataset.manifest.changelog:
            console.print(f"{change.version:<{width}} {change.date}  {change.text}")
    console.print()
    if isinstance(dataset, FilesDataset):
        is_long = not every and len(dataset) > MOST_ROWS
        for uri in () if is_long else dataset.uris():
            console.print(uri)
        if is_long:
            console.print(_HINT)
    elif every or len(dataset) <= MOST_ROWS:
        _show_costs(list(dataset))
    else:
        _show_summary(list(dataset))
        console.print(_HINT)


def show_benchmark(one: Benchmark) -> None:
    console = output()
    console.print(in_style(one.uri, "bold"), f" {one.title}")
    if one.description and one.description != one.title:
        console.print(one.description)
    console.print()
    _show_facts(
        {
            **{name: getattr(one, name) for name in ("domain", "language", "licence", "kind", "split")},
            "tags": ", ".join(one.tags),
            "bytes": one.size_bytes,
            "sha256": one.sha256,
            "run seconds": number(one.run_seconds) if one.run_seconds else "",
        }
    )
    if one.source:
        _show_heading("source")
        _show_facts(one.source)
    if levels := level_order(level for costs in one.baselines.values() for level in costs):
        _show_heading("baselines")
        rows = (
            (metric, *(number(costs.get(level)) for level in levels))
            for metric, costs in one.baselines.items()
        )
        names = tuple(map(level_text, levels))
        table(("metric", *names), rows, numbers=names)
    if one.workloads:
        _show_heading("workloads")
        columns = ("name", "arguments", "input bytes", "files", "output bytes", "exit code")
        texts = ((run, " ".join(run.args)) for run in one.workloads)
        runs = (
            (
                run.name,
                text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…",
                len(run.stdin),
                " ".join(run.files),
                len(run.expected_stdout),
                run.exit_code,
            )
            for run, text in texts
        )
        table(columns, runs, numbers=("input bytes", "output bytes", "exit code"))


def _show_heading(text: str) -> None:
    output().print()
    output().print(in_style(text, "bold"))


def _facts(dataset: BaseDataset) -> dict[str, object]:
    facts: dict[str, object] = {
        "benchmarks": len(dataset),
        "kind": dataset.kind,
        "licence": dataset.licence,
        "deprecated": dataset.deprecated,
        "environment": ", ".join(spec.id for spec in environments_of(dataset.name)),
    }
    if isinstance(dataset, Dataset):
        manifest = dataset.manifest
        splits = Counter(entry.split for entry in manifest.benchmarks if entry.split)
        licences = licence_counts(dataset)
        if len(licences) > 1:
            facts["licence"] = f"{dataset.licence} of what is the dataset's own"
        facts |= {
            "licences": _counted(licences),
            "domains": _counted(dict(Counter(one.domain for one in manifest.benchmarks).most_common())),
            "splits": _counted({name: splits[name] for name in SPLITS if splits[name]}),
            "toolchain": ", ".join(f"{name} {_text(value)}" for name, value in manifest.toolchain.items()),
            "released": manifest.released,
            "upstream": manifest.upstream,
            "sha256": content_sha256(dataset),
        }
    return facts


def _show_facts(facts: Mapping[str, object]) -> None:
    width = _width(facts)
    for name, value in facts.items():
        if value not in ("", None, [], {}, ()):
            output().print(f"{name:<{width}} {_text(value)}")


def _width(facts: Mapping[str, object]) -> int:
    return max(12, *map(len, facts))


def _show_costs(listed: list[Benchmark]) -> None:
    console = output()
    for metric in _metrics(listed) or [""]:
        levels = level_order(level for one in listed for level in one.baselines.get(metric, {}))
        rows = (
            (
                one.uri,
                one.domain,
                *(number(one.baseline(metric, level)) for level in levels),
                len(one.workloads),
            )
            for one in listed
        )
        columns = ("benchmark", "domain", *map(level_text, levels), "workloads")
        console.print(in_style(metric, "bold") if metric else "no baselines")
        table(columns, rows, numbers=columns[2:])
        console.print()


def _show_summary(listed: list[Benchmark]) -> None:
    splits = [name for name in SPLITS if any(one.split == name for one in listed)]
    counts = Counter(
        (one.domain, split) for one in listed for split in ("", one.split) if split in ("", *splits)
    )
    domains = Counter(one.domain for one in listed)
    rows: list[tuple[Any, ...]] = [
        (domain, *(counts[domain, split] for split in splits), count)
        for domain, count in domains.most_common()
    ]
    columns = ("domain", *splits, "benchmarks")
    table(columns, rows, numbers=columns[1:])
    output().print()
    sizes: list[tuple[Any, ...]] = [("bytes of the program", "", *_spread(one.size_bytes for one in listed))]
    for metric in _metrics(listed):
        for level in level_order(level for one in listed for level in one.baselines.get(metric, {})):
            values = [one.baseline(metric, level) for one in listed]
            name = metric if level == UNOPTIMISED else ""
            sizes.append((name, level_text(level), *_spread(one for one in values if one is not None)))
    table(("size", "level", "min", "median", "max"), sizes, numbers=("min", "median", "max"))
    output().print()


def _spread(values: Iterable[float]) -> tuple[str, str, str]:
    found = sorted(values)
    return number(found[0]), number(statistics.median(found)), number(found[-1])


def _metrics(listed: Iterable[Benchmark]) -> list[str]:
    return list(dict.fromkeys(metric for one in listed for metric in one.baselines))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _text(value: object) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if isinstance(value, dict) and "purl" in value:
        return str(value["purl"])  # the address of a package; the manifest has the rest
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
@console_module.json_output
def show_list(*, server: str | None = None, with_deprecated: bool = False, as_json: bool = False) -> None:
    """List the datasets of this installation, or those of a server."""
    found, unusable = _installed(with_deprecated=with_deprecated) if server is None else (_listed(server), [])
    shown = [one for one in found if with_deprecated or not one["deprecated"]]
    if as_json:
        print_json(shown)
    else:
        columns = ("dataset", "benchmarks", "kind", "licence", "title")
        rows = []
        for one in shown:
            licences = one["licences"] or [one["licence"]]
            licence = licences[0] if len(licences) == 1 else f"{len(licences)} licences"
            remark = f"  [deprecated: {one['deprecated']}]" if one["deprecated"] else ""
            texts = (one["kind"], licence, one["title"] + remark)
            rows.append((one["name"], one["benchmarks"], *texts))
        table(columns, rows, numbers=("benchmarks",))
    for problem in unusable:
        show_error(problem)
    if unusable:
        click.get_current_context().exit(FAILED)


def _installed(*, with_deprecated: bool) -> tuple[list[dict[str, Any]], list[str]]:
    known = installed()
    found: list[dict[str, Any]] = []
    unusable: list[str] = []
    for name in sorted({*known.names, *(known.deprecated if with_deprecated else ())}):
        try:
            one = known.find(name)
        except InvalidInput as error:
            unusable.append(str(error))
        else:
            found.append(_dataset_row(one))
    return found, unusable


def _dataset_row(one: BaseDataset) -> dict[str, Any]:
    return {
        "name": one.name,
        "benchmarks": len(one),
        "kind": one.kind,
        "licence": one.licence,
        "licences": sorted(licence_counts(one)),
        "title": one.title,
        "deprecated": one.deprecated,
    }


def _dataset_document(dataset: BaseDataset, *, every: bool) -> dict[str, Any]:
    found = _dataset_row(dataset) | {
        "description": dataset.description,
        "environments": [spec.id for spec in environments_of(dataset.name)],
    }
    if isinstance(dataset, ParametricDataset):
        return found | {"uri": dataset.uri, "low": dataset.low, "high": dataset.high}
    if isinstance(dataset, Dataset):
        manifest = dataset.manifest
        found |= {
            "domains": dict(Counter(one.domain for one in manifest.benchmarks).most_common()),
            "splits": dict(Counter(one.split for one in manifest.benchmarks if one.split)),
            "toolchain": manifest.toolchain,
            "released": manifest.released,
            "upstream": manifest.upstream,
            "sha256": content_sha256(dataset),
            "changelog": [asdict(one) for one in manifest.changelog],
        }
    return found | {"members": [_benchmark_document(one) for one in dataset]} if every else found


def _benchmark_document(one: Benchmark) -> dict[str, Any]:
    # The names are those of the API.
    names = ("uri", "name", "title", "description", "domain", "language", "licence", "kind", "split")
    return {name: getattr(one, name) for name in names} | {
        "tags": list(one.tags),
        "sha256": one.sha256,
        "size_bytes": one.size_bytes,
        "run_seconds": one.run_seconds,
        "baselines": {metric: dict(costs) for metric, costs in one.baselines.items()},
        "source": dict(one.source),
        "workloads": [
            {
                "name": run.name,
                "args": list(run.args),
                "stdin_bytes": len(run.stdin),
                "files": {name: len(content) for name, content in run.files.items()},
                "stdout_bytes": len(run.expected_stdout),
                "exit_code": run.exit_code,
            }
            for run in one.workloads
        ],
    }


def _listed(url: str) -> list[dict[str, Any]]:
    with Client(url or None, token="") as client:
        return [
            {
                "benchmarks": count if isinstance(count := one.get("benchmark_count"), int) else None,
                **{key: str(one.get(key) or "") for key in ("name", "kind", "licence", "title")},
                # A server may answer anything.
                "licences": list(map(str, given)) if isinstance(given := one.get("licences"), list) else [],
                "deprecated": str(one.get("deprecated") or ""),
            }
            for one in client.datasets()
        ]


def _found(name: str, url: str | None) -> BaseDataset:
    known = installed()
    return known.find(name) if url is None or name in known else remote_dataset(name, url)


@datasets.command("describe")
@click.argument("name")
@click.argument("benchmark", required=False)
@click.option("--benchmarks", "every", is_flag=True, help="Show each benchmark of a large dataset too.")
@console_module.json_output
@console_module.server
def describe(name: str, benchmark: str | None, url: str | None, *, every: bool, as_json: bool) -> None:
    """Show the dataset NAME and the baselines of its benchmarks.

    Its licences and its origin are shown, too. With BENCHMARK, or where NAME is a benchmark's URI, show that
    benchmark. If the dataset is not installed, the server is asked. As JSON, a dataset has its `members` only
    with --benchmarks.
    """
    if benchmark is None and "/" not in name.rpartition("://")[2].rstrip("/"):
        dataset = _found(name, url)
        if as_json:
            print_json(_dataset_document(dataset, every=every))
        else:
            show_dataset(dataset, every=every)
        return
    if benchmark is not None:
        one = _found(name, url).benchmark(benchmark)
    else:
        uri = BenchmarkUri.parse(name)
        here = uri.scheme == FILE_SCHEME or uri.dataset == USER_DATASET
        one = installed().benchmark(name) if here else _found(uri.dataset, url).benchmark(name)
    if as_json:
        print_json(_benchmark_document(one))
    else:
        show_benchmark(one)


@datasets.command("sample")
@click.argument("name")
@click.option("--count", type=click.IntRange(1, MAX_SAMPLES), default=1, help="How many to draw.")
@click.option("--seed", type=click.IntRange(min=0), help="Makes the draw repeatable.")
def sample(name: str, count: int, seed: int | None) -> None:
    """Print the URIs of random benchmarks, one per line. One may be drawn more than once."""
    dataset = installed().find(name)
    import numpy as np  # noqa: PLC0415 - the other commands do not need it

    random_state = np.random.default_rng(seed)
    for _ in range(count):
        echo(dataset.random_benchmark(random_state).uri)


@datasets.command("cite")
@click.argument("name")
@console_module.server
def cite(name: str, url: str | None) -> None:
    """Print how to cite the dataset NAME: as text, and for BibTeX."""
    # The server of the variable need not have the dataset that is installed here.
    citation = cite_dataset(_found(name, url), server_url(url) if console_module.is_typed("url") else "")
    output().print(citation.text, soft_wrap=True)
    output().print()
    for line in citation.bibtex.splitlines():
        output().print(line, soft_wrap=True)


@datasets.command("download")
@click.argument("name")
@click.option(
    "--to",
    type=console_module.FOLDER,
    help="The folder for its programs and their manifest. [default: $OPTARENA_SITE_DATA/datasets/NAME]",
)
@console_module.server
def download(name: str, to: Path | None, url: str | None) -> None:
    """Install the dataset NAME of a server. Every program is checked by its sha256.

    The folder appears when it is complete. Programs that it has already are not downloaded again.
    """
    dataset = remote_dataset(name, url)
    console = output()
    if not isinstance(dataset, RemoteDataset):
        uri = dataset.uri if isinstance(dataset, ParametricDataset) else dataset.name
        console.print(f"{name} is a range of computed benchmarks, {uri}; there is nothing to download.")
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
    console.print(f"{already}{counted(len(dataset), 'program')} in {folder}", soft_wrap=True)
    console.print(_usage(dataset, None if to is None else folder), soft_wrap=True)


def _place(dataset: RemoteDataset, to: Path | None) -> Path | None:
    # A different edition that is installed would hide the new one.
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


def _usage(dataset: RemoteDataset, folder: Path | None) -> str:
    # The next step: a line that can be pasted into Python.
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


@click.group(invoke_without_command=True)
@click.pass_context
def envs(context: click.Context) -> None:
    """List the environments, or describe one."""
    if context.invoked_subcommand is None:
        context.invoke(list_environments)


@envs.command("list")
@console_module.json_output
def list_environments(*, as_json: bool = False) -> None:
    """List the environments of this installation."""
    if as_json:
        print_json([_environment_document(spec) for spec in environment_specs()])
        return
    rows = (
        (spec.id, len(spec.action_table.names), ", ".join(_boards_of(spec)), spec.title)
        for spec in environment_specs()
    )
    table(("environment", "actions", "boards", "title"), rows, numbers=("actions",))


def _environment_document(spec: EnvironmentSpec) -> dict[str, Any]:
    # The names are those of the API.
    return {
        "id": spec.id,
        "slug": spec.slug,
        "title": spec.title,
        "description": spec.description,
        "digest": spec.digest,
        "compiler": spec.compiler,
        "boardable": spec.boardable,
        "metrics": [
            {name: getattr(one, name) for name in ("name", "title", "unit", "exact", "lower_is_better")}
            for one in spec.metrics
        ],
        "action_table": spec.action_table.name,
        "action_count": len(spec.action_table.names),
        "boards": _boards_of(spec),
    }


@envs.command("describe")
@click.argument("environment_id", metavar="ID")
@console_module.json_output
def describe_environment(environment_id: str, *, as_json: bool) -> None:
    """Show an environment's metrics, version and action table."""
    spec = environment_spec(environment_id)
    actions = list(zip(spec.action_table.names, _told(spec), strict=True))
    if as_json:
        print_json(
            _environment_document(spec)
            | {
                "observation_space": spec.observation_space,
                "reward_space": spec.reward_space,
                "rewards": list(spec.rewards),
                "action_spaces": [table.name for table in (spec.action_table, *spec.further_tables)],
                "actions": [
                    {"index": i, "name": name, "description": text} for i, (name, text) in enumerate(actions)
                ],
            }
        )
        return
    console = output()
    console.print(in_style(spec.id, "bold"), f" {spec.title}")
    console.print(spec.description)
    console.print(f"version  {spec.digest}")
    if spec.compiler:
        console.print(f"compiler {spec.compiler}")
    console.print(f"actions  {spec.action_table.name}, {len(spec.action_table.names)}")
    if spec.further_tables:
        console.print(f"also     {', '.join(table.name for table in spec.further_tables)}")
    console.print(f"boards   {', '.join(_boards_of(spec)) or 'none'}")
    if spec.ranks_further_tables:
        console.print("         they take actions of all these action spaces")
    if spec.observation_space:
        console.print(f"observes {spec.observation_space}")
    rewards = (f"{name} (default)" if name == spec.reward_space else name for name in spec.rewards)
    console.print(f"rewards  {', '.join(rewards)}")
    console.print()
    metrics = (
        (metric.name, metric.unit, "exact" if metric.exact else "noisy", metric.observation)
        for metric in spec.metrics
    )
    table(("metric", "unit", "kind", "observation"), metrics)
    console.print()
    rows = ((i, name, text) for i, (name, text) in enumerate(actions))
    table(("action", "name", "what it does"), rows)


def _told(spec: EnvironmentSpec) -> list[str]:
    # What each action does.
    count = len(spec.action_table.names)
    told = list(getattr(spec.action_table, "descriptions", ())) or [
        getattr(one, "description", "") for one in getattr(spec.action_table, "actions", ())
    ]
    return told if len(told) == count else [""] * count


def _boards_of(spec: EnvironmentSpec) -> list[str]:
    return [board.slug for board in board_specs() if board.environment == spec.slug]
