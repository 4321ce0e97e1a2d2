"""What ``optarena datasets describe`` prints about a dataset or a benchmark."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from rich.markup import escape

from optarena.cli.console import number, output, plain, table
from optarena.datasets import SPLITS, Dataset, FilesDataset, ParametricDataset, cite, environments_of
from optarena.datasets.citing import content_sha256, licence_counts
from optarena.specs.rewards import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optarena.datasets import BaseDataset, Benchmark

MOST_ROWS: Final = 40
"""For a dataset with more benchmarks a summary is shown, unless all are requested."""
_HINT: Final = "To show all of them, use --benchmarks."
_SHOWN_TEXT: Final = 60


def show_dataset(dataset: BaseDataset, *, every: bool) -> None:
    """Print a dataset's facts, and its benchmarks' costs or a summary of them."""
    console = output()
    console.print(f"[bold]{plain(dataset.name)}[/]  {plain(dataset.title)}")
    console.print(plain(dataset.description))
    console.print()
    if isinstance(dataset, ParametricDataset):
        _show_facts(_range_facts(dataset))
        return
    facts = _facts(dataset)
    _show_facts(facts)
    if isinstance(dataset, Dataset):
        width = _width(facts)
        for change in dataset.manifest.changelog:
            console.print(f"{plain(change.version):<{width}} {plain(f'{change.date}  {change.text}')}")
    console.print()
    if isinstance(dataset, FilesDataset):
        is_long = not every and len(dataset) > MOST_ROWS
        for uri in () if is_long else dataset.uris():
            console.print(plain(uri))
        if is_long:
            console.print(_HINT)
    elif every or len(dataset) <= MOST_ROWS:
        _show_costs(list(dataset))
    else:
        _show_summary(list(dataset))
        console.print(_HINT)


def show_citation(dataset: BaseDataset, url: str) -> None:
    """How to cite a dataset; with this server's address, if one is named."""
    citation = cite(dataset, url)
    console = output()
    console.print(plain(citation.text), soft_wrap=True)
    console.print()
    console.print(escape(citation.bibtex), soft_wrap=True)


def show_benchmark(one: Benchmark) -> None:
    """Print a benchmark: its facts, its origin, its costs and its workloads."""
    console = output()
    console.print(f"[bold]{plain(one.uri)}[/]  {plain(one.title)}")
    if one.description and one.description != one.title:
        console.print(plain(one.description))
    console.print()
    _show_facts(
        {
            "domain": one.domain,
            "language": one.language,
            "licence": one.licence,
            "kind": one.kind,
            "split": one.split,
            "tags": ", ".join(one.tags),
            "bytes": one.size_bytes,
            "sha256": one.sha256,
            "run seconds": number(one.run_seconds) if one.run_seconds else "",
        }
    )
    if one.source:
        console.print("\n[bold]source[/]")
        _show_facts(one.source)
    _show_baselines(one)
    _show_workloads(one)


def _show_baselines(one: Benchmark) -> None:
    levels = level_order(level for costs in one.baselines.values() for level in costs)
    if not levels:
        return
    output().print("\n[bold]baselines[/]")
    rows = (
        (plain(metric), *(number(costs.get(level)) for level in levels))
        for metric, costs in one.baselines.items()
    )
    table(("metric", *levels), rows, numbers=levels)


def _show_workloads(one: Benchmark) -> None:
    if not one.workloads:
        return
    output().print("\n[bold]workloads[/]")
    columns = ("name", "arguments", "input bytes", "output bytes", "exit code")
    runs = (
        (
            plain(run.name),
            _short(" ".join(run.args)),
            len(run.stdin),
            len(run.expected_stdout),
            run.exit_code,
        )
        for run in one.workloads
    )
    table(columns, runs, numbers=columns[2:])


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


def _range_facts(dataset: ParametricDataset) -> dict[str, object]:
    """Print a range in place of millions of rows that would all be alike."""
    return {
        "benchmarks": len(dataset),
        "uri": dataset.uri,
        "n": f"from {dataset.low} to {dataset.high}",
        "first": dataset.uri.replace("{n}", str(dataset.low)),
        "last": dataset.uri.replace("{n}", str(dataset.high)),
        "domain": dataset.domain,
        "language": dataset.language,
        "licence": dataset.licence,
        "environment": ", ".join(spec.id for spec in environments_of(dataset.name)),
    }


def _show_facts(facts: Mapping[str, object]) -> None:
    """Print a line for each known fact."""
    width = _width(facts)
    for name, value in facts.items():
        if value not in ("", None, [], {}, ()):
            output().print(f"{plain(name):<{width}} {plain(_text(value))}")


def _width(facts: Mapping[str, object]) -> int:
    return max(12, *map(len, facts))


def _show_costs(listed: list[Benchmark]) -> None:
    console = output()
    for metric in _metrics(listed) or [""]:
        levels = level_order(level for one in listed for level in one.baselines.get(metric, {}))
        rows = (
            (
                plain(one.uri),
                plain(one.domain),
                *(number(one.baseline(metric, level)) for level in levels),
                len(one.workloads),
            )
            for one in listed
        )
        columns = ("benchmark", "domain", *levels, "workloads")
        console.print(f"[bold]{metric}[/]" if metric else "no baselines")
        table(columns, rows, numbers=columns[2:])
        console.print()


def _show_summary(listed: list[Benchmark]) -> None:
    """Print how many benchmarks there are of each kind, and how large they are."""
    splits = [name for name in SPLITS if any(one.split == name for one in listed)]
    counts = Counter(
        (one.domain, split) for one in listed for split in ("", one.split) if split in ("", *splits)
    )
    domains = Counter(one.domain for one in listed)
    rows: list[tuple[Any, ...]] = [
        (plain(domain), *(counts[domain, split] for split in splits), count)
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
            sizes.append((plain(name), plain(level), *_spread(one for one in values if one is not None)))
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


def _short(text: str) -> str:
    return plain(text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…")
