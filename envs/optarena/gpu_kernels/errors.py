"""The errors of kernels on a GPU that callers distinguish."""

from __future__ import annotations

from optarena.errors import ProgramFailed, ServiceError, SessionTimeout
from optarena.specs.reasons import BROKEN


class WrongOutput(ProgramFailed):
    """A cubin's output on a GPU is not what the reference computes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="semantics:output-differs")


class KernelCrashes(ProgramFailed):
    """The device stopped a kernel; no call on the device succeeds after it in the same process."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="semantics:crash")


class BrokenReference(ProgramFailed):
    """The code at -O3 fails, with which that of an agent is compared; the agent is not to blame."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=BROKEN)


class KernelHangs(SessionTimeout):
    """A kernel did not end in time on a GPU; its process was killed, and the device is usable again."""


class OutOfDeviceMemory(ServiceError):
    """The arrays of a kernel do not fit the memory of the GPU."""

    error_type = "out-of-memory"
