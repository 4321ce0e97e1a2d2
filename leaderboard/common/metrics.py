"""``/metrics``: figures for Prometheus, read from the database when they are asked for.

All processes share the database, so any web process answers for the whole installation. The page names
accounts by number and machines by class only; even so, it is served to holders of a token.
"""

from __future__ import annotations

import hmac
from collections import Counter
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from runner import figures
from runner.clock import database_now
from runner.selectors import last_calibration, live_runners, queue_depths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.http import HttpRequest
    from prometheus_client.metrics_core import Metric

    from runner.selectors import QueueDepth

_SCHEME: Final = "Bearer "


class _Installation(Collector):
    """The figures of this installation, as Prometheus wants them."""

    def collect(self) -> Iterator[Metric]:
        """All families, each from one query or two."""
        depths = queue_depths()
        yield from _queue(depths)
        yield from _lines()
        yield _runners(depths)
        yield from _calibrations()
        yield _ends()
        yield GaugeMetricFamily(
            "optarena_lost_leases_last_hour",
            "Leases that were taken in the last hour from a worker that did not renew them.",
            value=figures.lost_leases(),
        )
        yield from _phases()


def _queue(depths: Sequence[QueueDepth]) -> Iterator[Metric]:
    queued = GaugeMetricFamily("optarena_queued", "Verifications that wait.", labels=["hardware_class"])
    running = GaugeMetricFamily(
        "optarena_running", "Verifications that a worker replays.", labels=["hardware_class"]
    )
    age = GaugeMetricFamily(
        "optarena_oldest_queued_seconds", "Age of the oldest one that waits.", labels=["hardware_class"]
    )
    now = database_now()
    for depth in depths:
        queued.add_metric([depth.hardware_class], depth.queued)
        running.add_metric([depth.hardware_class], depth.running)
        if depth.oldest_queued_at is not None:
            age.add_metric([depth.hardware_class], (now - depth.oldest_queued_at).total_seconds())
    yield from (queued, running, age)


def _lines() -> Iterator[Metric]:
    labels = ["hardware_class", "payer"]
    queued = GaugeMetricFamily(
        "optarena_payer_queued", "Verifications that wait for a payer, for the longest lines.", labels=labels
    )
    age = GaugeMetricFamily(
        "optarena_payer_oldest_queued_seconds", "Age of the oldest one of such a line.", labels=labels
    )
    now = database_now()
    for line in figures.longest_lines():
        queued.add_metric([line.hardware_class, line.payer], line.count)
        age.add_metric([line.hardware_class, line.payer], (now - line.oldest_at).total_seconds())
    yield from (queued, age)


def _runners(depths: Sequence[QueueDepth]) -> Metric:
    live = GaugeMetricFamily(
        "optarena_runners", "Live workers, paused or not.", labels=["hardware_class", "paused"]
    )
    counts = Counter(
        (hardware_class, "no" if paused_at is None else "yes")
        for hardware_class, paused_at in live_runners().values_list("hardware_class", "paused_at")
    )
    for line in depths:  # a class with work and without a worker has none, which is worth an alarm
        counts[line.hardware_class, "no"] += 0
    for labels, count in sorted(counts.items()):
        live.add_metric(labels, count)
    return live


def _calibrations() -> Iterator[Metric]:
    ages = GaugeMetricFamily(
        "optarena_calibration_oldest_seconds",
        "Age of the last calibration of the live worker whose is oldest.",
        labels=["hardware_class"],
    )
    drifted = GaugeMetricFamily(
        "optarena_drifted_runners",
        "Live workers whose last calibration shows that their machine has changed.",
        labels=["hardware_class"],
    )
    now = database_now()
    live = live_runners().annotate(at=last_calibration("at"), drift=last_calibration("drift"))
    oldest: dict[str, float] = {}
    changed: Counter[str] = Counter()
    for name, at, drift in live.values_list("hardware_class", "at", "drift"):
        if at is None:
            continue
        oldest[name] = max(oldest.get(name, 0.0), (now - at).total_seconds())
        changed[name] += bool(drift)
    for name, age in sorted(oldest.items()):
        ages.add_metric([name], age)
        drifted.add_metric([name], changed[name])
    yield from (ages, drifted)


def _ends() -> Metric:
    family = CounterMetricFamily(
        "optarena_verifications", "Verifications that ended, by state and reason.", labels=["state", "reason"]
    )
    for end in figures.ends():
        family.add_metric([end.state, end.reason], end.count)
    return family


def _phases() -> Iterator[Metric]:
    number = GaugeMetricFamily(
        "optarena_phase_last_hour", "Phases that ended in the last hour.", labels=["phase"]
    )
    seconds = GaugeMetricFamily("optarena_phase_last_hour_seconds", "All their seconds.", labels=["phase"])
    quantiles = GaugeMetricFamily(
        "optarena_phase_last_hour_quantile_seconds",
        "Seconds of a phase, over the last hour.",
        labels=["phase", "quantile"],
    )
    for phase in figures.phase_times():
        number.add_metric([phase.phase], phase.count)
        seconds.add_metric([phase.phase], phase.total)
        quantiles.add_metric([phase.phase, "0.5"], phase.median)
        quantiles.add_metric([phase.phase, "0.95"], phase.slow)
    yield from (number, seconds, quantiles)


_registry: Final = CollectorRegistry(auto_describe=False)
_registry.register(_Installation())


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures, for a caller with the token; without a token on the server the page does not exist."""
    token: str = settings.OPTARENA_METRICS_TOKEN
    if not token:
        raise Http404("This server serves no metrics; its operator can set OPTARENA_METRICS_TOKEN.")
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"{_SCHEME}{token}".encode()):
        refused = HttpResponse("Send the header 'Authorization: Bearer <token>'.\n", status=401)
        refused["Content-Type"] = "text/plain; charset=utf-8"
        refused["WWW-Authenticate"] = _SCHEME.strip()
        return refused
    return HttpResponse(generate_latest(_registry), content_type=CONTENT_TYPE_LATEST)
