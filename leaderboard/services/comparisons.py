"""Checks that a board can score what it lists, before there is such a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.models import Baseline, Benchmark
from datasets.selectors import find_benchmark
from leaderboard.models import UNOPTIMISED_LEVEL
from optarena.errors import InvalidInput, UnknownName
from optarena.specs.benchmark import BenchmarkUri
from runner import conf
from runner.errors import UnknownDeviceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.models import DatasetVersion
    from optarena.specs import BoardSpec, EnvironmentSpec, Metric


def metric_of(spec: EnvironmentSpec, field: str, name: str) -> Metric:
    """The metric that a field of a board's definition names.

    Raises:
        UnknownName: The environment does not measure it.
    """
    found = next((one for one in spec.metrics if one.name == name), None)
    if found is None:
        raise UnknownName(
            f"Environment {spec.slug} has no metric {name}.",
            field=field,
            value=name,
            remedy=f"Metrics: {', '.join(one.name for one in spec.metrics)}.",
        )
    return found


def check_comparison(definition: BoardSpec, spec: EnvironmentSpec, dataset: DatasetVersion) -> None:
    """Refuse a definition with a benchmark that could never be scored.

    Raises:
        InvalidInput: The definition names no reference, or two; or a device that no runner has; or a
            benchmark that does not exist or lacks the value.
        UnknownName: The reference is not a metric of the environment.
    """
    if bool(definition.baseline_level) == bool(definition.reference_metric):
        raise InvalidInput(
            f"Board {definition.slug} has the baseline level {definition.baseline_level!r} and the reference "
            f"metric {definition.reference_metric!r}.",
            field="reference_metric",
            value=definition.reference_metric,
            remedy="Name exactly one of the two, which stands for a ratio of 1.",
        )
    _check_device(definition)
    uris = _benchmarks(definition, dataset)
    if definition.reference_metric:
        _check_reference(definition, spec)
    else:
        _check_baselines(definition, dataset, uris)


def _check_device(definition: BoardSpec) -> None:
    try:
        conf.hardware_class(definition.device)
    except UnknownDeviceError as error:
        message = f"Board {definition.slug} needs a device that no runner has. {error}"
        raise InvalidInput(
            message, field="device", value=definition.device, remedy="Name one of these devices."
        ) from error


def _check_reference(definition: BoardSpec, spec: EnvironmentSpec) -> None:
    metric = metric_of(spec, "metric", definition.metric)
    reference = metric_of(spec, "reference_metric", definition.reference_metric)
    if (metric.unit, metric.lower_is_better) != (reference.unit, reference.lower_is_better):
        raise InvalidInput(
            f"Board {definition.slug} compares {metric.name} with {reference.name}, which has another unit "
            "or direction.",
            field="reference_metric",
            value=reference.name,
            remedy=f"Name a metric in {metric.unit}.",
        )


def _benchmarks(definition: BoardSpec, dataset: DatasetVersion) -> Sequence[str]:
    """The URIs of all benchmarks that the board compares."""
    if not definition.benchmarks:
        stored = dataset.benchmarks.filter(kind=Benchmark.Kind.STORED).order_by("position")
        uris = list(stored.values_list("uri", flat=True))
        if not uris:
            raise InvalidInput(
                f"Board {definition.slug} lists no benchmark, and {dataset.name} has ranges only.",
                field="benchmarks",
                remedy="List the members of its ranges that the board compares.",
            )
        return uris
    for uri in definition.benchmarks:
        found = find_benchmark(uri)
        if found is None or found.version_id != dataset.pk or uri != str(BenchmarkUri.parse(uri)):
            raise InvalidInput(
                f"Board {definition.slug} lists {uri}, which is not a benchmark of {dataset.name}.",
                field="benchmarks",
                value=uri,
                remedy="List canonical URIs of the board's own dataset.",
            )
        if found.is_generated:
            # Their hashes identify verifications, and are known only once a program was generated.
            raise InvalidInput(
                f"Board {definition.slug} lists {uri}, whose program is generated.",
                field="benchmarks",
                value=uri,
                remedy="Use stored programs: publish the generated ones as a dataset.",
            )
    if len(set(definition.benchmarks)) < len(definition.benchmarks):
        raise InvalidInput(
            f"Board {definition.slug} lists a benchmark twice.", field="benchmarks", remedy="List each once."
        )
    return definition.benchmarks


def _check_baselines(definition: BoardSpec, dataset: DatasetVersion, uris: Sequence[str]) -> None:
    for level in (UNOPTIMISED_LEVEL, definition.baseline_level):
        recorded = Baseline.objects.filter(
            benchmark__version=dataset, metric=definition.metric, level=level
        ).values_list("benchmark__uri", flat=True)
        there = set(recorded)
        lacking = next((uri for uri in uris if uri not in there), None)
        if lacking is not None:
            raise InvalidInput(
                f"Board {definition.slug} compares {definition.metric} with level {level}, for which "
                f"{lacking} has no baseline.",
                field="baseline_level",
                value=level,
                remedy="Add it to the dataset's manifest, as a new version, or choose another level.",
            )
