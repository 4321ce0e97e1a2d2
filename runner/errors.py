"""The runner's error tree. Nothing here imports another module of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class RunnerError(Exception):
    """Base of all errors raised by the runner."""


class IllegalTransitionError(RunnerError):
    """The state machine does not have this edge, or not for this authority."""


class LeaseLostError(RunnerError):
    """The lease has ended or belongs to another worker: the result must be dropped."""


class LeaseAliveError(RunnerError):
    """The lease has not expired, so only its holder may end it."""


class ContentionError(RunnerError):
    """A request collided with others for the same work several times; the caller can repeat it."""


class EnvironmentChangedError(RunnerError):
    """The version of this installation's environment is not the requested one."""


class UnknownDeviceError(RunnerError, ValueError):
    """Unknown kind of device.

    Args:
        device: The requested kind.
        known: The known kinds.
    """

    def __init__(self, device: str, known: Sequence[str]) -> None:
        super().__init__(f"The device {device!r} is unknown; give one of: {', '.join(known)}.")
        self.device = device


class UnsuitableWorkerError(RunnerError):
    """A worker's options do not suit its hardware class; the message says what to do."""


class EmulatedDeviceError(RunnerError):
    """A result was measured on an emulated device. Its times are meaningless, so it is never stored."""


class ReplayDeadlineError(RunnerError):
    """A replay used up the time allowed for a whole replay."""
