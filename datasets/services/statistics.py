"""The statistics of a version's benchmarks for lists and pages, counted once when it is loaded.

Plain data in, plain data out. The result:

* ``domains``, ``languages``, ``licences``, ``splits``: how many benchmarks have each value,
* ``workloads``: how many there are, ``runnable``: how many benchmarks have any,
* ``metrics``: for each metric ``count``, ``levels`` (the ``min``, ``median`` and ``max`` of each level),
  ``last`` (the level that is compared with O0), ``sizes`` and ``shares`` (histograms of O0 and of the last
  level's share of it: ``[low, high, count]`` rows),
* ``packages``: where the programs come from, with how many each package gave.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from datasets.selectors.versions import FACETS
from optarena.specs.rewards import UNOPTIMISED, level_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optarena.datasets import Manifest, ManifestBenchmark, ParametricDataset

_SHARE_STEP: Final = 0.05
_PACKAGE: Final = ("version", "purl", "upstream", "archive", "archive_sha256", "archive_bytes")
MAX_SHARE: Final = 2.0
"""All shares from here on are counted in one bin."""


def statistics_of(manifest: Manifest) -> dict[str, Any]:
    """The statistics of a dataset of stored programs, as JSON data."""
    entries = manifest.benchmarks
    return {
        **{plural: _counts(getattr(one, field) for one in entries) for field, plural in FACETS.items()},
        "workloads": sum(len(one.workloads) for one in entries),
        "runnable": sum(bool(one.workloads) for one in entries),
        "metrics": _metrics(entries),
        "packages": _packages(entries),
    }


def statistics_of_range(dataset: ParametricDataset) -> dict[str, Any]:
    """The statistics of a range of computed programs, which is one row: only its facets."""
    facts = {"domain": dataset.domain, "language": dataset.language, "licence": dataset.licence}
    return {plural: _counts([facts.get(field, "")]) for field, plural in FACETS.items()}


def _counts(values: Iterable[str]) -> dict[str, int]:
    """The number of occurrences of each text."""
    return dict(Counter(value for value in values if value))


def _metrics(entries: Sequence[ManifestBenchmark]) -> dict[str, Any]:
    names = dict.fromkeys(name for one in entries for name in one.baselines)
    return {
        name: _metric([one.baselines[name] for one in entries if name in one.baselines]) for name in names
    }


def _metric(rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for level, value in row.items():
            values[level].append(value)
    levels = level_order(values)
    last = levels[-1]
    shares = [row[last] / row[UNOPTIMISED] for row in rows if last in row and UNOPTIMISED in row]
    return {
        "count": len(rows),
        "levels": {
            level: {"min": min(values[level]), "median": median(values[level]), "max": max(values[level])}
            for level in levels
        },
        "last": last,
        "sizes": _doublings(values.get(UNOPTIMISED, ())),
        "shares": _steps(shares),
    }


def _doublings(values: Iterable[float]) -> list[list[float]]:
    """A histogram whose bins end at twice their start, from the first with a value to the last."""
    found = Counter(math.floor(math.log2(value)) for value in values if value > 0)
    bins = range(min(found, default=0), max(found, default=-1) + 1)
    return [[2.0**power, 2.0 ** (power + 1), found[power]] for power in bins]


def _steps(shares: Iterable[float]) -> list[list[float]]:
    """A histogram of shares in bins of one width; larger shares are counted in the last bin."""
    # Rounded, since 0.3 / 0.05 is less than 6.
    found = Counter(math.floor(round(min(share, MAX_SHARE) / _SHARE_STEP, 9)) for share in shares)
    bins = range(min(found, default=0), max(found, default=-1) + 1)
    return [[round(n * _SHARE_STEP, 4), round((n + 1) * _SHARE_STEP, 4), found[n]] for n in bins]


def _packages(entries: Iterable[ManifestBenchmark]) -> list[dict[str, Any]]:
    """The source packages by name, each with its licences and its number of benchmarks."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in entries:
        name = one.source.get("package")
        if not name:
            continue
        described = {key: one.source[key] for key in _PACKAGE if key in one.source}
        key = (str(name), str(described.get("version", "")))
        package = found.setdefault(key, {"package": str(name), **described, "licences": {}, "benchmarks": 0})
        package["licences"][one.licence] = package["licences"].get(one.licence, 0) + 1
        package["benchmarks"] += 1
    return [found[key] for key in sorted(found)]
