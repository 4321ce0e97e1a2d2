"""What a worker's errors are called, and which of its environments a replay is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.errors import (
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    SandboxUnavailable,
    ToolMissing,
)
from optarena.specs import environment_specs
from runner.confirmation import MACHINE_BUSY
from runner.errors import EnvironmentChangedError, MachineBusyError, MachineLockError
from runner.sickness import (
    DEVICE_UNAVAILABLE,
    ENVIRONMENT_CHANGED,
    SANDBOX_UNAVAILABLE,
    UNHEALTHY,
    shows_sickness,
)

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec
    from runner.models import Verification

INTERNAL: Final = "infra:internal"
_FAULTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (SandboxUnavailable, SANDBOX_UNAVAILABLE),
    (DeviceBusy, MACHINE_BUSY),  # by others, so this worker is not sick
    (DeviceUnavailable, DEVICE_UNAVAILABLE),
    (EnvironmentChangedError, ENVIRONMENT_CHANGED),
    (ToolMissing, "infra:toolchain-missing"),
    (MachineBusyError, MACHINE_BUSY),
    (MachineLockError, UNHEALTHY),
)


def spec_of(row: Verification) -> EnvironmentSpec:
    """The environment of a verification: that of its name, or another one of equal version.

    Raises:
        EnvironmentChangedError: This worker does not have the version.
    """
    name, digest = row.environment_version.env_id, row.environment_digest
    equal = {spec.slug: spec for spec in environment_specs() if spec.digest == digest}
    if not equal:
        raise EnvironmentChangedError(f"This worker does not have version {digest[:12]} of {name}.")
    return equal.get(name) or next(iter(equal.values()))


def fault(error: Exception) -> str:
    """The reason id of a failure of the infrastructure: that of its cause, if this worker is sick."""
    known = next((reason for kind, reason in _FAULTS if isinstance(error, kind)), None)
    if known is not None:
        return known
    if shows_sickness(error):
        return UNHEALTHY
    return error.reason if isinstance(error, InfrastructureFault) else INTERNAL
