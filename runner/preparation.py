"""Which machines work on a verification next, where its measurement has two parts.

Workers for CPUs replay and check what waits for a device, and prepare its measurement
(``optarena.specs.PreparedMeasure``). Then it waits for a worker with the device, in the same place of the
same line.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from optarena.specs import PreparedMeasure, environment_specs
from optarena.specs.results import UNSTEADY, ReplayResult
from runner import conf
from runner.confirmation import UNREPEATABLE
from runner.errors import EnvironmentChangedError
from runner.sickness import ENVIRONMENT_CHANGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import QuerySet

    from optarena.specs import EnvironmentSpec
    from runner.models import Verification

HANDED_OVER: Final = "prepared"
"""The reason of the event with which a prepared verification waits again; nothing has failed."""
PREPARED_ANEW: Final = "prepare-again"
"""The reason of the event with which a failure on the device waits for its confirmation with a new job: what
was prepared may be at fault."""
DISCARDING: Final = frozenset({ENVIRONMENT_CHANGED, UNREPEATABLE, PREPARED_ANEW})
"""Reasons of events after which a waiting verification is prepared and measured from its beginning."""
REMEASURING: Final = DISCARDING | {UNSTEADY}
"""Reasons of events after which no block is kept. On an unsteady machine most blocks were beyond the limits,
so their median does not tell which of them were good."""
NOT_INTERRUPTED: Final = frozenset({HANDED_OVER, PREPARED_ANEW})
"""Reasons of events with which a verification waits again, but not because the infrastructure failed."""


def is_handed_over(row: Verification, spec: EnvironmentSpec) -> bool:
    """Whether this machine only prepares the measurement of a verification that it has leased."""
    return isinstance(spec.measure, PreparedMeasure) and row.hardware_class != conf.own_hardware_class()


def readable(prepared: Mapping[str, Any], spec: EnvironmentSpec) -> tuple[ReplayResult, Mapping[str, Any]]:
    """The result so far and the job, as ``Verification.prepared`` has them.

    Raises:
        EnvironmentChangedError: Another release wrote them, and this one reads or needs others.
    """
    if not isinstance(spec.measure, PreparedMeasure):
        raise EnvironmentChangedError(f"{spec.slug} was prepared, and has no measurement in two parts here.")
    try:
        return ReplayResult.from_json(prepared["result"]), prepared["job"]
    except (KeyError, ValueError) as error:
        raise EnvironmentChangedError(f"What was prepared for {spec.slug} cannot be read: {error}") from error


def waits_for(row: Verification) -> str:
    """The hardware class of the workers that a queued verification waits for."""
    is_split = row.hardware_class in conf.device_classes() and row.environment_digest in _split_digests()
    return conf.preparing_class() if is_split and row.prepared is None else row.hardware_class


def unprepared() -> Q:
    """Verifications on devices that workers for CPUs prepare next."""
    return Q(hardware_class__in=conf.device_classes()) & _not_prepared()


def leasable(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    """Those of some verifications that machines of this class work on next."""
    own = conf.own_hardware_class()
    if conf.is_exclusive(own):
        return rows.filter(Q(hardware_class=own) & ~_not_prepared())
    return rows.filter(Q(hardware_class=own) | unprepared())


def lines() -> list[str]:
    """The hardware classes whose lines this machine works on, in random order: no line waits for another."""
    own = conf.own_hardware_class()
    if conf.is_exclusive(own) or not _split_digests():
        return [own]
    every = [own, *conf.device_classes()]
    return random.sample(every, len(every))


def parts(hardware_class: str, rows: QuerySet[Verification]) -> Iterator[tuple[str, QuerySet[Verification]]]:
    """Queued verifications of a class by the class of the workers that they wait for."""
    if hardware_class not in conf.device_classes() or not _split_digests():
        yield hardware_class, rows
        return
    yield hardware_class, rows.exclude(_not_prepared())
    yield conf.preparing_class(), rows.filter(_not_prepared())


def _not_prepared() -> Q:
    return Q(environment_digest__in=_split_digests(), prepared__isnull=True)


def _split_digests() -> list[str]:
    return sorted({spec.digest for spec in environment_specs() if isinstance(spec.measure, PreparedMeasure)})
