"""The errors of kernels on a GPU that callers distinguish."""

from __future__ import annotations

from optarena.errors import ProgramFailed, ServiceError, SessionTimeout


class WrongOutput(ProgramFailed):
    """A cubin's output on a GPU is not what the reference computes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="semantics:output-differs")


class KernelHangs(SessionTimeout):
    """A kernel did not end in time on a GPU; its process was killed, and the device is usable again."""


class OutOfDeviceMemory(ServiceError):
    """The arrays of a kernel do not fit the memory of the GPU."""

    error_type = "out-of-memory"
